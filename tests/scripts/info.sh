#!/usr/bin/env bash
# Tests the output of weir_info.

name=weir_info
# shellcheck source=../support/program_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/program_test.sh"

succeeds info
mv info.out out
for line in weir device driver subgroups workgroups memory has lacks; do
    [[ $(grep -c "^$line  *[^ ]" out) == 1 ]]
    result "tells_$line" $? "$(cat out)"
done
# One line per heap, beginning with heap 0.
heap='^heap  *[0-9]*, of the \(device\|host\): [0-9]* MiB, budget [0-9]* MiB\( (estimated)\)*, [0-9]* KiB used, [0-9]* KiB by Weir$'
[[ $(grep -c "$heap" out) -ge 1 && $(grep -c "$heap" out) == $(grep -c '^heap ' out) ]] && grep -q '^heap  *0,' out
result tells_heaps $? "$(grep ^heap out)"
# Each feature must be in exactly one of the two lists.
[[ $(sed -n 's/^\(has\|lacks\) *//p' out | tr ' ' '\n' | sort | uniq -d) == "" &&
    $(sed -n 's/^\(has\|lacks\) *//p' out | wc -w) == 23 ]]
result lists_features_once $? "$(cat out)"
# A shape of the class cpu for every kernel of the table.
kernels=$(sed -n 's/^cpu,\([a-z_]*\),.*/\1/p' "$root/primitives/shapes.csv" | sort -u)
[[ $(sed -n 's/^shape  *\([a-z_]*\)  *2^12 [0-9]* x [0-9]*  2^20 .*(cpu)$/\1/p' out | sort) == "$kernels" ]]
result tells_shapes $? "$(grep ^shape out)"
for primitive in scan reduce select_if radix_sort unique; do
    check "tests_$primitive" grep -x "self-test   $primitive: right" out
done
succeeds list_devices --list-devices
check lists_devices grep . list_devices.out
refuses unknown_device 1 '^weir_info: .*no such' --device 'no such'
refuses unknown_option 2 '^weir_info: .*--nonsense' --nonsense
