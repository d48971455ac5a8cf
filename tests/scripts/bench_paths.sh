#!/usr/bin/env bash
# Tests the benchmark of paths with a small drawing.

name=weir_bench_paths
# shellcheck source=../support/program_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/program_test.sh"

printf '<svg xmlns="http://www.w3.org/2000/svg" width="32" height="16"><circle cx="9" cy="8" r="5"/></svg>\n' >dot.svg
succeeds table dot.svg@64x32 --glyphs 0 --rectangles 20 --repeat 3 --csv all.csv
for row in '^dot +64 x 32 +1 ' '^dot x 32 +64 x 32 +1 ' '^rectangles +1920 x 1080 +20 ' 'measure .*fine .*update .*frame '; do
    grep -qE -e "$row" table.out
    result "prints $row" $? "$(cat table.out)"
done
for row in '"dot",64,32,1,.*,graph,' '"dot",64,32,1,.*,fine,' '"dot",64,32,1,.*,cpu strips,' '"rectangles",.*,update,'; do
    grep -qE -e "^${row}[0-9.e-]+,[0-9.e-]+,[0-9]+$" all.csv
    result "writes $row" $? "$(cat all.csv)"
done
refuses no_size 1 'WIDTHxHEIGHT' dot.svg@64
refuses missing 1 'missing.svg' missing.svg
refuses no_font 1 'missing.ttf|FreeType' dot.svg --font missing.ttf
refuses unknown 2 'nonsense' dot.svg --nonsense
