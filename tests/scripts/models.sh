#!/usr/bin/env bash
# The models in tests/models, explored exhaustively with Spin; and broken variants of them, which must be noticed.
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1

for tool in spin gcc; do
    command -v "$tool" >/dev/null || { echo "skip models: no $tool"; exit 0; }
done

safety=(-DSAFETY)
cycles=(-DNP) # every cycle is one without progress, as no state is marked as progress

optimization=-O1

# explore MODEL KIND [-D...]: the output of the search in `log`. Searches for cycles leave the assertions to the others.
explore() {
    local model="$root/tests/models/$1.pml" kind=("${safety[@]}") options=()
    [[ $2 == cycles ]] && kind=("${cycles[@]}") && options=(-l -A)
    rm -f pan* ./*.trail
    spin -a "${@:3}" "$model" >log 2>&1 &&
        gcc "$optimization" -w "${kind[@]}" -DCOLLAPSE -DMEMLIM=1800 -o pan pan.c >>log 2>&1 &&
        ./pan -m100000 "${options[@]}" >>log 2>&1
}

# holds NAME MODEL KIND [-D...]: nothing is found in all states, and every line of the processes was reached.
holds() {
    local name=$1 start=$SECONDS
    if explore "${@:2}" && grep -q 'errors: 0$' log &&
        ! grep -qE 'not completed|too small|out of memory|VIOLATION|Warning|pan:1:' log &&
        [[ $3 == cycles || $(grep -A 1 'unreached in proctype' log | grep -c '(0 of ') == \
            $(grep -c 'unreached in proctype' log) ]]; then
        echo "ok $name ($(awk '/states, stored/ { print $1 }' log) states, $((SECONDS - start)) s)"
        return
    fi
    echo "FAIL $name: see the search and the end of the execution that it found"
    grep -v '^Depth=' log | head -n 60
    [[ -f $2.pml.trail ]] &&
        spin -k "$2.pml.trail" -p -g "${@:4}" "$root/tests/models/$2.pml" | tail -n 120
}

# notices NAME PATTERN MODEL KIND [-D...]: a search of the broken variant ends with an error that matches. That is found
# in less time than it takes to optimize the search.
notices() {
    optimization=-O0 explore "${@:3}"
    if grep -E '^pan:1: ' log | grep -qE "$2"; then
        echo "ok notices_$1"
    else
        echo "FAIL notices_$1: not found: $2"
        grep -v '^Depth=' log | head -n 60
    fi
}

holds look_back_3_tiles look_back safety -DMAX_SPINS=2
holds look_back_3_tiles_cycles look_back cycles
# What takes longest is for --long.
[[ ${WEIR_TESTS_LONG:-} ]] && holds look_back_4_tiles look_back safety -DTILES=4 -DWINDOW=3 -DOLD_PREFIXES
holds look_back_head_1_of_4 look_back safety -DTILES=4 -DWINDOW=3 -DOLD_PREFIXES -DHEAD=1
holds look_back_head_cycles look_back cycles -DHEAD=1
holds look_back_head_2_of_4 look_back safety -DTILES=4 -DWINDOW=3 -DOLD_PREFIXES -DHEAD=2
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

# Tiles that are overwritten.
holds look_back_in_place look_back safety -DIN_PLACE -DOLD_PREFIXES
notices look_back_no_settling '!\(wrong\)' look_back safety -DIN_PLACE -DOLD_PREFIXES -DNO_SETTLING
notices look_back_early_write '!\(wrong\)' look_back safety -DIN_PLACE -DOLD_PREFIXES -DEARLY_WRITE
notices look_back_no_barrier '!\(wrong\)' look_back safety -DIN_PLACE -DOLD_PREFIXES -DNO_BARRIER
notices look_back_take_computed '!\(wrong\)' look_back safety -DIN_PLACE -DOLD_PREFIXES -DTAKE_COMPUTED

# All workgroups of two blocks; one of the third block among whatever others may do; tiles that are overwritten.
[[ ${WEIR_TESTS_LONG:-} ]] && holds spine_4_tiles spine safety
holds spine_6_tiles spine safety -DTILES=6 -DFIRST_WALKER=5
holds spine_in_place spine safety -DTILES=3 -DFIRST_WALKER=0 -DIN_PLACE
holds spine_head spine safety -DHEAD=2
holds spine_head_cycles spine cycles -DTILES=4 -DFIRST_WALKER=3 -DHEAD=2
holds spine_3_tiles_cycles spine cycles -DTILES=3
holds spine_5_tiles_cycles spine cycles -DTILES=5 -DFIRST_WALKER=4
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
holds epoch_silent_last_tile epoch safety -DSILENT_LAST_TILE -DTILES=2
holds epoch_blocks epoch safety -DBLOCK=2 -DENTRY_WORDS=1
notices no_clearing '!\(came_alive\)' epoch safety -DNO_CLEARING
notices slow_clearing '!\(came_alive\)' epoch safety -DSLOW_CLEARING
notices keep_last_tile '!\(came_alive\)' epoch safety -DSILENT_LAST_TILE -DTILES=2 -DKEEP_LAST_TILE
notices many_groups '!\(wrong_ticket\)' epoch safety -DMANY_GROUPS
notices keep_partial_block '!\(came_alive\)' epoch safety -DBLOCK=2 -DENTRY_WORDS=1 -DKEEP_PARTIAL_BLOCK
notices keep_silent_block '!\(came_alive\)' epoch safety -DBLOCK=2 -DENTRY_WORDS=1 -DKEEP_SILENT_BLOCK
