# Included by `project` where tests/coverage.sh configures: the library counts which of its lines run.
include_guard(GLOBAL)

# When all targets are there. Without optimization, also of sources that have options of their own.
function(weir_count_lines)
  get_target_property(parts weir WEIR_PARTS)
  foreach(part IN LISTS parts)
    get_target_property(sources ${part} SOURCES)
    set_property(SOURCE ${sources} TARGET_DIRECTORY ${part} PROPERTY COMPILE_OPTIONS)
    target_compile_options(${part} PRIVATE --coverage -O0 -fprofile-update=prefer-atomic)
  endforeach()
  # Tests have copies of the functions in headers, which count nothing. The linker keeps the first copy: the library's.
  target_link_options(weir PUBLIC --coverage
    INTERFACE "SHELL:-Wl,--whole-archive $<TARGET_FILE:weir> -Wl,--no-whole-archive")
endfunction()
cmake_language(DEFER CALL weir_count_lines)
