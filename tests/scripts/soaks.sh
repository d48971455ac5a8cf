#!/usr/bin/env bash
# Drives the windows of the samples with random sizes, keys, drags and turns of the wheel, with three frames in flight. The first part runs
# with the validation layer and fails on any message. The second part fails if memory grows. It runs without the layer, which keeps data
# about destroyed query pools. Runs with --long only. Each part takes WEIR_SOAK_SECONDS, 120 by default. All samples run at the same time.

results=soaks name=culling
# shellcheck source=../support/program_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/program_test.sh"
# shellcheck source=../support/display.sh
source "$root/tests/support/display.sh"
[[ ${WEIR_TESTS_LONG:-} ]] || exit 0
seconds=${WEIR_SOAK_SECONDS:-120}
with_program_layer soaks
needs_glfw soaks
trap 'kill $(jobs -p) 2>/dev/null; wait; exit 130' INT TERM

cp "$root/tests/support/drawing.svg" .

# Does one random action in the window $id. KEYS are the keys of the sample.
shake() { # KEYS...
    local keys=("$@")
    local x=$((RANDOM % 300)) y=$((RANDOM % 200)) to_x=$((RANDOM % 300)) to_y=$((RANDOM % 200))
    case $((RANDOM % 4)) in
    0) xdotool windowsize "$id" $((32 + 2 * to_x)) $((32 + 2 * to_y)) ;;
    1) xdotool mousemove "$x" "$y" key --delay 10 "${keys[RANDOM % ${#keys[@]}]}" ;;
    2) xdotool mousemove "$x" "$y" mousedown 1 mousemove "$to_x" "$to_y" mouseup 1 mousedown 3 mousemove "$x" "$y" mouseup 3 ;;
    3) xdotool mousemove "$x" "$y" click --repeat $((1 + RANDOM % 5)) --delay 10 $((4 + RANDOM % 2)) ;;
    esac
}

# least FIRST LAST: prints the minimum of these lines of the file memory
least() { sed -n "$1,$2p" memory | sort -n | head -n 1; }

# PART: with_layer or alone
soak() { # PART SAMPLE TITLE KEYS ARGUMENTS...
    local part=$1 sample=$2 title=$3 keys id end rows second third fourth
    RANDOM=${WEIR_TESTS_SEED:-1} # otherwise each subshell has other random numbers
    read -ra keys <<<"$4"
    mkdir "${sample}_$part" && cd "${sample}_$part" || return
    [[ $part == alone ]] && export VK_INSTANCE_LAYERS=VK_LAYER_WEIR_program
    open_display "${sample}_$part" xdotool
    export WEIR_MEMORY_FILE=$PWD/memory
    timeout -k 5 $((seconds + 300)) "$root/build/bin/$sample" "${@:5}" --window >window.out 2>window.err &
    window=$!
    id=$(timeout 60 xdotool search --sync --onlyvisible --name "^$title\$")
    [[ $id ]]
    result "${sample}_${part}_opens" $? "$(head -c 2000 window.err xvfb.log)"
    [[ $id ]] || return
    end=$((SECONDS + seconds))
    while ((SECONDS < end)) && kill -0 "$window" 2>/dev/null; do
        shake "${keys[@]}" 2>>shake.err
        sleep 0.0$((RANDOM % 10))
    done
    xdotool key Escape
    closed "${sample}_${part}_is_silent"
    # Compares the minimum of each quarter, because sizes differ between pictures. A leak raises it in each quarter after the second. A
    # larger buffer raises it once.
    rows=$(wc -l <memory)
    second=$(least $((rows / 4 + 1)) $((rows / 2))) third=$(least $((rows / 2 + 1)) $((3 * rows / 4)))
    fourth=$(least $((3 * rows / 4 + 1)) "$rows")
    echo "$sample, $part: $(grep '^frames' window.out); bytes in use in quarters: $second, $third, $fourth; $rows samples" >&2
    [[ $part == alone ]] || return
    ((rows >= 20))
    result "${sample}_shows_enough" $? "$rows samples of memory, one for 16 pictures"
    ((third < second + 262144 || fourth < third + 262144))
    result "${sample}_does_not_grow" $? "$second bytes, $third, $fourth, of $rows samples"
}

for part in with_layer alone; do
    (soak $part culling culling '1 2 3 i p 0 w s a d comma period' --instances 3000 --size 320x240) &
    (soak $part splats splats 'i p 0 plus minus f t h b 1 k c w a comma period' --count 3000 --size 320x240) &
    (soak $part svg ../drawing.svg 'i 0 plus minus q e' ../drawing.svg --size 320x240) &
    wait
done
