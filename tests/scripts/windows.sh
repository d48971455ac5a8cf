#!/usr/bin/env bash
# Tests Weir for Windows. The ordinary part compiles the sources that test for the platform, with MinGW-w64. The longer part (--long, and
# ./run tests --driver windows) builds samples and runs them under Wine on lavapipe with the validation layer. Their files have long names,
# and names that are in no ANSI code page. ./run deps --windows installs MinGW-w64 and Wine.

# shellcheck source=../support/script.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/script.sh"
export LC_ALL=C.UTF-8
out="$root/build/test-results/windows"
again=${WEIR_WINE_DISPLAY:-} # inside a session of Wine, after the build
[[ $again ]] || rm -rf "$out"
work_in_results_folder windows

step() { # NAME COMMAND...
    local status=0
    "${@:2}" >"$1.log" 2>"$1.err" || status=$?
    if ((status == 3)); then
        skip_without_package windows "$(cat "$1.err")"
        exit
    fi
    result "$1" $status "$(tail -n 5 "$1.err" "$1.log")"
    ((status == 0)) || exit
}
compiles() { # SOURCE...
    local source compiler windows="$root/build/windows"
    for source in "$@"; do
        compiler=(x86_64-w64-mingw32-g++-posix -std=c++20)
        [[ $source == *.c ]] && compiler=(x86_64-w64-mingw32-gcc-posix)
        "${compiler[@]}" -fsyntax-only -Wall -Wextra -Wpedantic -Werror -Wno-missing-field-initializers -DWEIR_STATIC_DEFINE \
            -DVK_NO_PROTOTYPES -I"$root" -I"$root"/{engine,graph,primitives}/include -I"$root/samples" -I"$root/benchmarks" \
            -I"$windows/generated/include" -I"$windows/generated/volk" -isystem "$windows/packages" "$root/$source" || return 1
    done
}
if [[ ! $again ]]; then
    step configures bash "$root/tests/windows.sh" configure
    step compiles compiles engine/{base/files.cpp,shader/shaderc_library.cpp,base/volk.c} tests/support/allocations.cpp \
        samples/common/{files,program,progress,temporary_file}.cpp benchmarks/harness/{peer,report}.cpp
    [[ ${WEIR_TESTS_WINDOWS:-}${WEIR_TESTS_LONG:-} ]] || exit 0
    step builds bash "$root/tests/windows.sh" build radix_sort recurrence scan_study word_count
    exec bash "$root/tests/windows.sh" session bash "$root/tests/scripts/windows.sh"
fi

windows() { # PROGRAM ARGUMENTS...
    bash "$root/tests/windows.sh" "$root/build/windows/bin/$1.exe" "${@:2}"
}
# runs NAME PATTERN PROGRAM ARGUMENTS...: checks that the program succeeds and prints a text that matches PATTERN, without carriage returns
# and messages of the layer.
runs() {
    windows "${@:3}" >"$1.out" 2>"$1.err"
    [[ $? == 0 ]] && grep -q "$2" "$1.out" && ! grep -qE $'\r|VUID|SYNC-' "$1.out" "$1.err"
    result "$1" $? "$(tail -n 5 "$1.err" "$1.out")"
}
words() { od -An -v -t u4 -w4 "$1" | tr -d ' '; }

runs radix_sort 'verified against' radix_sort --n 2^18 --values

letters='łó зд 字 🌊' # characters of 2, 3 and 4 bytes
head -c 40000 /dev/urandom >"$letters"
runs any_letters verified radix_sort --input "$letters" --output "$letters.sorted"
words "$letters" | sort -n | cmp -s - <(words "$letters.sorted")
result any_letters_sorted $? "$(ls)"
windows radix_sort --input "$letters.gone" 2>gone.err
[[ $? == 1 && $(tr -d '\r' <gone.err) == "radix_sort: $letters.gone: No such file or directory" ]]
result any_letters_in_messages $? "$(cat gone.err)"

part=$(printf 'long name %.0s' {1..10})end # Windows removes spaces at the end of names
long="$part/$part/$part" # 300 characters
mkdir -p "$long" && cp "$letters" "$long/input"
runs long_names verified radix_sort --input "$long/input" --output "$long/output"
cmp -s "$letters.sorted" "$long/output"
result long_names_sorted $? "$(ls "$long")"

# Weir's caches are in a folder with such a name.
XDG_CACHE_HOME="Z:$out/cache/$letters/$part/$part/$part" runs cache verified radix_sort --n 1000
[[ $(ls "cache/$letters/$part/$part/$part/weir") == pipelines-*.bin ]]
result cache_any_letters $? "$(find cache)"

runs recurrence "from the sequential loop" recurrence
runs scan_study 'All results are' scan_study --sizes 10:14:2 --plots "$letters plots" --csv "$letters.csv"
[[ -s $letters.csv && $(find "$letters plots" -name '*.svg' | wc -l) -gt 0 ]]
result scan_study_files $? "$(ls)"
cp "$root/README.md" "$letters.md"
runs word_count weir word_count "$letters.md"
