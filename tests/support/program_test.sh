# Functions for scripts that test a program. The script must set `name` before it sources this file: the program is build/bin/$name. The
# script works in an empty folder build/test-results/$name, or build/test-results/$results if that is set. Scripts run at the same time,
# so each needs its own folder.

# shellcheck source=script.sh
source "$(dirname "${BASH_SOURCE[0]}")/script.sh"
program="$root/build/bin/$name"
rm -rf "$root/build/test-results/${results:-$name}"
work_in_results_folder "${results:-$name}"

# succeeds NAME ARGUMENTS...: checks that the program succeeds. Writes its output to NAME.out and NAME.err.
succeeds() {
    "$program" "${@:2}" >"$1.out" 2>"$1.err"
    result "$1" $? "$(head -c 2000 "$1.err" "$1.out")"
}
# refuses NAME STATUS PATTERN ARGUMENTS...: checks for that exit status, no output, and one line on stderr that matches PATTERN.
refuses() {
    "$program" "${@:4}" >"$1.out" 2>"$1.err"
    [[ $? == "$2" && $(wc -l <"$1.err") == 1 && ! -s $1.out ]] && grep -qE -e "$3" "$1.err"
    result "$1" $? "$(cat "$1.err")"
}
# left_alone: checks that refused calls wrote nothing. The file `kept` must be unchanged, and no temporary file may be left.
left_alone() {
    [[ $(cat kept) == precious && -z $(find . -name '*.tmp*' -o -name '.weir*') ]]
    result leaves_files_alone $?
}
# killed NAME SIGNAL ARGUMENTS...: checks that the program leaves no file behind if the signal ends it while it writes one.
killed() {
    local before pid tries=0
    before=$(ls -A)
    set -m # without job control, a background process ignores SIGINT
    "$program" "${@:3}" &>/dev/null &
    pid=$!
    set +m
    until ls -l "/proc/$pid/fd" | grep -qE "$PWD/.*\(deleted\)|/\.weir" || ((++tries == 100)); do sleep 0.05; done
    kill -s "$2" "$pid"
    wait "$pid" 2>/dev/null
    [[ $(ls -A) == "$before" ]]
    result "$1" $? "$(ls -A)"
}
# full_disk ARGUMENTS...: checks for exit status 1 and one line on stderr if stdout is full.
full_disk() {
    "$program" "$@" >/dev/full 2>full.err
    [[ $? == 1 && $(wc -l <full.err) == 1 ]]
    result full_disk $?
}
# with_program_layer NAME: loads the layer of tests/support/program_layer.cpp into later programs, with the validation layer below it. Skips
# NAME and ends the script if one of the two is missing.
with_program_layer() {
    local library="$root/build/lib/libweir_program_layer.so" manifests=({/usr/local,/usr,}{/share,/etc}/vulkan/explicit_layer.d)
    [[ -f $library ]] || { skip_without_package "$1" "the program layer was not built"; exit 0; }
    [[ $(find "${manifests[@]}" -name VkLayer_khronos_validation.json 2>/dev/null) ]] ||
        { skip_without_package "$1" "the validation layer is missing" ""; exit 0; }
    mkdir layers
    cat >layers/program.json <<END_OF_MANIFEST
{"file_format_version": "1.2.0", "layer": {"name": "VK_LAYER_WEIR_program", "type": "GLOBAL", "library_path": "$library",
 "api_version": "1.3.0", "implementation_version": "1", "description": "For tests of programs"}}
END_OF_MANIFEST
    export VK_LAYER_PATH
    VK_LAYER_PATH=$PWD/layers$(printf ':%s' "${manifests[@]}")
    export "${validated[@]}" VK_INSTANCE_LAYERS=VK_LAYER_WEIR_program:VK_LAYER_KHRONOS_validation
}
