#!/usr/bin/env bash
# Runs all fuzz targets on the inputs of tests/fuzz/corpus. With --long, libFuzzer also searches new inputs, with Clang's sanitizers: for
# ten minutes per target, or WEIR_FUZZ_SECONDS. Its findings stay in build/fuzz/found.

name=weir_fuzz
results=fuzz
# shellcheck source=../support/program_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/program_test.sh"
corpus="$root/tests/fuzz/corpus"
fuzz="$root/build/fuzz"

[[ -x $program ]] || { skip_without_package fuzz "$program is missing"; exit 0; }

mapfile -t targets < <("$program")
[[ $(printf '%s\n' "${targets[@]}" | sort) == "$(ls "$corpus")" ]]
result has_a_corpus_for_each_target $? "${targets[*]}"
for target in "${targets[@]}"; do
    check "feeds_$target" "$program" "$target" "$corpus/$target"/*
done
[[ ${WEIR_TESTS_LONG:-} ]] || exit 0

needs fuzz_with_sanitizers --packages clang++
sanitizers=-fsanitize=fuzzer-no-link,address,undefined
build_with_sanitizers() {
    cmake -S "$root" -B "$fuzz" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_COMPILER=clang++ -DCMAKE_C_COMPILER=clang \
        -DCMAKE_CXX_FLAGS="$sanitizers -fno-sanitize-recover=undefined" -DCMAKE_C_FLAGS="$sanitizers" -DCMAKE_UNITY_BUILD=ON \
        -DCMAKE_UNITY_BUILD_BATCH_SIZE=12 -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DWEIR_LIBFUZZER=ON -DWEIR_BUILD_BENCHMARKS=OFF &&
        ninja -C "$fuzz" weir_fuzz
}
check builds_with_sanitizers build_with_sanitizers
for target in "${targets[@]}"; do
    mkdir -p "$fuzz/found/$target"
    # Messages of the fuzzed code go to stderr. libFuzzer writes its messages to its own copy of stderr.
    WEIR_FUZZ_TARGET=$target "$fuzz/bin/weir_fuzz" -max_total_time="${WEIR_FUZZ_SECONDS:-600}" -rss_limit_mb=4096 -timeout=20 -close_fd_mask=3 \
        -print_final_stats=1 -artifact_prefix="$fuzz/found/$target-" "$fuzz/found/$target" "$corpus/$target" >"long_$target.log" 2>&1
    result "fuzzes_$target" $? "$(grep -vE '^#' "long_$target.log" | tail -n 30)"
    sed -n "s/^stat::number_of_executed_units: */# $target: executions /p" "long_$target.log"
done
