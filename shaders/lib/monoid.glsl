#ifndef WEIR_MONOID_GLSL
#define WEIR_MONOID_GLSL

#include "subgroup.glsl"

// The type T that is scanned and its operator: associative, with an identity. Operands are never reordered, except that
// MONOID_COMMUTES allows a thread to fold elements that are apart.
//
// Without further macros: u32 and addition. A kernel chooses others before it includes this:
//   ELEMENT, COMPONENTS, OPERATOR   a built-in type, how many of them make an element, and the constant that is the operator
//   CUSTOM_MONOID                   T, T_VALUE, T_WORDS, MONOID_COMMUTES, identity, combine, to_words and from_words are there already
//   SEGMENTED                       scans start anew at heads: T is then an item of segmented_monoid.glsl, made of T_VALUE
//   REDUCED_BY_KEY                  with SEGMENTED: T is a Run of run_monoid.glsl, which also counts heads

#include "interface.glsl"
#include "monoid_interface.h"

#define ELEMENT_U32 0 // also i32; and f32 for minimum and maximum, which compare bits
#define ELEMENT_F32 1
#define ELEMENT_U64 2 // also i64; and f64 for minimum and maximum. A pair of words, so that no device need have 64-bit integers
#define ELEMENT_F64 3

#ifndef CUSTOM_MONOID

#ifndef ELEMENT
#define ELEMENT ELEMENT_U32
#endif
#ifndef COMPONENTS
#define COMPONENTS 1
#endif
#ifndef OPERATOR
#define OPERATOR OPERATOR_ADD
#endif
#define MONOID_COMMUTES 1
#define T T_VALUE

#if ELEMENT == ELEMENT_U32
#include "monoid_u32.glsl"
#elif ELEMENT == ELEMENT_F32
#include "monoid_f32.glsl"
#elif ELEMENT == ELEMENT_U64
#include "monoid_u64.glsl"
#else
#include "monoid_f64.glsl"
#endif

#endif

// So many scans over the lanes go side by side, as each waits for its shuffles: see subgroup_exclusive_scans.
#if defined(NATIVE_SUBGROUP_SCANS) && !defined(SEGMENTED)
#define SIDE_BY_SIDE 1
#else
#define SIDE_BY_SIDE 4
#endif

#ifndef NATIVE_SUBGROUP_SCANS
#include "subgroup_scan.glsl"
#endif

// item_of makes an element a part of what is combined; value_of takes from that what is stored.
#ifdef SEGMENTED

#include "segmented_monoid.glsl"
#ifdef REDUCED_BY_KEY
#include "run_monoid.glsl"
#endif

T item_of(T_VALUE value, bool head) {
    return T(value, uint(head));
}

T_VALUE value_of(T item) {
    return item.value;
}

// Whether what precedes the item does not matter.
bool has_head(T item) {
#ifdef REDUCED_BY_KEY
    return false;
#else
    return item.head != 0;
#endif
}

#else

#define value_identity identity
#define value_from_words from_words

#ifdef NATIVE_SUBGROUP_SCANS
void subgroup_exclusive_scans(inout T values[SIDE_BY_SIDE], out T totals[SIDE_BY_SIDE]) {
    values[0] = subgroup_exclusive_scan(values[0], totals[0]);
}
#endif

T item_of(T value, bool head) {
    return value;
}

T value_of(T item) {
    return item;
}

bool has_head(T item) {
    return false;
}

#endif

// What tiles tell each other, and what becomes of it when it is read: words of values, and from its state whether there was a head.
#ifdef REDUCED_BY_KEY
#define posted_item(words, is_head) run_from_words(words)
#else
#define STATE_WORDS T_WORDS
#define posted_item(words, is_head) item_of(value_from_words(words), is_head)
#endif

#endif
