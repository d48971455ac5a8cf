#!/usr/bin/env bash
# Tests packaging/abi.sh: it must distinguish compatible from incompatible variants of a small library in C.

# shellcheck source=../support/script.sh
source "$(dirname "${BASH_SOURCE[0]}")/../support/script.sh"
work_in_temporary_folder
needs abi --packages abidiff objdump cc

mkdir "$work/include"
cat >"$work/include/small.h" <<'END_OF_C'
#include <stdint.h>
typedef enum small_kind { SMALL_SUM = 0, SMALL_LEAST = 1 } small_kind;
typedef struct small_options { uint64_t size; small_kind kind; } small_options;
typedef struct small_thing small_thing;
int small_run(small_thing* thing, const small_options* options);
void small_end(small_thing* thing);
END_OF_C
cat >"$work/small.c" <<'END_OF_C'
#include "small.h"
struct small_thing { int hidden; };
int small_run(small_thing* thing, const small_options* options) { return thing->hidden + (int)options->kind; }
void small_end(small_thing* thing) { thing->hidden = 0; }
END_OF_C

# variant NAME SONAME FLAGS EDIT: installs the library, with its header and source changed by the sed script EDIT.
variant() {
    mkdir -p "$work/$1/include" "$work/$1/lib" && sed -E "$4" "$work/include/small.h" >"$work/$1/include/small.h" &&
        sed -E "$4" "$work/small.c" >"$work/$1/small.c" &&
        cc "$3" -fPIC -shared -I "$work/$1/include" -Wl,-soname,"$2" -o "$work/$1/lib/libsmall.so.1.0" "$work/$1/small.c" &&
        ln -s libsmall.so.1.0 "$work/$1/lib/libsmall.so"
}
# compare NAME STATUS WORD SONAME FLAGS EDIT: compares the first version with a variant.
compare() {
    local status=0 output
    variant "$1" "${@:4}" || { result "$1" 1 "it does not compile"; return; }
    output=$("$root/packaging/abi.sh" "$work/old" "$work/$1" libsmall 2>&1) || status=$?
    ((status == $2)) && [[ $output == *"$3"* ]]
    result "$1" $? "status $status; $output"
}

variant old libsmall.so.1 -g ''
compare same 0 'compatible: libsmall.so.1, 0 symbols are new' libsmall.so.1 -g ''
compare new_function 0 'compatible: libsmall.so.1, 1 symbols are new' libsmall.so.1 -g \
    's/^(void small_end.*);/\1; void small_new(void);/; s/^(void small_end.*\})/\1 void small_new(void) {}/'
compare private_struct 0 'compatible: libsmall.so.1' libsmall.so.1 -g 's/int hidden;/int more; int hidden;/'
compare no_function 1 incompatible libsmall.so.1 -g '/^void small_end/d'
compare longer_struct 1 changed: libsmall.so.1 -g 's/small_kind kind; \}/small_kind kind; uint32_t count; }/'
compare another_value 1 changed: libsmall.so.1 -g 's/SMALL_LEAST = 1/SMALL_LEAST = 2/'
compare another_type 1 'changed:' libsmall.so.1 -g 's/^int small_run/long small_run/'
compare new_soname 0 'SONAME: libsmall.so.1, now libsmall.so.2' libsmall.so.2 -g '/^void small_end/d'
compare no_types 1 'symbols alone' libsmall.so.1 -g0 '/^void small_end/d'

status=0
"$root/packaging/abi.sh" "$work/old" "$work/nothing" libsmall >/dev/null 2>&1 || status=$?
((status == 2))
result no_library $? "status $status"
