#!/usr/bin/env bash
# Tests the samples while a Vulkan call fails: each must end with a one-line error message, or work without the call. It must destroy all
# objects. Its output file must be unchanged, or have the usual results if these are equal in every run. Runs with --long only. For each
# function of tests/support/failing_calls.cpp that a sample calls, the first call and a call selected by the seed fail. The device is
# lost in calls selected by the seed.

results=failures name=radix_sort
# shellcheck source=../support/program_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/program_test.sh"
# shellcheck source=../support/display.sh
source "$root/tests/support/display.sh"
[[ ${WEIR_TESTS_LONG:-} ]] || exit 0
with_program_layer failures
RANDOM=${WEIR_TESTS_SEED:-1}
unset DISPLAY WAYLAND_DISPLAY
seconds=120 # time limit of a run, in case it hangs

# Names of VkResult.
out_of_host_memory=-1 out_of_device_memory=-2

# run NAME: runs the sample with an existing output file. Writes its output to NAME.out and NAME.err, and its calls to NAME.calls.
run() {
    echo precious >kept
    rm -f "$1.calls"
    WEIR_CALLS_FILE=$PWD/$1.calls timeout -k 5 "$seconds" "$root/build/bin/$sample" "${arguments[@]}" >"$1.out" 2>"$1.err"
}
# fails CALL: runs the sample while CALL fails.
fails() {
    local status error
    WEIR_FAILING_CALL=$1 run failed
    status=$?
    ((++runs))
    # The number of calls differs between runs that wait. If the file is missing, no instance was created.
    if [[ -f failed.calls ]] && ! grep -q '^failed 1' failed.calls; then
        ((++unreached))
        ((status == 0)) || error="ended with $status without a call that failed"
    fi
    silent failed.out failed.err || error="messages of the layer"
    if ((status == 1)); then
        ((++ended))
        grep -qE "^$sample: ." failed.err && (($(grep -cvE "^$sample: the device is a CPU|^$sample: frame|^\[" failed.err) == 1)) ||
            error="not one line of why"
        [[ $(cat kept) == precious && -z $(find . -name '*.tmp*' -o -name '.weir*') ]] || error="changed files"
    elif ((status != 0)); then
        error="ended with $status"
    elif [[ $compared ]] && ! cmp -s kept good; then
        error="other results"
    fi
    [[ -z ${error:-} ]] || result "${label}_$1" 1 "$error: $(head -c 1500 failed.out failed.err)"
}
# meets LABEL SAMPLE COMPARED ARGUMENTS...: COMPARED is empty if results differ between runs
meets() {
    label=$1 sample=$2 compared=$3 arguments=("${@:4}") runs=0 ended=0 unreached=0
    mkdir "$label" && cd "$label" || return
    run always
    [[ $? == 0 && -s always.calls ]] && cp kept good
    result "${label}_works" $? "$(head -c 1500 always.out always.err)"
    local function count status makers=(vkCreateInstance:0 vkCreateDevice:0)
    # A window has its own instance and device, in addition to those by which Weir chooses a device.
    [[ $label == *_window ]] && makers+=(vkCreateInstance:1 vkCreateDevice:1)
    for function in "${makers[@]}"; do
        fails "$function:$out_of_host_memory"
    done
    while read -r function count <&3; do
        [[ $function != failed ]] || continue
        for later in 0 $(((RANDOM * 32768 + RANDOM) % count)); do
            if [[ $function == lose ]]; then
                fails "lose:$later"
                continue
            fi
            status=$out_of_device_memory
            [[ $function == vk@(Begin|End|Reset|Wait|DeviceWait|QueueWait|Map)* ]] && status=$out_of_host_memory
            fails "$function:$later:$status"
        done
    done 3<always.calls
    count=$(sed -n 's/^lose //p' always.calls)
    for _ in 1 2 3 4 5 6; do
        fails "lose:$(((RANDOM * 32768 + RANDOM) % count))"
    done
    ((ended > runs / 2 && unreached < runs / 4))
    result "${label}_ends_with_errors" $? "$ended of $runs, $unreached without the call"
    echo "$label: $runs runs with a call to fail; it came in $((runs - unreached)), of which $ended ended with an error" >&2
    cd ..
}

seq 5000 | awk '{ print ($1 * 7919) % 5003 }' >numbers
printf 'value\n%s\n' "$(cat numbers)" >numbers.csv
cp "$root/tests/support/drawing.svg" .

meets radix_sort radix_sort yes --text --type u32 --input ../numbers --output kept
meets recurrence recurrence yes --input ../numbers.csv --column value --output kept
meets word_count word_count '' "$root/README.md"
meets scan_study scan_study '' --sizes 8:10:2 --repeat 1 --csv kept
meets splats splats yes --count 500 --size 64x48 --frames 6 --repeat 1 --output kept
meets culling culling yes --instances 300 --size 64x48 --frames 6 --no-comparison --output kept
meets svg svg yes ../drawing.svg --repeat 1 --output kept

open_display failures_in_windows
"$root/build/bin/splats" --count 500 --size 64x48 --frames 1 --window &>glfw.log
was_built_without_glfw glfw.log && { skip_without_package failures_in_windows "GLFW 3 was missing" ""; exit 0; }
meets splats_window splats '' --count 500 --size 64x48 --frames 6 --window
meets culling_window culling '' --instances 300 --size 320x240 --frames 6 --window
meets svg_window svg '' ../drawing.svg --size 64x48 --frames 6 --window
