#!/usr/bin/env bash
# Tests the sample splats: pictures, reports, and invalid input.

name=splats
# shellcheck source=../support/program_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/program_test.sh"

small=(--count 300 --size 64x48 --repeat 1)
"$program" "${small[@]}" --output a.png --json >a.json 2>a.err && "$program" "${small[@]}" --output b.png >b.out 2>b.err && cmp -s a.png b.png
result same_picture_each_time $? "$(cat a.err b.err)"
python3 - <<'END'
import json, sys
report = json.load(open("a.json"))
sys.exit(not (report["splats"] == 300 and report["visible"] > 200 and report["pairs"] > report["visible"] and
              set(report["stages_ms"]) == {"project", "depth order", "pairs", "tile order", "blend", "copy"}))
END
result json $? "$(cat a.json)"
grep -q 'picture *64 x 48 pixels' b.out && grep -q 'cloud *300 splats of degree 1, 68 bytes each' b.out
result report $? "$(cat b.out)"
"$program" "${small[@]}" --seed 2 --output c.png &>c.out && ! cmp -s a.png c.png
result seed $? "$(cat c.out)"
# The last of four pictures, from a quarter before the beginning, must differ. Each picture that lacks pairs must be reported.
"$program" "${small[@]}" --frames 4 --pairs 10 --output d.png >d.out 2>d.err && ! cmp -s a.png d.png &&
    grep -qE 'frame 0: capacity for 10 of [0-9]+ pairs' d.err && grep -q 'frames *4, .* exceeded the pair capacity' d.out
result frames $? "$(cat d.out d.err)"
"$program" "${small[@]}" --pairs 10 --output e.png >e.out 2>e.err && cmp -s a.png e.png && [[ $(wc -l <e.err) == 1 ]]
result last_picture_is_whole $? "$(cat e.out e.err)"
"$program" "${small[@]}" --graph g.dot --plan g.json --trace t.json &>f.out && grep -q digraph g.dot && grep -q blend t.json && grep -q blend g.json
result plan_files $? "$(cat f.out)"
for size in 1x1 17x15; do
    "$program" --count 1 --size "$size" --repeat 1 --output tiny.png &>tiny.out
    result "size_$size" $? "$(cat tiny.out)"
done

printf 'precious' >kept
refuses no_such_file 1 'missing.ply' --input missing.ply --output kept
refuses not_a_cloud 1 "kept.*header" --input kept
head -c 33 /dev/zero >odd.splat
refuses odd_splat 1 'odd.splat.*32 bytes' --input odd.splat --output kept
refuses bad_size 2 'WIDTHxHEIGHT' --size 0x7
refuses too_large 2 'WIDTHxHEIGHT' --size 16385x7
refuses no_splats 2 '1 to 2.26' --count 0
refuses bad_degree 2 '0 to 3' --degree 4
refuses bad_eye 2 'X,Y,Z' --eye 1,2
refuses file_and_count 2 'input excludes --count' --input kept --count 5
refuses same_files 2 'kept' --input kept --output kept
refuses window_and_file 2 'window excludes' --window --output kept
refuses two_outputs 2 'the same file' --output x.png --graph x.png
left_alone
full_disk "${small[@]}" --json
unset DISPLAY WAYLAND_DISPLAY
refuses no_display 1 'cannot open a window: ' --window
