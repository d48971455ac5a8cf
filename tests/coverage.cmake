# Included by `project` where tests/coverage.sh configures: the library counts which of its lines run.
include_guard(GLOBAL)
cmake_language(DEFER CALL target_compile_options weir PRIVATE --coverage -O0 -fprofile-update=prefer-atomic)
cmake_language(DEFER CALL target_link_options weir PUBLIC --coverage)
