#!/usr/bin/env bash
# Tests the C interface: each header alone, the exports of the library, and the examples in C and Python.

name=c
# shellcheck source=../support/program_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/program_test.sh"
library="$root/build/lib/libweir_c.so"
headers="$root/c/include"
if [[ ! -e $library ]]; then
    skip_without_package c "build/lib has no libweir_c.so (WEIR_BUILD_C)"
    exit 0
fi

for compiler in gcc clang g++ clang++; do
    if ! command -v "$compiler" >/dev/null; then
        skip_without_package "headers_$compiler" "$compiler is not installed" --packages
        continue
    fi
    [[ $compiler == *++ ]] && language=(-std=c++20 -x c++) || language=(-std=c99 -x c)
    status=0
    for header in weir.h weir/c/base.h weir/c/commands.h weir/c/compact.h weir/c/context.h weir/c/elementwise.h weir/c/graph.h \
        weir/c/program.h weir/c/scan.h weir/c/search.h weir/c/sort.h; do
        printf '#include <%s>\ntypedef weir_result included;\n' "$header" |
            "$compiler" "${language[@]}" -pedantic -Wall -Wextra -Wshadow -Werror -I"$headers" -fsyntax-only - || status=1
    done &>"headers_$compiler"
    result "headers_$compiler" $status "$(head -n 20 "headers_$compiler")"
done

# A struct passed by pointer must begin with its size, unless it is an element of an array. Such a struct may grow, so no other struct
# may contain it.
cat "$headers"/weir/c/*.h >all_headers
defined=$(sed -nE 's/^typedef struct (weir_[a-z_]+) \{$/\1/p' all_headers | sort)
sized=$(sed -nE '/^typedef struct weir_[a-z_]+ \{$/{N; s/^typedef struct (weir_[a-z_]+) \{\n +size_t size; .*/\1/p}' all_headers | sort)
entries=$(printf 'weir_%s\n' binding buffer_view count indirect_command named_buffer named_value)
passed=$(grep -oE 'const weir_[a-z_]+\*' all_headers | sed -E 's/const (.*)\*/\1/' | sort -u)
unsized=$(comm -23 <(comm -12 <(echo "$defined") <(echo "$passed")) <(sort <(echo "$sized") <(echo "$entries")))
contained=$(grep -nE "^ +($(echo "$sized" | paste -sd '|')) [a-z_]+(\[[0-9]+\])?;" all_headers)
[[ $(wc -l <<<"$sized") -ge 30 && -z $unsized && -z $contained ]]
result structs_start_with_their_size $? "without size: $unsized; contained: $contained"

# The library must export exactly the functions that the headers declare, each with the version.
version=$(sed -n 's/^#define WEIR_ABI_VERSION //p' "$headers/weir/c/base.h")
cat "$headers"/weir/c/*.h | tr '\n' ' ' | grep -oE 'WEIR_C_API [^();]*\b(weir_[a-z_0-9]+)\(' |
    sed -E 's/.*\b(weir_[a-z_0-9]+)\($/\1@@WEIR_C_'"$version/" | sort >declared
{ nm -D --defined-only "$library" | grep -v ' A WEIR_C_' | sed 's/^[0-9a-f]* T //' | sort; } >exported
check exports diff declared exported
[[ $(wc -l <declared) -ge 80 ]]
result finds_declarations $?
check soname grep "SONAME.*\[libweir_c.so.$version\]" <(readelf -d "$library")
check needs_only_the_system needs_only_the_system "$library"

check example_in_c_compiles gcc -std=c99 -pedantic -Wall -Wextra -Werror -I"$headers" "$root/examples/c_sort.c" -o c_sort \
    -L"$root/build/lib" -lweir_c -Wl,-rpath,"$root/build/lib" && check example_in_c ./c_sort

find_python_with numpy
python=${python:-$(command -v python3)}
example_in_python() { # NAME
    if ! WEIR_LIBRARY=$library "$python" -B "$root/examples/python/$1.py" &>"$1.log"; then
        result "python_$1" 1 "$(tail -n 5 "$1.log")"
    elif grep -q '^skipped' "$1.log"; then
        skip_without_package "python_$1" "$(cat "$1.log")" ""
    else
        result "python_$1" 0
    fi
}
for example in sort_numpy adopt_device; do
    if [[ $python ]]; then
        example_in_python $example
    else
        skip_without_package "python_$example" "python3 is not installed" ""
    fi
done

# Values that ctypes would drop silently raise an exception that names the keyword and the number. No device is needed.
raises_in_python() { # NAME ERROR STATEMENT
    local last
    last=$(cd "$root/examples/python" && WEIR_LIBRARY=$library "$python" -B -c "import weir; $3" 2>&1 | tail -n 1)
    [[ $last == "$2"* ]]
    result "python_$1" $? "$last"
}
if [[ $python ]]; then
    raises_in_python unknown_option "TypeError: SortOptions has no member 'decending'" \
        'weir.Graph.radix_sort(None, weir.BufferRef(), decending=True)'
    raises_in_python unknown_member "TypeError: AdoptedDevice has no member 'instanse'" 'weir.AdoptedDevice().instanse = None'
    raises_in_python capacity "ValueError: capacity is 8589934592; it must be from 0 to 4294967295" \
        'weir.Graph.import_buffer(None, "x", weir.U32, 2**33)'
    raises_in_python option_number "ValueError: SortOptions.end_bit is -1; it must be from 0 to 4294967295" 'weir.SortOptions(end_bit=-1)'
    raises_in_python option_type "TypeError: SortOptions.end_bit is 1.5, which is not an integer" 'weir.SortOptions(end_bit=1.5)'
else
    skip_without_package python_refusals "python3 is not installed"
fi
