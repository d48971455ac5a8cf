#!/usr/bin/env bash
# packaging/abi.sh OLD NEW [LIBRARY]: checks that programs compiled for the OLD libweir_c run with the NEW one.
#
# OLD and NEW are folders, passed to `cmake --install` as --prefix, or .so files. LIBRARY defaults to libweir_c. For another library,
# such as libweir, OLD and NEW must be folders. Builds nothing. With debug information (-g), the types of the public headers are
# compared too. Without it, only symbols are compared. The output says which.
#
# Exit status: 0: compatible, or the SONAME differs; 1: changes that need a new SONAME or a review; 2: no comparison.
set -uo pipefail

usage() { sed -n '2,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; }
fail() { echo "abi.sh: $*" >&2; exit 2; }

case ${1:-} in -h | --help) usage; exit ;; esac
(($# == 2 || $# == 3)) || { usage >&2; exit 2; }
command -v abidiff >/dev/null || fail "abidiff is not installed (Debian: abigail-tools)"
library=${3:-libweir_c}

find_library() { # FOLDER OR FILE
    local found
    if [[ -d $1 ]]; then
        found=$(find "$1" -name "$library.so*" -type f | sort)
        [[ $found && $found != *$'\n'* ]] || fail "$1 must contain exactly one $library.so.*, but contains: ${found:-none}"
        printf '%s\n' "$found"
    else
        [[ -f $1 ]] || fail "$1: no such file or folder"
        printf '%s\n' "$1"
    fi
}
soname_of() { objdump -p "$1" | awk '$1 == "SONAME" { print $2 }'; }
has_types() { objdump -h "$1" | grep -q '\.debug_info'; }

old=$(find_library "$1") || exit
new=$(find_library "$2") || exit
old_soname=$(soname_of "$old") new_soname=$(soname_of "$new")
[[ $old_soname && $new_soname ]] || fail "a library has no SONAME: $old has '$old_soname', $new has '$new_soname'"

# Types that the public headers do not contain are not compared.
options=(--no-added-syms)
headers=()
[[ -d $1/include ]] && headers+=(--headers-dir1 "$1/include")
[[ -d $2/include ]] && headers+=(--headers-dir2 "$2/include")
((${#headers[@]} == 0)) || options+=("${headers[@]}" --drop-private-types)

if has_types "$old" && has_types "$new"; then
    echo "compared: symbols and types$( ((${#headers[@]})) && echo " of the public headers")"
else
    echo "compared: symbols alone, because debug information is missing"
fi

report=$(abidiff "${options[@]}" "$old" "$new" 2>&1)
status=$?
added=$(abidiff "${headers[@]}" "$old" "$new" 2>&1 | grep -c '^ *\[A\]')
# Bits of abidiff's exit status: 1 and 2 are errors, 4 is a change, 8 is an incompatible change.
(((status & 3) == 0)) || fail "$report"

if [[ $old_soname != "$new_soname" ]]; then
    echo "SONAME: $old_soname, now $new_soname: programs must be compiled again"
elif ((status == 0)); then
    echo "compatible: $new_soname, $added symbols are new"
    exit 0
elif ((status & 8)); then
    echo "incompatible: $new_soname must change to another SONAME"
else
    echo "changed: $new_soname may stay if each change is a member appended to a struct with a size member, or a new value of an enum"
fi
printf '%s\n' "$report"
[[ $old_soname != "$new_soname" ]]
