{
  "targets": [
    {
      "target_name": "singulate",
      "sources": ["<!@(node -p \"const s=require('./native/sources.json');[...s.core,...s.addon].join(' ')\")"],
      "include_dirs": ["<!(node -p \"require('node-addon-api').include_dir\")", "native"],
      "defines": ["NAPI_VERSION=8", "NODE_ADDON_API_CPP_EXCEPTIONS", "NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS"],
      "cflags!": ["-fno-exceptions"],
      "cflags_cc!": ["-fno-exceptions", "-fno-rtti", "-std=gnu++17"],
      "cflags_cc": ["-std=c++20", "-fvisibility=hidden", "-fvisibility-inlines-hidden", "-pthread", "-ffp-contract=off"],
      "ldflags": ["-Wl,--version-script=<(module_root_dir)/native/addon/exports.map"],
      "configurations": {
        "Release": {
          "cflags_cc": ["<!@(node toolchain/hardening.mjs compile)"],
          "ldflags": ["<!@(node toolchain/hardening.mjs link)"]
        }
      }
    },
    {
      "target_name": "singulate-launch",
      "type": "executable",
      "sources": ["<!@(node -p \"require('./native/sources.json').launch.join(' ')\")"],
      "include_dirs": ["native"],
      "cflags!": ["-fno-exceptions"],
      "cflags_cc!": ["-fno-exceptions", "-fno-rtti", "-std=gnu++17"],
      "cflags_cc": ["-std=c++20", "-fPIE", "-pthread"],
      "ldflags": ["-pie", "-pthread"],
      "configurations": {
        "Release": {
          "cflags_cc": ["<!@(node toolchain/hardening.mjs compile)"],
          "ldflags": ["<!@(node toolchain/hardening.mjs link)"]
        }
      }
    }
  ]
}
