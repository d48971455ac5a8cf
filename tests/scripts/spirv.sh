#!/usr/bin/env bash
# Checks every compiled kernel with spirv-val and the rules of tests/models/spirv_rules.py (all invocations reach barriers, scopes,
# loops end). Broken kernels must violate the rules. With --long, also checks other values of specialization constants.

# shellcheck source=../support/script.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/script.sh"
work_in_temporary_folder
# shellcheck source=../support/kernels.sh
source "$root/tests/support/kernels.sh"

validator=(spirv-val --target-env vulkan1.3 --allow-localsizeid)

# With 64 and 256 invocations, all switches of a kernel off or on, and all choices.
settings=("0:64" "0:256 1:true 2:2 3:true 4:true 5:true" "0:256 2:1 4:8 5:false 6:true 7:true" "0:128 8:true 9:true 10:true 11:true 14:true")

validate() {
    local kernel invalid=0 count=0 setting
    for kernel in "$kernels"/*.spv; do
        ((++count))
        "${validator[@]}" "$kernel" >>log 2>&1 || { echo "$kernel" >>log; ((++invalid)); }
        [[ ${WEIR_TESTS_LONG:-} ]] || continue
        for setting in "${settings[@]}"; do
            ((++count))
            # Ids that a kernel does not have, or that have another type, do not change.
            spirv-opt --set-spec-const-default-value="$setting" --freeze-spec-const --fold-spec-const-op-composite \
                "$kernel" -o variant.spv >/dev/null 2>&1 || { ((--count)); continue; }
            "${validator[@]}" variant.spv >>log 2>&1 || { echo "$kernel with $setting" >>log; ((++invalid)); }
        done
    done
    ((invalid == 0)) && echo "ok spirv_val ($count modules)" && return
    result spirv_val 1 "$invalid of $count modules are not valid: $(cat log)"
}

if ! has_optimized_kernels; then
    skip_without_package spirv "build/generated has no optimized kernels"
    exit
fi
if command -v spirv-val >/dev/null && command -v spirv-opt >/dev/null; then
    validate
else
    skip_without_package spirv_val "spirv-tools is not installed" ""
fi
[[ $python ]] || { skip_without_package spirv_rules "python3-z3 is not installed" ""; exit; }
"$python" "$root/tests/models/spirv_rules.py" ${WEIR_TESTS_LONG:+--long} "$kernels"/*.spv >rules 2>&1 ||
    echo "FAIL spirv_rules: spirv_rules.py ended early"
cat rules

needs notices_spirv "" glslc
ranges=elementwise/copy_ranges.comp
# broken NAME FILE CHANGE PATTERN SOURCE: changes a shader. A rule must then fail with a text that matches PATTERN.
broken() { notices_change "spirv_$1" "${@:2:3}" spirv_rules.py "$5" "$(basename "$5" .comp)"; }
broken divergent_return $ranges 's/^    load_ranges(/    if (place_of(0) >= size) { return; }\n    load_ranges(/' \
    'copy_ranges, block .* the number of an invocation' $ranges
broken count_of_each $ranges 's/agree(true, /agree(COUNT_ON_GPU, /' \
    'copy_ranges, block .* memory that others may write' $ranges
broken lost_barrier lib/agree.glsl 's/^        barrier();//' \
    'copy_ranges, block .* workgroup variable .* written meanwhile' $ranges
broken scope_of_invocation lib/last_workgroup.glsl '/atomicAdd/s/gl_ScopeDevice/gl_ScopeInvocation/' \
    'find: OpAtomicIAdd .* its scope is 4' reduce/find.comp
broken scope_of_workgroup lib/last_workgroup.glsl '/atomicAdd/s/gl_ScopeDevice/gl_ScopeWorkgroup/' \
    'find: OpAtomicIAdd of a buffer with scope Workgroup' reduce/find.comp
broken order_of_nothing lib/last_workgroup.glsl '/atomicAdd/s/gl_StorageSemanticsNone/gl_StorageSemanticsBuffer/' \
    'find: OpAtomicIAdd .* is relaxed, and orders memory' reduce/find.comp
broken endless_loop $ranges 's|span > 0; span /= PROBES|begins[span] != first;|' \
    'copy_ranges: . loops without a count' $ranges
broken standing_still $ranges 's|span /= PROBES|span = max(span, 1)|' \
    'copy_ranges: . loops without a count' $ranges
