#!/usr/bin/env bash
# ./run format and ./run lint: checks only, changes nothing.
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=packages.sh
source "$root/cmake/packages.sh"
cd "$root" || exit 1
mkdir -p "$build"
time_limit=1200 # seconds for clang-tidy; what is left then is not checked, and said so

if has_apt; then
    install_packages clang-format clang-tidy || exit 1
fi

sources() { find . -path ./build -prune -o -type f -name "$1" -print0; }

status=0
if { sources '*.[ch]pp' && sources '*.c' && find ./c ./tests/c -name '*.h' -print0; } | xargs -0 -r clang-format --dry-run -Werror; then
    echo "clang-format: all sources are as they should be"
else
    status=1
fi

# What Windows or MSVC lack is used only by sources that say what is done there. Warnings of GCC (-Wpedantic) see to arrays of
# variable or no size, statement expressions and designated initializers out of order.
foreign='__attribute__|__builtin_[a-z]|\bssize_t\b|<(unistd|dlfcn|pthread|strings)\.h>|<sys/|\bp(open|close)\(|\b(un)?setenv\('
foreign+='|\baligned_alloc\(|\b(gm|local)time_r\(|\balloca\(|\bstrn?casecmp\(|__PRETTY_FUNCTION__|__int128|\bmallinfo|\bgetrlimit\('
used=$({ sources '*.[ch]pp' && sources '*.[ch]'; } | grep -zvE '^\./(examples/[^/]*/|tests/(external|wine)/)' |
    xargs -0 grep -lE "$foreign" | xargs -r grep -LE '_WIN32|_MSC_VER|__linux__')
if [[ $used ]]; then
    printf 'what Windows lacks is used without a condition:\n'
    # shellcheck disable=SC2086
    grep -nE "$foreign" $used /dev/null
    status=1
fi
[[ $1 == lint ]] || exit $status

# Clang reads no precompiled header of GCC's, and a unity build's commands name no source.
commands="$build/lint"
if ! { cmake -S . -B "$commands" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON &&
    ninja -C "$commands" generated/weir/shapes.inc; } >"$build/lint.log" 2>&1; then
    cat "$build/lint.log"
    exit 1
fi

deadline=$((EPOCHSECONDS + time_limit))
tidy() { # FILE
    if ((EPOCHSECONDS >= deadline)); then
        echo "not checked for lack of time: $1"
        return
    fi
    local text
    # Programs outside the build (examples) borrow the command of a source that looks alike; it may lack weir::paths and the allocator.
    text=$(clang-tidy --quiet -p "$commands" --extra-arg="-I$root/samples/paths/include" \
        --extra-arg="-isystem$build/deps/usr/include" "$1" 2>/dev/null) && return
    printf '%s\n' "$text"
    return 1
}
export -f tidy
export build commands deadline root
# Examples in folders of their own need the headers of other libraries.
if sources '*.cpp' | grep -zv '^\./examples/[^/]*/' | xargs -0 -r -n 1 -P "$(nproc)" bash -c 'tidy "$1"' tidy; then
    echo "clang-tidy: nothing to say"
else
    status=1
fi
exit $status
