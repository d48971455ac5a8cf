#!/usr/bin/env bash
# Compiles a program that includes all of Weir after macros of other libraries, with many warnings, as C++20 and later, with and
# without exceptions and RTTI. As C++17, there must be exactly one error.

# shellcheck source=../support/script.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/script.sh"
work_in_results_folder headers
includes=()
for folder in engine/include graph/include primitives/include build/generated/include; do
    includes+=("-I$root/$folder")
done

compiles() { # NAME COMPILER FLAGS...
    check "$1" "${@:2}" -Wall -Wextra -Wshadow -Werror -DWEIR_STATIC_DEFINE "${includes[@]}" -c -o "$1.o" "$root/tests/external/macros.cpp"
}

is_one_error() { # COMPILER
    printf '#include <weir/weir.hpp>\n' | "$1" -std=c++17 -x c++ "${includes[@]}" -fsyntax-only - && return 1
    [[ $(grep -c 'error:' "$out/$1-17.log") == 1 ]]
}

# Without exceptions, weir::check prints the message and ends the program.
ends_with_the_message() {
    local said
    printf '%s\n' '#include <weir/engine/error.hpp>' \
        'int main() { weir::check(weir::Result<>(tl::unexpected(weir::Error{weir::ErrorCode::io, "no such file"}))); }' |
        g++ -std=c++20 -fno-exceptions -x c++ "${includes[@]}" -DWEIR_STATIC_DEFINE - -o without_exceptions \
            -x none "$root/build/libweir.a" -ldl -pthread || return
    said=$(bash -c ./without_exceptions 2>&1) && return 1
    echo "$said"
    [[ $said == *"no such file"* ]]
}

check without_exceptions ends_with_the_message

for compiler in g++ clang++; do
    if ! command -v "$compiler" >/dev/null; then
        skip_without_package "$compiler" "$compiler is not installed" --packages
        continue
    fi
    compiles "$compiler-20" "$compiler" -std=c++20 &
    compiles "$compiler-23-without" "$compiler" -std=c++2b -fno-exceptions -fno-rtti
    wait
    check "$compiler-17" is_one_error "$compiler"
done
