# elastane_unity(TARGET SIZE): compiles SIZE sources of a target at a time, which parses their headers once instead of
# SIZE times. Names in the anonymous namespaces of such sources must differ. -DELASTANE_UNITY=OFF compiles each alone, as
# suits work on one of them. Of the library, what runs in a step is always compiled file by file.
option(ELASTANE_UNITY "Compile several sources together, but for what runs in a step: a third of the time from scratch" ON)
function(elastane_unity target size)
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${ELASTANE_UNITY} UNITY_BUILD_BATCH_SIZE ${size})
endfunction()

# Flags of our own code. They are private to our targets: nothing of this reaches a project that uses the library.
# elastane_flags(TARGET [STANDARD]): C++20 by default.
function(elastane_flags target)
  set(standard 20 ${ARGN})
  list(GET standard -1 standard)
  target_compile_features(${target} PUBLIC cxx_std_${standard})
  set_target_properties(${target} PROPERTIES CXX_EXTENSIONS OFF)
  target_compile_options(${target} PRIVATE
    # designated initialisers leave fields to their defaults; GCC 12 warns of std::string + char* where nothing is wrong
    -Wall -Wextra -Wno-missing-field-initializers $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
    -Wpedantic -Wshadow -Wnon-virtual-dtor -Wold-style-cast -Woverloaded-virtual
    # fused multiply-adds only where the code asks for them, so that results do not hang on the optimiser
    -ffp-contract=off)
  if(ELASTANE_STRICT)
    target_compile_options(${target} PRIVATE -Werror)
  endif()
endfunction()

# which sanitizers this build has
set(ELASTANE_SANITIZED 0)
set(ELASTANE_THREAD_SANITIZER 0)
if(CMAKE_CXX_FLAGS MATCHES "sanitize")
  set(ELASTANE_SANITIZED 1)
endif()
if(CMAKE_CXX_FLAGS MATCHES "sanitize=thread")
  set(ELASTANE_THREAD_SANITIZER 1)
endif()

# elastane_sanitize_lightly(TARGET [OPTIMISED]): about half the time to compile a sanitized target. Not optimised, unless said
# so, and without the checks of the undefined-behaviour sanitizer that cost most to compile and find least beside the address
# sanitizer, which reports a null or stray access by itself. What sets the library up keeps -O1 and all checks.
function(elastane_sanitize_lightly target)
  if(ELASTANE_SANITIZED AND NOT ELASTANE_FUZZ AND NOT "OPTIMISED" IN_LIST ARGN)
    target_compile_options(${target} PRIVATE -O0)
  endif()
  if(CMAKE_CXX_FLAGS MATCHES "sanitize=[a-z,]*undefined")
    target_compile_options(${target} PRIVATE
      -fno-sanitize=null,alignment,vptr,object-size,nonnull-attribute,returns-nonnull-attribute)
  endif()
endfunction()
