SUMMARY = "The open software inside a fixed UHF RFID reader"
DESCRIPTION = "EPC Gen2 inventory, REST, MQTT and gRPC: the services radio-control and reader-gateway"
LICENSE = "Apache-2.0"
LIC_FILES_CHKSUM = "file://${COMMON_LICENSE_DIR}/Apache-2.0;md5=89aea4e17d99a7cacdbeed46a0096b10"

# Made by `npm run build:source` and put beside this recipe, in files/: it holds the npm packages as
# locked, and the compiled services. No task of this recipe uses the network, nor npm.
# It unpacks to ${BP}, where S is by default.
SRC_URI = "file://singulate-${PV}-source.tar.gz"

inherit cmake

# The headers of the Node.js that the image has; a node to configure with.
DEPENDS = "nodejs nodejs-native"
RDEPENDS:${PN} = "nodejs"

OECMAKE_TARGET_COMPILE = "singulate"
EXTRA_OECMAKE = "-DCMAKE_BUILD_TYPE=Release -DCMAKE_JS_INC='${S}/node_modules/node-addon-api;${STAGING_INCDIR}/node'"

FILES:${PN} += "${libdir}/singulate"

# The package serialport brings its addon built and stripped, for each C library.
INSANE_SKIP:${PN} += "already-stripped file-rdeps"
