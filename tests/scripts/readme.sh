#!/usr/bin/env bash
# The example of the README is the program that tests/scripts/install.sh builds and runs, word for word.
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
example="$root/tests/external/readme_example.cpp"

# The first C++ block of a file.
first_block() { awk '/^```cpp$/ && !found { inside = found = 1; next } /^```$/ { inside = 0 } inside' "$1"; }

if difference=$(diff <(first_block "$root/README.md") "$example"); then
    echo "ok readme_example"
else
    echo "FAIL readme_example: README.md differs from tests/external/readme_example.cpp"
    echo "$difference"
fi
