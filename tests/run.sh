#!/usr/bin/env bash
# Runs the tests, for ./run tests. Most device tests run on two of the drivers. Sweeps and slow scripts run in one of three rotations. The
# last line of the output has the totals.
set -uo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# shellcheck source=../cmake/packages.sh
source "$root/cmake/packages.sh"
bin="$build/bin"
out="$build/test-results" # keeps NAME.log of the last run
work="$out/work.$$"       # separate, because several runs may happen at the same time
time_limit=1800 # seconds per program and driver, in case it hangs

usage() {
    cat <<'END'
usage: ./run tests [options]
  --long             runs all tests on all drivers, the longer sweeps, and all
                     scripts
  --changed [COMMIT] runs the tests that changes since COMMIT (default: HEAD)
                     can affect, on one driver
  --rotation N       selects drivers and scripts; the same N selects the same.
                     Default: the number of commits, or of days outside a
                     checkout
  --driver NAME      runs only on these drivers: a configuration of
                     tests/drivers.sh, "gpu", "host" (programs that need no
                     device) or "scripts". NAME may be a pattern, and the
                     option may be repeated. "windows" runs only if it is
                     named: it builds everything for Windows and runs it
                     under Wine. "mesa26" runs if it is named, and with --long
                     in one of three rotations: it makes a system of Debian sid
  --filter PATTERN   runs only these tests, as with --gtest_filter, on every
                     selected driver
  --device gpu       fails instead of skipping if there is no GPU
END
}

selected=()
filter='*'
need_gpu=
changed=
if [[ $(git -C "$root" rev-parse --is-shallow-repository 2>/dev/null) == false ]]; then
    rotation=$(git -C "$root" rev-list --count HEAD)
else
    rotation=$((EPOCHSECONDS / 86400))
fi
while (($#)); do
    case $1 in
    --long) export WEIR_TESTS_LONG=1; time_limit=7200 ;;
    --driver) selected+=("${2:?--driver needs a name}"); shift ;;
    --filter) filter=${2:?--filter needs a pattern}; shift ;;
    --rotation) rotation=${2:?--rotation needs a number}; shift ;;
    --changed)
        changed=HEAD
        [[ ${2:-} && ${2:-} != -* ]] && { changed=$2; shift; }
        ;;
    --device) [[ ${2:-} == gpu ]] || die "--device: only 'gpu'"; need_gpu=1; shift ;;
    -h | --help) usage; exit ;;
    *) usage >&2; exit 2 ;;
    esac
    shift
done

# The same rotation repeats the choice of drivers, for example after a failure on one of them.
export WEIR_TESTS_ROTATION=$rotation

# Scripts that take more than half a minute on two cores. Each runs in one of three rotations.
slow_scripts=(culling_window failures fuzz ggml godot hosts install layers models ogre packages python reproducible scan_study soaks splats_window svg_window tune windows)

runs_now() { # SCRIPT
    if [[ $changed ]]; then
        is_selected "$1"
        return
    fi
    [[ ${WEIR_TESTS_LONG:-} || ${#selected[@]} -gt 0 || " ${slow_scripts[*]} " != *" $1 "* ]] && return
    local hash
    hash=$(printf '%s' "$1" | cksum)
    (((${hash%% *} + rotation) % 3 == 0))
}

is_selected() {
    ((${#selected[@]})) || return 0
    local pattern
    for pattern in "${selected[@]}"; do
        # shellcheck disable=SC2053
        [[ $1 == $pattern ]] && return 0
    done
    return 1
}

# Reads the output of a GoogleTest program. Prints "passed failed skipped" and writes the output of failing tests to REPORT. A program that
# fails otherwise, or ends during a test, counts as one more failure.
read_gtest() { # LOG STATUS REPORT
    awk -v status="$2" -v report="$3" '
        { sub(/\r$/, "") } # output of programs for Windows
        /^\[ RUN      \] / { running = $4; text = "" }
        { text = text $0 "\n" }
        /\[       OK \] .* \([0-9]+ ms\)$/ { passed++; running = "" }
        /\[  SKIPPED \] .* \([0-9]+ ms\)$/ { skipped++; running = "" }
        /\[  FAILED  \] .* \([0-9]+ ms\)$/ { failed++; running = ""; printf "%s", text > report }
        END {
            if (running != "" || (status != 0 && !failed)) {
                failed++
                how = status == 124 || status == 137 ? "ran out of time" : "ended with status " status
                printf "%s%s: the program %s\n", text, running, how > report
            }
            print passed + 0, failed + 0, skipped + 0
        }' "$1"
}

# As read_gtest, for programs under Wine. The tests do not load the validation layer there, so it writes its messages to the output. Each
# counts as one more failure.
read_windows() { # LOG STATUS REPORT
    local passed failed skipped messages
    messages=$(grep -cE '^(VUID|SYNC|UNASSIGNED)-' "$1")
    read -r passed failed skipped < <(read_gtest "$@")
    ((messages)) && grep -E -m 20 '^(VUID|SYNC|UNASSIGNED)-' "$1" >>"$3"
    echo "$passed $((failed + messages)) $skipped"
}

# As read_gtest, for a script, which prints "ok NAME", "FAIL NAME: why" or "skip NAME: why".
read_script() { # LOG STATUS REPORT
    awk -v status="$2" -v report="$3" '
        { text = text $0 "\n" }
        /^ok / { passed++ }
        /^skip / { skipped++ }
        /^FAIL / { failed++ }
        END {
            if (status != 0 && !failed) { failed++; text = text "the script ended with status " status "\n" }
            if (failed) printf "%s", text > report
            print passed + 0, failed + 0, skipped + 0
        }' "$1"
}

# run_configuration NAME READER [arguments of env] -- COMMAND...: runs a configuration. Prints one line for it, then its failures.
run_configuration() {
    local name=$1 reader=$2 settings=()
    shift 2
    while [[ $1 != -- ]]; do
        settings+=("$1")
        shift
    done
    shift
    local folder="$work/$name" start=$SECONDS status=0
    { # the outer redirection hides bash's own message about a crash
        env "${settings[@]}" XDG_CACHE_HOME="$out/cache/$name" \
            timeout -k 10 "$time_limit" "$@" >"$folder/log" 2>&1 </dev/null || status=$?
    } 2>/dev/null
    "$reader" "$folder/log" "$status" "$folder/report" >"$folder/totals"
    local passed failed skipped device
    read -r passed failed skipped <"$folder/totals"
    device=$(sed -n 's/^device: //p' "$folder/log" | head -n 1)
    {
        flock 8
        printf '%-12s %d passed, %d failed, %d skipped, %d s%s\n' "$name" "$passed" "$failed" "$skipped" \
            $((SECONDS - start)) "${device:+  ($device)}"
        [[ -f $folder/report ]] && sed 's/^/    /' "$folder/report"
    } 8>"$work/lock"
    mv "$folder/log" "$out/$name.log"
}

names=()
start() { # NAME READER ...
    while (($(jobs -rp | wc -l) >= jobs_at_once)); do
        wait -n
    done
    names+=("$1")
    mkdir -p "$work/$1"
    say "running $1"
    run_configuration "$@" &
}

# Sets the totals of a configuration that does not run.
set_totals() { # NAME "PASSED FAILED SKIPPED" TEXT
    names+=("$1")
    mkdir -p "$work/$1"
    echo "$2" >"$work/$1/totals"
    printf '%-12s %s\n' "$1" "$3"
}

# Counts the tests of a driver that is not available as skipped. On CI, where every driver is available, counts one failure.
skip_configuration() { # NAME REASON
    local count
    count=$("$bin/weir_tests_device" --gtest_filter="$filter" --gtest_list_tests 2>/dev/null | grep -c '^  ')
    if [[ ${CI:-} == true ]]; then
        set_totals "$1" "0 1 0" "FAIL: $2"
    else
        set_totals "$1" "0 0 $count" "skipped: $2"
    fi
}

jobs_at_once=$((($(nproc) + 2) / 2))
((jobs_at_once > 6)) && jobs_at_once=6
(($(nproc) == 1)) && jobs_at_once=1
mkdir -p "$work" "$out/cache"
trap 'rm -rf "$work"' EXIT
trap 'kill $(jobs -p) 2>/dev/null; wait; exit 130' INT TERM

find_allocator
parts=1
device_tests=("$bin/weir_tests_device" --gtest_filter="$filter" --gtest_color=no)
matrix=()
[[ -x ${device_tests[0]} ]] && mapfile -t matrix < <("$root/tests/drivers.sh")
WEIR_TESTS_DRIVERS=$(printf '%s\n' "${matrix[@]}" | sed -n 's/.*WEIR_TESTS_TURN=\([0-9]*\).*/\1/p' | sort -n | xargs)
export WEIR_TESTS_DRIVERS
if [[ $changed ]]; then
    mapfile -t affected < <(python3 "$root/tests/changed.py" "$changed" "$build")
    ((${#affected[@]} == 3)) || die "--changed: '$changed' is not a commit"
    filter=${affected[0]}
    [[ ${affected[1]} ]] && export WEIR_TESTS_IN_TURN=${affected[1]}
    read -ra selected <<<"${affected[2]}" # scripts
    parts=$(nproc)
    ((parts > 4)) && parts=4
    if [[ $filter ]]; then
        mapfile -t drivers < <(printf '%s\n' "${matrix[@]}" | grep -v $'\tskip\t' | cut -f 1)
        selected+=(host "${drivers[rotation % ${#drivers[@]}]}")
    fi
    ((${#selected[@]})) || { say "the changes since $changed affect no test"; selected=(none); }
    device_tests=("$bin/weir_tests_device" --gtest_filter="$filter" --gtest_color=no)
fi
say "rotation $rotation: with --rotation $rotation, tests run on the same drivers again"

if is_selected host; then
    start host read_gtest -- "$bin/weir_tests_host" --gtest_filter="$filter" --gtest_color=no
fi

# Starts the slow configurations first, which are last in the list, so none of them runs alone at the end.
script_driver=()
for ((i = ${#matrix[@]} - 1; i >= 0; --i)); do
    IFS=$'\t' read -ra fields <<<"${matrix[i]}"
    name=${fields[0]}
    if [[ ${fields[1]} != skip ]]; then
        # Scripts run on one of the drivers, after its device tests, and find the shaders that those compiled.
        fields+=("MESA_SHADER_CACHE_DIR=$out/cache/mesa-$name")
        [[ $name == lavapipe-8 || ${#script_driver[@]} -eq 0 ]] && script_driver=("${fields[@]:1}")
        if is_selected "$name"; then
            for ((part = 1; part <= parts; ++part)); do # with --changed, as many processes as cores
                start "$name$( ((parts > 1)) && echo "-$part")" read_gtest -u WEIR_DEVICE "${allocator[@]}" "${fields[@]:1}" \
                    GTEST_TOTAL_SHARDS="$parts" GTEST_SHARD_INDEX=$((part - 1)) -- "${device_tests[@]}"
            done
        fi
    elif is_selected "$name"; then
        skip_configuration "$name" "${fields[2]}"
    fi
done

if is_selected gpu && [[ -x ${device_tests[0]} ]]; then
    device=$(timeout 60 "${device_tests[0]}" --gtest_filter=-'*' 2>/dev/null | sed -n 's/^device: //p')
    if [[ $device && $device != *", cpu, "* ]]; then
        start gpu read_gtest -- "${device_tests[@]}"
    elif [[ $need_gpu ]]; then
        set_totals gpu "0 1 0" "FAIL: no GPU found"
    fi
fi

# Under Wine: the programs of the tests, and samples by tests/scripts/windows.sh.
start_windows() {
    local status=0 programs="$build/windows/bin" turn=WEIR_TESTS_TURN=3
    say "building for Windows, which takes some minutes the first time"
    bash "$root/tests/windows.sh" build >>"$log" 2>"$work/windows.err" || status=$?
    if ((status == 3)); then
        skip_configuration windows "$(cat "$work/windows.err")"
    elif ((status)); then
        set_totals windows "0 1 0" "FAIL: it does not build; see $log"
    else
        local wine=(bash "$root/tests/windows.sh")
        start windows read_windows "$turn" -- "${wine[@]}" "$programs/weir_tests_device.exe" "${device_tests[@]:1}"
        start windows-host read_gtest -- "${wine[@]}" "$programs/weir_tests_host.exe" "${device_tests[@]:1}"
        [[ $filter != '*' ]] ||
            start windows-samples read_script WEIR_TESTS_WINDOWS=1 -- bash "$root/tests/scripts/windows.sh"
    fi
}
if ((${#selected[@]})) && is_selected windows; then
    start_windows
fi

# In a system of Debian sid (tests/sid.sh).
start_mesa26() {
    local status=0
    bash "$root/tests/sid.sh" true 2>"$work/mesa26.err" || status=$?
    if ((status == 3)); then
        skip_configuration mesa26 "$(tail -n 1 "$work/mesa26.err")"
    elif ((status)); then
        set_totals mesa26 "0 1 0" "FAIL: $(tail -n 1 "$work/mesa26.err")"
    else
        start mesa26 read_gtest -u WEIR_DEVICE "${allocator[@]}" -- bash "$root/tests/drivers.sh" mesa26 "${device_tests[@]}"
    fi
}
if ((${#selected[@]})); then
    ! is_selected mesa26 || start_mesa26
elif [[ ${WEIR_TESTS_LONG:-} ]] && ((rotation % 3 == 0)); then
    start_mesa26
fi

later=()
if [[ $changed ]] || { is_selected scripts && [[ $filter == '*' ]]; }; then
    for script in "$root"/tests/scripts/*.sh; do
        name=$(basename "$script" .sh)
        if runs_now "$name"; then
            start "$name" read_script -u WEIR_DEVICE "${script_driver[@]}" -- bash "$script"
        else
            later+=("$name")
        fi
    done
    [[ ${#later[@]} -eq 0 || $changed ]] || say "scripts of other rotations: ${later[*]}"
fi
wait

passed=0 failed=0 skipped=0
for name in "${names[@]}"; do
    read -r p f s <"$work/$name/totals" || { p=0 f=1 s=0; echo "$name: no result"; }
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
done
echo "$passed passed, $failed failed, $skipped skipped"
((failed == 0)) && { ((passed > 0)) || [[ $changed ]]; }
