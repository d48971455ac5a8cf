#!/usr/bin/env bash
# Checks that all names defined by the files of shaders/include/weir, and by the files that they include, begin with weir_ or WEIR_. Kernels
# of users can then use all other names.

# shellcheck source=../support/script.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/script.sh"
work_in_temporary_folder
folders=(-I "$root/shaders/include" -I "$root/shaders/lib")

# Prints the names that a shader with only FILE defines: functions, types, blocks with their members, and global variables and constants.
names_of() { # FILE [DEFINE...]
    printf '%s\n' '#version 460' '#extension GL_GOOGLE_include_directive : require' 'layout(local_size_x = 64) in;' \
        '#define WEIR_TILE_STATES 0' '#define WEIR_TILE_T float' '#define WEIR_TILE_WORDS 1' \
        '#define WEIR_TILE_COMBINE weir_test_add' '#define WEIR_TILE_IDENTITY 0.0' '#define WEIR_TILE_REDUCE weir_test_reduce' \
        '#define WEIR_SCAN_ALGORITHM 6' 'uint weir_offset_of(uint item) { return item; }' \
        'float weir_test_add(float a, float b) { return a + b; }' "#include <weir/$1>" \
        'float weir_test_reduce(uint tile) { return 0.0; }' 'void main() {}' >"$work/one.comp"
    glslc --target-env=vulkan1.3 -E "${@:2}" "${folders[@]}" -o "$work/one.txt" "$work/one.comp" &&
        glslc --target-env=vulkan1.3 -O0 "${@:2}" "${folders[@]}" -o /dev/null "$work/one.comp" &&
        sed -E 's/#.*//; s/layout\([^)]*\)//; s/(buffer [A-Za-z_0-9]+) \{(.*)\}/\1; \2/' "$work/one.txt" | awk '
            {
                for (i = 1; i <= length($0); ++i) {
                    letter = substr($0, i, 1)
                    depth += letter == "{"
                    text = text (depth == 0 ? letter : "")
                    depth -= letter == "}"
                }
                text = text " "
            }
            END {
                while (gsub(/\([^()]*\)/, ";", text)) {
                }
                while (match(text, /[A-Za-z_][A-Za-z_0-9]* +[A-Za-z_][A-Za-z_0-9]* *[[(;=]|(struct|buffer) +[A-Za-z_][A-Za-z_0-9]*/)) {
                    declared = substr(text, RSTART, RLENGTH)
                    text = substr(text, RSTART + RLENGTH)
                    gsub(/ *[[(;=]$/, "", declared)
                    sub(/.* /, "", declared)
                    print declared
                }
            }' | sort -u
}

# Prints the macros that a user's kernel sees after the file.
macros_of() { # FILE [DEFINE...]
    sed -n 's/^#define \([A-Za-z_0-9]*\).*/\1/p' "$root"/shaders/{include/weir,lib}/*.glsl | sort -u | grep -vi '^weir_' |
        sed 's/.*/#ifdef &\n#error &\n#endif/' >"$work/macros.txt"
    sed "/^void main/{
        r $work/macros.txt
        }" "$work/one.comp" >"$work/macros.comp"
    glslc --target-env=vulkan1.3 "${@:2}" "${folders[@]}" -o /dev/null "$work/macros.comp"
}

# defines_only_own_names NAME FILE [DEFINE...]
defines_only_own_names() {
    local others
    if ! others=$(names_of "${@:2}"); then
        result "$1" 1 "does not compile"
    elif others=$(grep -vi '^weir_\|^main$\|^$' <<<"$others"); then
        result "$1" 1 "defines $others"
    else
        others=$(macros_of "${@:2}" 2>&1)
        result "$1" $? "leaves a macro: $others"
    fi
}

for file in "$root"/shaders/include/weir/*.glsl; do
    defines_only_own_names "$(basename "$file" .glsl)" "$(basename "$file")"
done
defines_only_own_names weir_look_back_exact weir_look_back.glsl -DWEIR_TILE_EXACT
for element in 1 2 3; do # WEIR_ELEMENT_F32, WEIR_ELEMENT_U64, WEIR_ELEMENT_F64
    defines_only_own_names "workgroup_scans_$element" workgroup_scans.glsl "-DWEIR_ELEMENT=$element"
done
