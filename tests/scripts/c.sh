#!/usr/bin/env bash
# Tests the C interface: each header alone, the exports of the library, and the example in C.

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
    for header in weir.h weir/c/base.h weir/c/call.h weir/c/commands.h weir/c/compact.h weir/c/context.h weir/c/elementwise.h weir/c/graph.h \
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
