#!/usr/bin/env bash
# What ./run pictures does once the samples are built: draws the plans in this folder.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../cmake/packages.sh
source "$root/cmake/packages.sh"

has_apt && install_packages graphviz
draw() { # NAME SAMPLE ARGUMENTS...
    "$build/bin/$2" "${@:3}" --graph "$build/$1.dot" >/dev/null
    dot -Tsvg "$build/$1.dot" -o "$root/docs/$1.svg"
    say "docs/$1.svg"
}
draw radix_sort radix_sort --n 2^20
draw word_count word_count "$root/README.md"
