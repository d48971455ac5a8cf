#!/usr/bin/env bash
# Compiles a program that includes all of Weir after macros of other libraries, with many warnings, as C++20 and later, with and
# without exceptions and RTTI. As C++17, there must be exactly one error.
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
out="$root/build/test-results/headers"
mkdir -p "$out"
includes=()
for folder in engine/include graph/include primitives/include build/generated/include; do
    includes+=("-I$root/$folder")
done

# shellcheck source=../support/skip.sh
source "$root/tests/support/skip.sh"

# compiles NAME COMPILER FLAGS...
compiles() {
    local name=$1
    shift
    if "$@" -Wall -Wextra -Wshadow -Werror -DWEIR_STATIC_DEFINE "${includes[@]}" -c -o "$out/$name.o" \
        "$root/tests/external/macros.cpp" >"$out/$name.log" 2>&1; then
        echo "ok $name"
    else
        echo "FAIL $name: $*"
        head -n 20 "$out/$name.log"
    fi
}

is_one_error() { # COMPILER
    printf '#include <weir/weir.hpp>\n' |
        "$1" -std=c++17 -x c++ "${includes[@]}" -fsyntax-only - >"$out/$1-17.log" 2>&1 && return 1
    [[ $(grep -c 'error:' "$out/$1-17.log") == 1 ]]
}

# Without exceptions, weir::check prints the message and ends the program.
ends_with_the_message() {
    local program="$out/without_exceptions" said
    printf '%s\n' '#include <weir/engine/error.hpp>' \
        'int main() { weir::check(weir::Result<>(tl::unexpected(weir::Error{weir::ErrorCode::io, "no such file"}))); }' |
        g++ -std=c++20 -fno-exceptions -x c++ "${includes[@]}" -DWEIR_STATIC_DEFINE - -o "$program" \
            -x none "$root/build/libweir.a" -ldl -pthread >"$program.log" 2>&1 || return
    said=$(bash -c '"$1"' bash "$program" 2>&1) && return 1
    [[ $said == *"no such file"* ]]
}

if ends_with_the_message; then
    echo "ok without_exceptions"
else
    echo "FAIL without_exceptions: a program does not end with the message of its error"
fi

for compiler in g++ clang++; do
    if ! command -v "$compiler" >/dev/null; then
        skip_without_package "$compiler" "$compiler is not installed" --packages
        continue
    fi
    compiles "$compiler-20" "$compiler" -std=c++20 &
    compiles "$compiler-23-without" "$compiler" -std=c++2b -fno-exceptions -fno-rtti
    wait
    if is_one_error "$compiler"; then
        echo "ok $compiler-17"
    else
        echo "FAIL $compiler-17: a compilation as C++17 is not one error"
        head -n 20 "$out/$compiler-17.log"
    fi
done
