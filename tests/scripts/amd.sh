#!/usr/bin/env bash
# Compiles kernels for AMD GPUs with Mesa's RADV, on devices that need not be present (weir_estimate). No kernel may spill. The ordinary
# part compiles some kernels for one generation. The longer part (--long) compiles all, for six generations and both subgroup sizes.

name=weir_estimate
# shellcheck source=../support/program_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/program_test.sh"

# radv FOLDER...: makes the RADV in one of these folders the only driver.
radv() {
    local library
    library=$(find "$@" -maxdepth 1 -name libvulkan_radeon.so 2>/dev/null | head -n 1)
    [[ $library ]] || return 1
    printf '{"file_format_version": "1.0.0", "ICD": {"api_version": "1.3.0", "library_path": "%s"}}\n' "$library" >radv.json
    export VK_DRIVER_FILES="$out/radv.json" VK_ICD_FILENAMES="$out/radv.json"
}
# estimates NAME ARGUMENTS...: checks that no kernel has a mistake, and that the table has a row for each.
estimates() {
    "$program" "${@:2}" --csv "$1.csv" >"$1.out" 2>"$1.err"
    [[ $? == 0 && $(grep -vc '^#' "$1.csv") == $(($(sed -n 's/^\([0-9]*\) pipelines .*; 0 mistakes$/\1/p' "$1.out") + 1)) ]]
    result "$1" $? "$(grep weir_estimate: "$1.err")"
}

if ! radv /usr/lib/*-linux-gnu /usr/lib64 /usr/lib; then
    skip_without_package amd "RADV is not installed" ""
    exit
fi
export MESA_SHADER_CACHE_DISABLE=true # every kernel must be compiled, not read from the cache

estimates navi21_64 navi21 --subgroup 64 --kinds scan_light,scan_rounding,sort_keys --classes amd
estimates navi21_32 navi21 --subgroup 32 --kinds reduce_by_key,partition --classes amd
# One row per pipeline, with registers and cycles.
awk -F, '/^#/ || /^generation/ { next }
    { if (NF != 22 || $1 != "navi21" || $2 != 64 || $14 < 8 || $17 < 1 || $18 < 10 || $19 < 10 || $20 < 1 || $21 != 0 || $22 != 0) bad = 1 }
    $5 == "scan_light" && $12 ~ /amd:any/ { scan++ }
    $3 == "radix_sort" && $13 ~ /^radix sort sweep of bit/ && $16 > 0 { sweep++ }
    END { exit bad || scan != 1 || sweep < 2 }' navi21_64.csv
result says_registers $?

# 64 vectors per invocation in registers: no generation has enough.
sed 's/^default,scan_rounding,any,256,4,/default,scan_rounding,any,1024,64,/' "$root/primitives/shapes.csv" >large.csv
"$program" navi21 --subgroup 64 --kinds scan_rounding --classes default --table large.csv --csv kept >large.out 2>large.err
[[ $? == 1 && $(wc -l <large.err) == 1 ]] && grep -q 'mistakes; the first: .*spills [0-9]* VGPRs' large.err
result notices_spills $? "$(cat large.err)"

echo precious >kept
sed 's/^default,reduce,any,256,/default,reduce,any,250,/' "$root/primitives/shapes.csv" >wrong.csv
refuses a_mistake_in_the_table 1 'wrong.csv: line [0-9]*: workgroup must be a power of two' navi21 --table wrong.csv --csv kept
refuses unknown_generation 1 'Unknown family: nonsense' nonsense --csv kept
refuses bad_generation 2 'such as navi21' 'navi 21'
refuses no_generation 2 'generation'
refuses unknown_size 2 'subgroup' navi21 --subgroup 16
refuses no_such_size 1 'vega10 has subgroups of 64' vega10 --subgroup 32 --csv kept
refuses unknown_class 2 "no class 'nonsense'" navi21 --classes nonsense
refuses unknown_kind 2 "begins with 'nonsense'" navi21 --kinds nonsense
refuses unwritable 1 'cannot be written' navi21 --csv missing/file
VK_DRIVER_FILES=/nothing VK_ICD_FILENAMES=/nothing refuses no_radv 1 'vkCreateInstance failed|RADV is not' navi21
left_alone

[[ ${WEIR_TESTS_LONG:-} ]] || exit 0
# The shapes of default are not checked: with them, subgroups of 64 spill ballots in sorts by a single workgroup.
estimates polaris10 polaris10 --classes amd --sgpr-spills 1 # top_k: the generation has 102 scalar registers
for generation in vega10 navi10 navi21; do
    estimates "$generation" "$generation" --classes amd
done
# Uses RADV of the system if it is new enough, else the one that tests/drivers.sh has unpacked.
if "$program" gfx1201 --kinds iota >/dev/null 2>&1 || radv "$root"/build/drivers/mesa25/usr/lib/*; then
    estimates navi31 navi31 --classes amd
    estimates gfx1201 gfx1201 --classes amd
else
    skip_without_package "navi31 and gfx1201" "Mesa 25 is not available"
fi
