# The addon stripped, with its debug symbols in a file beside it, where gdb looks for them. Nothing
# in either tells the folder it was built in.
function(singulate_split_symbols addon core)
  foreach(target ${addon} ${core})
    target_compile_options(${target} PRIVATE -g -ffile-prefix-map=${CMAKE_SOURCE_DIR}=.)
  endforeach()
  set(file $<TARGET_FILE:${addon}>)
  add_custom_command(TARGET ${addon} POST_BUILD
    COMMAND ${CMAKE_OBJCOPY} --only-keep-debug --compress-debug-sections ${file} ${file}.debug
    COMMAND ${CMAKE_STRIP} --strip-unneeded ${file}
    COMMAND ${CMAKE_OBJCOPY} --add-gnu-debuglink=${file}.debug ${file}
    VERBATIM)
endfunction()
