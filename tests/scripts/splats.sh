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
# The last of four pictures, from a quarter before the beginning, must differ. A small first capacity is no reason for a message.
"$program" "${small[@]}" --frames 4 --pairs 10 --output d.png >d.out 2>d.err && ! cmp -s a.png d.png && [[ ! -s d.err ]] &&
    grep -q 'frames *4, .* 0 exceeded the pair capacity' d.out
result frames $? "$(cat d.out d.err)"
"$program" "${small[@]}" --max-pairs 10 --frames 2 --output e.png >e.out 2>e.err && ! cmp -s a.png e.png && [[ $(wc -l <e.err) == 2 ]] &&
    grep -qE 'frame 0: capacity for 10 of [0-9]+ pairs' e.err && grep -q 'frames *2, .* 2 exceeded the pair capacity' e.out
result short_pictures_are_reported $? "$(cat e.out e.err)"
"$program" "${small[@]}" --graph g.dot --plan g.json --trace t.json &>f.out && grep -q digraph g.dot && grep -q blend t.json && grep -q blend g.json
result plan_files $? "$(cat f.out)"
for size in 1x1 17x15; do
    "$program" --count 1 --size "$size" --repeat 1 --output tiny.png &>tiny.out
    result "size_$size" $? "$(cat tiny.out)"
done

# A cloud of 27 splats in a row along x, above the one at the origin, with y down.
python3 - <<'END'
import json, math, struct
names = ["x", "y", "z", "f_dc_0", "f_dc_1", "f_dc_2", "opacity", "scale_0", "scale_1", "scale_2", "rot_0", "rot_1", "rot_2", "rot_3"]
def write(file, scale):
    points = [(0, 0, 0)] + [(x / 13 - 1, -0.8, 0) for x in range(27)]
    header = "ply\nformat binary_little_endian 1.0\nelement vertex 28\n" + "".join(f"property float {n}\n" for n in names)
    with open(file, "wb") as out:
        out.write((header + "end_header\n").encode())
        for point in points:
            size = math.log(0.03 * scale)
            out.write(struct.pack("<14f", *(scale * p for p in point), 1, 1, 1, 4, size, size, size, 1, 0, 0, 0))
write("row.ply", 1), write("large.ply", 1000), write("small.ply", 0.001)
focal = 48 / 2 / math.tan(math.pi / 6)
camera = {"id": 0, "img_name": "0", "width": 64, "height": 48, "position": [0, 0, -3], "rotation": [[1, 0, 0], [0, 1, 0], [0, 0, 1]], "fx": focal, "fy": focal}
turned = {**camera, "rotation": [[-1, 0, 0], [0, -1, 0], [0, 0, 1]]}
json.dump([{**camera, "position": [0, 0, -30]}, camera, turned], open("cameras.json", "w"))
json.dump([{"id": 0}], open("no_cameras.json", "w"))
END
looking=(--input row.ply --size 64x48 --repeat 1 --eye 0,0,-3 --target 0,0,0)
"$program" "${looking[@]}" --output down.png &>y.out && "$program" "${looking[@]}" --up y --output up.png &>>y.out && ! cmp -s up.png down.png
result up_axis $? "$(cat y.out)"
training=(--input row.ply --camera cameras.json --repeat 1)
"$program" "${training[@]}" --at 1 --output at1.png &>t.out && "$program" "${training[@]}" --frames 3 --output t%d.png &>>t.out &&
    cmp -s down.png at1.png && cmp -s down.png t1.png && cmp -s up.png t2.png && ! cmp -s t0.png t1.png
result cameras_of_training $? "$(cat t.out)"
cat >path.json <<'END'
{"keys": [{"eye": [0, 0, -3], "target": [0, 0, 0]}, {"time": 2, "eye": [3, 0, 0], "target": [0, 0, 0], "up": [0, 1, 0]},
          {"time": 3, "eye": [0, 0, -3], "target": [0, 0, 0], "up": [0, 1, 0]}]}
END
path=(--input row.ply --size 64x48 --repeat 1 --camera path.json)
"$program" "${path[@]}" --frames 7 --output p%02d.png &>p.out && cmp -s down.png p00.png && cmp -s up.png p06.png &&
    "$program" "${path[@]}" --at 2 --output at2.png &>>p.out && cmp -s p04.png at2.png && [[ $(echo p??.png | wc -w) == 7 ]] &&
    "$program" "${path[@]}" --at 0.5 --output at0.5.png &>>p.out && cmp -s p01.png at0.5.png &&
    [[ $(md5sum p??.png | cut -c 1-32 | sort -u | wc -l) == 7 ]]
result camera_path $? "$(cat p.out)"
"$program" --input row.ply large.ply --input small.ply "${looking[@]:2}" --far 10 --json >three.json 2>three.err && grep -q '"clouds": 3' three.json &&
    grep -q '"splats": 84' three.json && grep -q '"visible": 57' three.json
result several_clouds $? "$(cat three.json three.err)"
"$program" "${looking[@]}" --background 1,0.5,0 --output back.png &>back.out && python3 - <<'END'
import sys, zlib
png = open("back.png", "rb").read()
first_pixel = zlib.decompressobj().decompress(png[png.index(b"IDAT") + 4:])[1:5] # filters leave the first pixel as it is
sys.exit(first_pixel not in (bytes([255, 127, 0, 255]), bytes([255, 128, 0, 255])))
END
result background $? "$(cat back.out)"
for file in large small; do
    "$program" --input $file.ply --size 64x48 --repeat 1 &>scale.out && grep -q 'visible *28 splats' scale.out
    result "${file}_cloud_is_visible" $? "$(cat scale.out)"
done
"$program" "${looking[@]}" --far 1 >none.out 2>none.err && grep -q 'frame 0: no splat is visible between the depths .* and 1$' none.err
result nothing_visible_is_reported $? "$(cat none.out none.err)"
"$program" "${small[@]}" --degree 3 --output s3.png &>s.out && "$program" "${small[@]}" --antialias --output s4.png &>>s.out &&
    ! cmp -s a.png s3.png && ! cmp -s a.png s4.png
result degree_and_antialias $? "$(cat s.out)"
"$program" "${small[@]}" --degree 3 --compact-harmonics --output s8.png >s8.out 2>&1 && grep -q 'degree 3, 96 bytes each' s8.out && ! cmp -s s8.png s3.png
result compact_harmonics $? "$(cat s8.out)"

# Conversions: the picture of the cloud stays the same, or nearly for the formats that round numbers.
"$program" --input row.ply --output same.ply &>convert.out && "$program" --input same.ply "${looking[@]:2}" --output same.png &>>convert.out &&
    cmp -s down.png same.png && grep -q 'cloud *28 splats of degree 0' convert.out
result convert_to_ply $? "$(cat convert.out)"
if "$program" --input row.ply --output row.SPZ &>spz.out || ! grep -q 'missing when Weir was built' spz.out; then
    "$program" --input row.SPZ --morton "${looking[@]:2}" --output spz.png &>>spz.out
    result convert_to_spz $? "$(cat spz.out)"
fi
python3 - <<'END'
rows = open("row.ply", "rb").read()
first = rows.index(b"end_header\n") + 11
open("nan.ply", "wb").write(rows[:first] + b"\xff\xff\xff\x7f" + rows[first + 4:])
open("escape.ply", "wb").write(rows.replace(b"vertex 28", b"vertex 2\x1b[31m8"))
END
"$program" --input nan.ply --size 64x48 --repeat 1 >nan.out 2>nan.err && grep -q '1 of 28 splats are left out' nan.err && grep -q 'cloud *27 splats' nan.out
result nan_is_reported $? "$(cat nan.out nan.err)"
"$program" --input escape.ply &>escape.out
[[ $? == 1 ]] && grep -qF '\x1b[31m8' escape.out && ! grep -q $'\e' escape.out
result no_escape_bytes_in_messages $? "$(cat -v escape.out)"

printf 'precious' >kept
refuses no_such_file 1 'missing.ply' --input missing.ply --output kept
refuses not_a_cloud 1 "kept.*no known format" --input kept
head -c 33 /dev/zero >odd.splat
refuses odd_splat 1 'odd.splat.*32 bytes' --input odd.splat --output kept
refuses bad_size 2 'WIDTHxHEIGHT' --size 0x7
refuses too_large 2 'WIDTHxHEIGHT' --size 16385x7
refuses no_splats 2 '1 to 2.26' --count 0
refuses bad_degree 2 '0 to 3' --degree 4
refuses bad_eye 2 'X,Y,Z' --eye 1,2
refuses eye_at_target 2 'same point' --eye 1,2,3 --target 1,2,3
refuses eye_at_center 1 'eye is the center' --count 5 --eye 0,0,0
refuses bad_up 2 'x, y or z' --up w
refuses near_behind_far 2 'near must be less' --near 3 --far 2
refuses bad_background 2 'background takes three numbers from 0 to 1' --background 1,2,0
refuses camera_and_eye 2 'camera excludes --eye and --target' --camera path.json --eye 1,2,3
refuses time_alone 2 'at needs --camera' --at 1
refuses time_and_frames 2 'at excludes --frames' --camera path.json --at 1 --frames 2
refuses no_camera 1 'no_cameras.json: cameras\[0\] has no .width' --input row.ply --camera no_cameras.json
refuses no_camera_file 1 'missing.json: ' --input row.ply --camera missing.json
refuses no_folder 1 'missing/p0.png' --count 5 --size 8x8 --output missing/p%d.png
refuses two_clouds_into_one 2 'takes one --input, not 2' --input row.ply large.ply --output both.ply
refuses other_output 2 'PNG, PLY or SPZ' --output x.jpg
refuses cloud_and_plan 2 'excludes --json' --count 5 --output x.ply --plan y.json
refuses morton_alone 2 'morton needs --input' --morton
refuses file_and_count 2 'input excludes --count' --input kept --count 5
refuses same_files 2 'kept' --input row.ply kept --output kept
refuses path_as_output 2 'path.json' --camera path.json --plan path.json
refuses window_and_file 2 'window excludes' --window --output kept
refuses two_outputs 2 'the same file' --output x.png --graph x.png
left_alone
full_disk "${small[@]}" --json
unset DISPLAY WAYLAND_DISPLAY
refuses no_display 1 'cannot open a window: ' --window
