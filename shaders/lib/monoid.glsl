#ifndef WEIR_MONOID_GLSL
#define WEIR_MONOID_GLSL

#include "subgroup.glsl"

// A monoid: the type WEIR_T and its associative operator weir_combine with an identity. Operands are never reordered, except that
// WEIR_MONOID_COMMUTES allows an invocation to fold elements that are not neighbors.
//
// The default is the sum of u32. A kernel selects another monoid by macros that it defines before it includes this file:
//   WEIR_ELEMENT, WEIR_COMPONENTS   a built-in type and its number of components
//   WEIR_OPERATOR                   the constant that selects the operator
//   WEIR_CUSTOM_MONOID              the kernel defines WEIR_T, WEIR_T_VALUE, WEIR_T_WORDS, WEIR_MONOID_COMMUTES, weir_identity,
//                                   weir_combine, weir_to_words and weir_from_words
//   SATURATED_SUMS                  WEIR_OPERATOR of u32 may also be WEIR_OPERATOR_ADD_SATURATED
//   SEGMENTED                       scans restart at heads: WEIR_T is an Item of segmented_monoid.glsl, of the monoid WEIR_T_VALUE
//   REDUCED_BY_KEY                  with SEGMENTED: WEIR_T is a Run of run_monoid.glsl, which also counts heads

#include "interface.glsl"
#include "monoid_interface.h"

#define WEIR_ELEMENT_U32 0 // also i32, and f32 for minimum and maximum, which compare bits
#define WEIR_ELEMENT_F32 1
#define WEIR_ELEMENT_U64 2 // a pair of words, because not every device has 64-bit integers; also i64, and f64 for minimum and maximum
#define WEIR_ELEMENT_F64 3

#ifndef WEIR_CUSTOM_MONOID

#ifndef WEIR_ELEMENT
#define WEIR_ELEMENT WEIR_ELEMENT_U32
#endif
#ifndef WEIR_COMPONENTS
#define WEIR_COMPONENTS 1
#endif
#ifndef WEIR_OPERATOR
#define WEIR_OPERATOR WEIR_OPERATOR_ADD
#endif
#define WEIR_MONOID_COMMUTES 1
#define WEIR_T WEIR_T_VALUE

#if WEIR_ELEMENT == WEIR_ELEMENT_U32
#include "monoid_u32.glsl"
#elif WEIR_ELEMENT == WEIR_ELEMENT_F32
#include "monoid_f32.glsl"
#elif WEIR_ELEMENT == WEIR_ELEMENT_U64
#include "monoid_u64.glsl"
#else
#include "monoid_f64.glsl"
#endif

#endif

// Number of interleaved scans of a subgroup. Their shuffles overlap; see weir_subgroup_exclusive_scans.
#if defined(WEIR_NATIVE_SUBGROUP_SCANS) && !defined(SEGMENTED)
#define WEIR_SIDE_BY_SIDE 1
#else
#define WEIR_SIDE_BY_SIDE 4
#endif

#ifndef WEIR_NATIVE_SUBGROUP_SCANS
#include "subgroup_scan.glsl"
#endif

// weir_item_of converts an element to a WEIR_T, weir_value_of converts back.
#ifdef SEGMENTED

#include "segmented_monoid.glsl"
#ifdef REDUCED_BY_KEY
#include "run_monoid.glsl"
#endif

WEIR_T weir_item_of(WEIR_T_VALUE value, bool head) {
    return WEIR_T(value, uint(head));
}

WEIR_T_VALUE weir_value_of(WEIR_T item) {
    return item.value;
}

// Returns true if the item does not depend on preceding items.
bool weir_has_head(WEIR_T item) {
#ifdef REDUCED_BY_KEY
    return false;
#else
    return item.head != 0;
#endif
}

#else

#define weir_value_identity weir_identity
#define weir_value_from_words weir_from_words

#ifdef WEIR_NATIVE_SUBGROUP_SCANS
void weir_subgroup_exclusive_scans(inout WEIR_T values[WEIR_SIDE_BY_SIDE], out WEIR_T totals[WEIR_SIDE_BY_SIDE]) {
    values[0] = weir_subgroup_exclusive_scan(values[0], totals[0]);
}
#endif

WEIR_T weir_item_of(WEIR_T value, bool head) {
    return value;
}

WEIR_T weir_value_of(WEIR_T item) {
    return item;
}

bool weir_has_head(WEIR_T item) {
    return false;
}

#endif

// Conversions between a WEIR_T and the words of a tile state. The state tells if there was a head.
#ifdef REDUCED_BY_KEY
#define weir_posted_item(words, is_head) run_from_words(words)
#else
#define WEIR_STATE_WORDS WEIR_T_WORDS
#define weir_posted_item(words, is_head) weir_item_of(weir_value_from_words(words), is_head)
#endif

#endif
