#!/usr/bin/env bash
# Explores the models in tests/models exhaustively with Spin, and checks the compiled kernels against the Vulkan memory model
# with Z3. Each search also runs on broken variants, in which it must find an error.

# shellcheck source=../support/script.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/script.sh"
work_in_temporary_folder
# shellcheck source=../support/kernels.sh
source "$root/tests/support/kernels.sh"

# Runs the checks that use Z3: litmus tests of the memory model, termination of the look-back, and the look-back of the compiled
# kernels, as they are and with each operation weakened.
memory_model() {
    [[ $python ]] || { skip_without_package memory_model "python3-z3 is not installed" ""; return; }
    command -v glslc >/dev/null || { skip_without_package memory_model "glslc is missing" ""; return; }
    local long=() table=()
    [[ ${WEIR_TESTS_LONG:-} ]] && long=(--long) table=(--table)

    # compile NAME DEFINES...: compiles a kernel whose name begins with that of its folder and source.
    compile() { compile_kernel "$root/shaders" "${1%%_*}/${1%%_*}.comp" "kernels/$1.spv" "${@:2}"; }
    mkdir kernels
    # Kernels with flagged states, which studies/strategies compiles at run time.
    cp -r "$root/shaders" flagged && cp "$root/studies/strategies/shaders/tile_flag.glsl" flagged/lib/tile_parts.glsl
    local name
    for name in scan_u32x2_flagged:U32 scan_f32x2_flagged:F32; do
        compile_kernel flagged scan/scan.comp "kernels/${name%:*}.spv" "-DWEIR_ELEMENT=WEIR_ELEMENT_${name#*:}" -DWEIR_COMPONENTS=2
    done
    if has_optimized_kernels; then
        cp "$kernels"/*.spv kernels
    else
        compile scan_u32 -DWEIR_ELEMENT=WEIR_ELEMENT_U32 -DWEIR_COMPONENTS=1
        compile scan_u32_packed -DWEIR_ELEMENT=WEIR_ELEMENT_U32 -DWEIR_COMPONENTS=1 -DPACKED_STATES
        compile scan_f32 -DWEIR_ELEMENT=WEIR_ELEMENT_F32 -DWEIR_COMPONENTS=1
        compile reduce_u32 -DWEIR_ELEMENT=WEIR_ELEMENT_U32 -DWEIR_COMPONENTS=1
    fi

    run_model litmus.py "${table[@]}"
    run_model litmus.py --rules
    run_model termination.py
    run_model look_back_memory.py --table "${long[@]}" kernels/*.spv
    [[ ${WEIR_TESTS_LONG:-} ]] && broken_sources
    # docs/testing.md must contain the table of a run without --long.
    if has_optimized_kernels && [[ ! ${WEIR_TESTS_LONG:-} ]]; then
        undocumented=$(grep '^|' log | grep -vxFf "$root/docs/testing.md")
        [[ -z $undocumented ]]
        result documented_weakening $? "docs/testing.md does not contain the table rows $undocumented"
    fi
}

# Breaks the source of a kernel in one place at a time.
broken_sources() {
    local scope='s/gl_ScopeDevice/gl_ScopeWorkgroup/'
    broken scope_of_polls lib/tile_state.glsl "/^uint weir_load_word/,/^}/ $scope" 'parts of scan_u32: .*data race' scan_u32
    broken scope_of_packed_posts lib/tile_parts.glsl "/^void weir_store_part/,/^}/ $scope" \
        'parts of scan_u32_packed: .*data race' scan_u32_packed -DPACKED_STATES
    sources=flagged broken order_of_flag lib/tile_parts.glsl '/^bool weir_insert_tile/,/^}/ s/gl_SemanticsRelease/gl_SemanticsRelaxed/' \
        'flag of scan_u32_flagged: a torn value' scan_u32_flagged
    broken scope_in_place lib/buffer_barrier.glsl 's/gl_ScopeDevice/gl_ScopeWorkgroup/' in_place scan_u32
    broken scope_of_finish lib/last_workgroup.glsl 's/^    device_buffer_barrier/    workgroup_buffer_barrier/' \
        'finish of reduce_u32: the last workgroup misses a part' reduce_u32
    broken barrier_of_ticket lib/single_pass.glsl '/^weir_Claim weir_assign_tile/,/^}/ s/^        barrier();//' \
        'barriers of scan_u32' scan_u32
    broken barrier_of_round lib/look_back.glsl '/^        weir_share_walks();/,/^        const/ s/^        barrier();//' \
        'barriers of scan_u32' scan_u32
    broken last_barrier_of_round lib/look_back.glsl '$!N; s/^        barrier();\n    }$/    }/; P; D' 'barriers of scan_u32' scan_u32
    broken unlimited_polls lib/look_back.glsl 's/weir_is_walking(i) && spins < WEIR_MAX_SPINS/weir_is_walking(i)/' loops scan_u32
}

# broken NAME FILE CHANGE PATTERN KERNEL DEFINES...: changes a shader, and compiles the kernel for u32. look_back_memory.py must then fail with a
# text that matches PATTERN.
broken() {
    notices_change "source_$1" "${@:2:3}" look_back_memory.py "${5%%_*}/${5%%_*}.comp" "$5" \
        -DWEIR_ELEMENT=WEIR_ELEMENT_U32 -DWEIR_COMPONENTS=1 "${@:6}"
}

# run_model PROGRAM ARGUMENTS...: runs a program of tests/models and prints its result lines. Its table goes only to `log`.
run_model() {
    "$python" "$root/tests/models/$1" "${@:2}" >log 2>&1 || grep -q '^FAIL' log || echo "FAIL $1: ended early, without a FAIL line" >>log
    grep -v '^|' log
}

memory_model

needs models "" spin gcc

optimization=-O1

# explore MODEL KIND [-D...]: searches all states of a model and writes the output to `log`. KIND is `safety`, which checks
# assertions, or `cycles`, which looks for non-progress cycles and does not check assertions.
explore() {
    local model="$root/tests/models/$1.pml" kind=-DSAFETY options=()
    [[ $2 == cycles ]] && kind=-DNP && options=(-l -A) # no state is marked as progress, so every cycle is a non-progress cycle
    rm -f pan* ./*.trail
    spin -a "${@:3}" "$model" >log 2>&1 &&
        gcc "$optimization" -w $kind -DCOLLAPSE -DMEMLIM=1800 -o pan pan.c >>log 2>&1 &&
        ./pan -m100000 "${options[@]}" >>log 2>&1
}

# holds NAME MODEL KIND [-D...]: checks that the search completes without an error. A safety search must also reach every line
# of every process.
holds() {
    local start=$SECONDS why
    if explore "${@:2}" && grep -q 'errors: 0$' log &&
        ! grep -qE 'not completed|too small|out of memory|VIOLATION|Warning|pan:1:' log &&
        [[ $3 == cycles || $(grep -A 1 'unreached in proctype' log | grep -c '(0 of ') == \
            $(grep -c 'unreached in proctype' log) ]]; then
        echo "ok $1 ($(awk '/states, stored/ { print $1 }' log) states, $((SECONDS - start)) s)"
        return
    fi
    why="output of the search, then the last steps of the execution with the error"$'\n'$(grep -v '^Depth=' log | head -n 60)
    [[ -f $2.pml.trail ]] && why+=$(spin -k "$2.pml.trail" -p -g "${@:4}" "$root/tests/models/$2.pml" | tail -n 120)
    result "$1" 1 "$why"
}

# notices NAME PATTERN MODEL KIND [-D...]: checks that a search of a broken variant finds an error that matches PATTERN. The
# search is compiled without optimization: it ends sooner than an optimizing compiler would.
notices() {
    optimization=-O0 explore "${@:3}"
    grep -E '^pan:1: ' log | grep -qE "$2"
    result "notices_$1" $? "no error matches: $2"$'\n'"$(grep -v '^Depth=' log | head -n 60)"
}

# Searches that take more than a few seconds run with --long only, because the models rarely change.
holds_in_long_runs() { [[ ! ${WEIR_TESTS_LONG:-} ]] || holds "$@"; }
holds look_back_3_tiles look_back safety -DMAX_SPINS=2
holds_in_long_runs look_back_3_tiles_cycles look_back cycles
holds_in_long_runs look_back_4_tiles look_back safety -DTILES=4 -DWINDOW=3 -DOLD_PREFIXES
holds_in_long_runs look_back_head_1_of_4 look_back safety -DTILES=4 -DWINDOW=3 -DOLD_PREFIXES -DHEAD=1
holds look_back_head_cycles look_back cycles -DHEAD=1
holds_in_long_runs look_back_head_2_of_4 look_back safety -DTILES=4 -DWINDOW=3 -DOLD_PREFIXES -DHEAD=2
notices head_in_other_order '!\(wrong\)' look_back safety -DHEAD=2 -DTILES=4 -DOLD_PREFIXES -DOTHER_ORDER
notices one_state '!\(wrong\)' look_back safety -DONE_STATE
notices any_epoch '!\(wrong\)' look_back safety -DANY_EPOCH
notices other_order '!\(wrong\)' look_back safety -DOTHER_ORDER
notices plain_insert_in_other_order '!\(wrong\)' look_back safety -DOTHER_ORDER -DPLAIN_INSERT
notices plain_insert '!\(stepped_back\)' look_back safety -DPLAIN_INSERT
notices no_fallback '!\(no_nearer\)' look_back safety -DNO_FALLBACK
notices no_fallback_cycle 'non-progress cycle' look_back cycles -DNO_FALLBACK
notices read_again '!\(no_nearer\)' look_back safety -DREAD_AGAIN
notices read_again_cycle 'non-progress cycle' look_back cycles -DREAD_AGAIN

# Scans in place: each workgroup overwrites its tile.
holds look_back_in_place look_back safety -DIN_PLACE -DOLD_PREFIXES
notices look_back_no_settling '!\(wrong\)' look_back safety -DIN_PLACE -DOLD_PREFIXES -DNO_SETTLING
notices look_back_early_write '!\(wrong\)' look_back safety -DIN_PLACE -DOLD_PREFIXES -DEARLY_WRITE
notices look_back_no_barrier '!\(wrong\)' look_back safety -DIN_PLACE -DOLD_PREFIXES -DNO_BARRIER
notices look_back_take_computed '!\(wrong\)' look_back safety -DIN_PLACE -DOLD_PREFIXES -DTAKE_COMPUTED

# Walks along the spine, in blocks of two tiles. Only tiles from FIRST_WALKER on walk, 1 by default. The model lets earlier tiles
# post at any time.
holds_in_long_runs spine_4_tiles spine safety
holds_in_long_runs spine_6_tiles spine safety -DTILES=6 -DFIRST_WALKER=5
holds spine_in_place spine safety -DTILES=3 -DFIRST_WALKER=0 -DIN_PLACE
holds_in_long_runs spine_head spine safety -DHEAD=2
holds spine_head_cycles spine cycles -DTILES=4 -DFIRST_WALKER=3 -DHEAD=2
holds spine_3_tiles_cycles spine cycles -DTILES=3
holds_in_long_runs spine_5_tiles_cycles spine cycles -DTILES=5 -DFIRST_WALKER=4
notices spine_one_state '!\(wrong\)' spine safety -DONE_STATE
notices spine_any_epoch '!\(wrong\)' spine safety -DANY_EPOCH
notices spine_other_order '!\(wrong\)' spine safety -DOTHER_ORDER
notices spine_no_fallback '!\(no_nearer\)' spine safety -DNO_FALLBACK
notices spine_no_fallback_cycle 'non-progress cycle' spine cycles -DNO_FALLBACK -DTILES=3
notices incoherent '!\(no_nearer\)' spine safety -DINCOHERENT
notices incoherent_cycle 'non-progress cycle' spine cycles -DINCOHERENT -DTILES=3
notices take_unready '!\(wrong\)' spine safety -DTAKE_UNREADY
notices skip_block '!\(out_of_order\)' spine safety -DSKIP_BLOCK -DTILES=5 -DFIRST_WALKER=4
notices take_twice '!\(out_of_order\)' spine safety -DTAKE_TWICE -DTILES=5 -DFIRST_WALKER=4
notices no_settling '!\(wrong\)' spine safety -DNO_SETTLING -DIN_PLACE -DTILES=3 -DFIRST_WALKER=0
notices spine_plain_insert '!\(changed\)' spine safety -DPLAIN_INSERT -DIN_PLACE -DTILES=3 -DFIRST_WALKER=0

holds flag flag safety
notices relaxed_store '!\(torn\)' flag safety -DRELAXED_STORE
notices relaxed_load '!\(torn\)' flag safety -DRELAXED_LOAD
notices one_place '!\(torn\)' flag safety -DONE_PLACE
notices flag_other_order '!\(torn\)' flag safety -DOTHER_ORDER
notices flag_plain_insert '!\(stepped_back\)' flag safety -DPLAIN_INSERT

holds epoch epoch safety
holds_in_long_runs epoch_silent_last_tile epoch safety -DSILENT_LAST_TILE -DTILES=2
holds epoch_blocks epoch safety -DBLOCK=2 -DENTRY_WORDS=1
notices no_clearing '!\(came_alive\)' epoch safety -DNO_CLEARING
notices slow_clearing '!\(came_alive\)' epoch safety -DSLOW_CLEARING
notices keep_last_tile '!\(came_alive\)' epoch safety -DSILENT_LAST_TILE -DTILES=2 -DKEEP_LAST_TILE
notices many_groups '!\(wrong_ticket\)' epoch safety -DMANY_GROUPS
notices keep_partial_block '!\(came_alive\)' epoch safety -DBLOCK=2 -DENTRY_WORDS=1 -DKEEP_PARTIAL_BLOCK
notices keep_silent_block '!\(came_alive\)' epoch safety -DBLOCK=2 -DENTRY_WORDS=1 -DKEEP_SILENT_BLOCK
