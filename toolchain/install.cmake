# `cmake --install`: Singulate as one folder, from the tree of the source archive (npm run
# build:source), whose node_modules hold what a device needs and nothing else.
include(GNUInstallDirs)
set(_home ${CMAKE_INSTALL_LIBDIR}/singulate)
install(FILES package.json README.md DESTINATION ${_home} COMPONENT services)
install(DIRECTORY dist proto DESTINATION ${_home} COMPONENT services)
# Of the sources the data alone.
install(DIRECTORY src DESTINATION ${_home} COMPONENT services PATTERN "*.ts" EXCLUDE)

# A package that comes built for many machines brings this one's.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)")
  set(_machine arm64)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^arm")
  set(_machine arm)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64)")
  set(_machine x64)
else()
  set(_machine none)
endif()
set(_machines android-arm android-arm64 darwin-x64\\+arm64 win32-arm64 win32-ia32 win32-x64
  linux-arm linux-arm64 linux-x64)
list(REMOVE_ITEM _machines linux-${_machine})
list(JOIN _machines "|" _machines)
install(DIRECTORY node_modules DESTINATION ${_home} COMPONENT services
  REGEX "/prebuilds/(${_machines})$" EXCLUDE)
# Where src/shared/native-file.ts looks for them.
install(TARGETS singulate LIBRARY DESTINATION ${_home}/build/Release COMPONENT addon)
install(TARGETS singulate_launch RUNTIME DESTINATION ${_home}/build/Release COMPONENT addon)
