#!/usr/bin/env bash
# Tests a program that reads its shaders and pipelines from files only: it must not compile shaders in its process, and not
# leave files behind.

name=weir_shipping
# shellcheck source=../support/program_test.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/program_test.sh"

export XDG_CACHE_HOME="$out/cache" HOME="$out/home" MESA_SHADER_CACHE_DISABLE=true # so the driver writes no files of its own
mkdir cache home game

# Searches the libraries that the loader opens during the whole life of the process. /proc/self/maps shows only one moment.
opens_compiler() { # LOG
    grep -qE 'file=[^ ]*shaderc[^ ]* \[0\]; +(dynamically loaded|generating link map)' "$1"
}
LD_DEBUG=files LD_DEBUG_OUTPUT=write.log succeeds writes write game
[[ -s game/shaders.bin && -s game/pipelines.bin ]]
result writes_two_files $? "$(ls game)"
cat write.log.* >write.loaded && opens_compiler write.loaded
result compiles_when_it_writes $?

# Another process reads the two files. No other source is available to it.
rm -rf cache home && mkdir cache home
before=$(sha256sum game/*)
LD_DEBUG=files LD_DEBUG_OUTPUT=run.log succeeds run run game
[[ $(tr -s '\n ' ' ' <run.out) == "0 1 4 9 " && ! -s run.err ]]
result is_right $? "$(cat run.out run.err)"
cat run.log.* >run.loaded
[[ -s run.loaded ]] && ! opens_compiler run.loaded
result opens_no_compiler $? "$(grep shaderc run.loaded)"
[[ -z $(find cache home -type f) && $(sha256sum game/*) == "$before" ]]
result writes_no_file $? "$(find cache home game -type f)"

# Unusable pipelines are reported and created again.
cp game/pipelines.bin kept
printf 'x' >>game/pipelines.bin
"$program" run game >damaged.out 2>damaged.err
[[ $? == 0 && $(tr -s '\n ' ' ' <damaged.out) == "0 1 4 9 " && $(grep -c 'it is damaged' damaged.err) == 1 ]]
result works_with_damaged_pipelines $? "$(cat damaged.err)"
cmp -s game/pipelines.bin <(cat kept; printf 'x')
result leaves_damaged_pipelines $?
mv kept game/pipelines.bin

# Damaged shaders are an error.
printf 'x' >>game/shaders.bin
{ "$program" run game >shaders.out 2>shaders.err; } 2>/dev/null # aborts
[[ $? != 0 && ! -s shaders.out ]] && grep -q 'shaders.bin' shaders.err
result refuses_damaged_shaders $? "$(cat shaders.err)"
