#!/usr/bin/env bash
# Tests ./run in a build folder with another configuration: it must turn on the options that the command needs, once. CMake, Ninja and
# dpkg-query are stand-ins, so nothing is built.

name=run
# shellcheck source=../support/program_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/program_test.sh"

mkdir -p tools tree/cmake tree/samples/{radix_sort,splats} tree/build/{bin,deps/usr/include,imgui/usr/share/doc/libimgui-dev/examples/backends}
cp "$root/run" tree/ && cp "$root/cmake/packages.sh" tree/cmake/
touch tree/build/deps/usr/include/vk_mem_alloc.h tree/build/imgui/usr/share/doc/libimgui-dev/examples/backends/imgui_impl_vulkan.cpp

# The stand-in for CMake logs its options and writes them to the cache.
cat >tools/cmake <<'END'
#!/usr/bin/env bash
shift 4 # -S, -B
for option in "$@"; do
    [[ $option == -D*=* ]] || continue
    option=${option#-D}
    echo "$option" >>cmake.log
    sed -i "/^${option%%=*}:/d" tree/build/CMakeCache.txt 2>/dev/null
    echo "${option%%=*}:BOOL=${option#*=}" >>tree/build/CMakeCache.txt
done
touch tree/build/build.ninja
END
printf '#!/bin/sh\necho "ninja: no work to do."\n' >tools/ninja
printf '#!/usr/bin/env bash\nprintf "installed:%%s\\\\n" "${@:4}"\n' >tools/dpkg-query
program=tree/build/bin/radix_sort
printf '#!/bin/sh\necho "$(basename "$0") ran"\n' >$program
cp $program tree/build/bin/splats && cp $program tree/build/bin/weir_bench
chmod +x tools/* tree/build/bin/*
export PATH="$out/tools:$PATH"
unset WEIR_WERROR

# configures NAME OPTIONS COMMAND...: checks that `./run COMMAND...` runs the program and passes exactly OPTIONS to CMake, in this order.
configures() {
    rm -f cmake.log && touch cmake.log
    [[ $(bash tree/run "${@:3}" 2>run.err) == *" ran" && $(tr '\n' ' ' <cmake.log) == "$2" ]]
    result "$1" $? "passed to CMake: $(cat cmake.log run.err)"
}

configures run_configures_a_new_folder \
    "CMAKE_BUILD_TYPE=Release CMAKE_UNITY_BUILD=ON CMAKE_UNITY_BUILD_BATCH_SIZE=12 WEIR_WERROR=OFF WEIR_BUILD_TESTS=OFF WEIR_BUILD_SAMPLES=ON " radix_sort
configures run_leaves_a_configured_folder "" radix_sort

# Cache of a build for installing only the library.
printf '%s:BOOL=OFF\n' WEIR_BUILD_TESTS WEIR_BUILD_BENCHMARKS WEIR_BUILD_SAMPLES WEIR_BUILD_PICTURES >tree/build/CMakeCache.txt
configures run_turns_samples_on "WEIR_BUILD_SAMPLES=ON " radix_sort
configures run_turns_pictures_on "WEIR_BUILD_PICTURES=ON " splats
configures run_turns_benchmarks_on "WEIR_BUILD_BENCHMARKS=ON " bench
configures run_configures_again_once "" splats
WEIR_WERROR=ON configures run_turns_errors_on "WEIR_WERROR=ON " bench
