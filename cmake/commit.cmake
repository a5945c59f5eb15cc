# cmake -DSOURCE=… -DOUT=… -P commit.cmake: writes what the sources are, as `git describe` has it; run at every build,
# and the file changes only where the answer does.
set(commit unknown)
find_program(git_program git)
if(git_program)
  execute_process(COMMAND ${git_program} describe --always --dirty=+ --abbrev=12 WORKING_DIRECTORY ${SOURCE}
    OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed ERROR_QUIET)
  if(NOT failed)
    set(commit ${described})
  endif()
endif()
file(CONFIGURE OUTPUT ${OUT} CONTENT "#define ELASTANE_COMMIT \"${commit}\"\n")
