# Hardening of release builds. What the flags are says toolchain/hardening.mjs, for node-gyp too.
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)
find_program(NODE_EXECUTABLE node REQUIRED)
foreach(_kind compile link)
  execute_process(COMMAND ${NODE_EXECUTABLE} ${CMAKE_CURRENT_LIST_DIR}/hardening.mjs ${_kind}
      ${CMAKE_CXX_COMPILER} ${CMAKE_CXX_COMPILER_ARG1}
    OUTPUT_VARIABLE _flags OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" _${_kind}_flags "${_flags}")
endforeach()
foreach(_flag ${_compile_flags})
  if(_flag MATCHES "FORTIFY")
    # It lives from the optimizer, and warns without one.
    add_compile_options($<$<NOT:$<CONFIG:Debug>>:${_flag}>)
  else()
    add_compile_options(${_flag})
  endif()
endforeach()
add_link_options(${_link_flags})
