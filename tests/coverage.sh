#!/usr/bin/env bash
# tests/coverage.sh [options]: counts the lines of engine/, graph/ and primitives/ that the tests run, on the host and on drivers.
#
#   --driver NAME      of tests/drivers.sh; may be repeated (default: those of lavapipe and mesa25, which together run each test, and
#                      have pushed descriptors, sets and descriptor buffers)
#   --filter PATTERN   only these tests, as with --gtest_filter
#   --long             also the longer sweeps
#   --build FOLDER     default: build/coverage
#   --no-tests         runs no tests; counts the lines of earlier runs in this folder
#   --least PERCENT    fails if the coverage of a folder is below PERCENT
#
# Only the library is instrumented, so a line of a header counts only if the library compiles it. Needs GCC and gcovr (Debian: gcovr).
# Writes the lines that no test runs to FOLDER/uncovered.txt, by file, and all counts to FOLDER/coverage.json.
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
build="$root/build/coverage" drivers=() filter='*' run=1 least=0
while (($#)); do
    case $1 in
    --driver) drivers+=("${2:?}"); shift ;;
    --filter) filter=${2:?}; shift ;;
    --build) build=$(realpath "${2:?}"); shift ;;
    --least) least=${2:?}; shift ;;
    --long) export WEIR_TESTS_LONG=1 ;;
    --no-tests) run= ;;
    -h | --help) sed -n '2,13s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit ;;
    *) echo "coverage.sh: unknown option $1" >&2; exit 2 ;;
    esac
    shift
done
command -v gcovr >/dev/null || { echo "coverage.sh: gcovr is not installed (Debian: gcovr)" >&2; exit 2; }

((${#drivers[@]})) || drivers=(lavapipe-4 lavapipe-8 lavapipe-16 mesa25)

make_programs() {
    cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=12 \
        -DCMAKE_PROJECT_weir_INCLUDE="$root/tests/coverage.cmake" -DWEIR_BUILD_BENCHMARKS=OFF &&
        ninja -C "$build" weir_tests_host weir_tests_device
}

status=0
if [[ $run ]]; then
    mkdir -p "$build"
    make_programs >"$build/setup.log" 2>&1 || { tail -n 20 "$build/setup.log"; exit 2; }
    find "$build" -name '*.gcda' -delete
    "$build/bin/weir_tests_host" --gtest_filter="$filter" --gtest_brief=1 || status=1
    for driver in "${drivers[@]}"; do
        "$root/tests/drivers.sh" "$driver" "$build/bin/weir_tests_device" --gtest_filter="$filter" --gtest_brief=1 || status=1
    done
    ((status == 0)) || echo "coverage.sh: tests failed; the figures count only the lines that ran" >&2
fi

gcovr --root "$root" --object-directory "$build" --filter "$root/engine/" --filter "$root/graph/" --filter "$root/primitives/" \
    --gcov-ignore-parse-errors --json "$build/coverage.json" "$build/CMakeFiles"/weir_*.dir || exit 2
python3 - "$build" "$least" <<'END_OF_PYTHON' || status=1
import collections, itertools, json, sys

build, least = sys.argv[1], float(sys.argv[2])
counts = collections.defaultdict(lambda: [0, 0])  # folder -> lines, lines that ran
uncovered = {}
for file in json.load(open(f'{build}/coverage.json'))['files']:
    lines = [line for line in file['lines'] if not line.get('gcovr/noncode')]
    missing = [line['line_number'] for line in lines if line['count'] == 0]
    total = counts[file['file'].split('/')[0]]
    total[0] += len(lines)
    total[1] += len(lines) - len(missing)
    if missing:
        uncovered[file['file']] = sorted(missing)

with open(f'{build}/uncovered.txt', 'w') as output:
    for name, lines in sorted(uncovered.items(), key=lambda row: (-len(row[1]), row[0])):
        ranges = []
        for _, group in itertools.groupby(enumerate(lines), lambda pair: pair[1] - pair[0]):
            group = [line for _, line in group]
            ranges.append(str(group[0]) if len(group) == 1 else f'{group[0]}-{group[-1]}')
        print(f'{name}: {len(lines)} lines: {" ".join(ranges)}', file=output)

for folder in ('engine', 'graph', 'primitives'):
    lines, ran = counts[folder]
    share = 100 * ran / lines if lines else 0
    print(f'{folder + "/":12} {ran} of {lines} lines, {share:.1f} %')
print(f'{sum(map(len, uncovered.values()))} lines in {len(uncovered)} files are not covered: {build}/uncovered.txt')
if any(not counts[folder][0] or 100 * counts[folder][1] / counts[folder][0] < least
       for folder in ('engine', 'graph', 'primitives')):
    sys.exit(f'a folder has less than {least} %')
END_OF_PYTHON
exit $status
