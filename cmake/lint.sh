#!/usr/bin/env bash
# ./run format and ./run lint: checks only, changes nothing. ./run lint passes its options to cmake/tidy.py.
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=packages.sh
source "$root/cmake/packages.sh"
cd "$root" || exit 1
mkdir -p "$build"

if has_apt; then
    install_packages clang-format clang-tidy git python3 || exit 1
fi

sources() { find . -path ./build -prune -o -type f -name "$1" -print0; }

status=0
if { sources '*.[ch]pp' && sources '*.c' && find ./c ./tests/c -name '*.h' -print0; } | xargs -0 -r clang-format --dry-run -Werror; then
    echo "clang-format: all sources are formatted"
else
    status=1
fi

# Functions, headers and extensions that Windows or MSVC lacks may be used only by sources that test for the platform. GCC's -Wpedantic
# reports arrays of variable or zero size, statement expressions and designated initializers out of order.
foreign='__attribute__|__builtin_[a-z]|\bssize_t\b|<(unistd|dlfcn|pthread|strings)\.h>|<sys/|\bp(open|close)\(|\b(un)?setenv\('
foreign+='|\baligned_alloc\(|\b(gm|local)time_r\(|\balloca\(|\bstrn?casecmp\(|__PRETTY_FUNCTION__|__int128|\bmallinfo|\bgetrlimit\('
used=$({ sources '*.[ch]pp' && sources '*.[ch]'; } | grep -zvE '^\./(examples/[^/]*/|tests/(external|wine)/)' |
    xargs -0 grep -lE "$foreign" | xargs -r grep -LE '_WIN32|_MSC_VER|__linux__')
if [[ $used ]]; then
    printf 'not available on Windows, and used by a source that does not test for the platform:\n'
    # shellcheck disable=SC2086
    grep -nE "$foreign" $used /dev/null
    status=1
fi
python3 cmake/english.py || status=1
[[ $1 == lint ]] || exit $status

# A separate build folder, because Clang cannot read GCC's precompiled headers, and the commands of a unity build name no source.
commands="$build/lint"
if ! { cmake -S . -B "$commands" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON &&
    ninja -C "$commands" generated/weir/shapes.inc; } >"$build/lint.log" 2>&1; then
    cat "$build/lint.log"
    exit 1
fi

history() { git -c safe.directory="$root" "$@"; } # works in another user's checkout too
changes=$(history status --porcelain 2>/dev/null || echo unknown)
includes=() # headers that the examples include
for library in paths splats svg text; do
    includes+=("--extra-arg=-I$root/renderers/$library/include")
done
python3 cmake/tidy.py --commands "$commands" "${includes[@]}" "--extra-arg=-isystem$build/deps/usr/include" \
    "${@:2}" || status=1
# Stores the commit that passed, for cmake/tidy.py. With uncommitted changes, no commit was checked.
if ((status == 0)) && [[ ! $changes ]]; then
    history rev-parse HEAD >"$commands/passed"
fi
exit $status
