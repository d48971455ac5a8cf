#!/usr/bin/env bash
# The examples of the README are what tests/scripts/install.sh builds and runs, word for word: a program, and part of one.
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
external="$root/tests/external"

# The first C++ block of a file.
first_block() { awk '/^```cpp$/ && !found { inside = found = 1; next } /^```$/ { inside = 0 } inside' "$1"; }

# The first one after a heading.
block_below() { first_block <(sed "1,/^### $2\$/d" "$1"); }
# What stands between two lines of a program that say so.
excerpt() { sed -n '/^    \/\/ From here$/,/^    \/\/ To here$/p' "$1" | sed '1d;$d;s/^    //'; }

# same NAME TEXT OTHER
same() {
    local difference
    if [[ $2 ]] && difference=$(diff <(printf '%s\n' "$2") <(printf '%s\n' "$3")); then
        echo "ok $1"
    else
        echo "FAIL $1: README.md differs from tests/external/$1.cpp"
        echo "${difference-}"
    fi
}

same readme_example "$(first_block "$root/README.md")" "$(cat "$external/readme_example.cpp")"
same switches_example "$(block_below "$root/README.md" "Switches, history, graphs within graphs")" \
    "$(excerpt "$external/switches_example.cpp")"
same queues_example "$(block_below "$root/README.md" "Several queues")" "$(excerpt "$external/queues_example.cpp")"
