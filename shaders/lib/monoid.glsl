#ifndef WEIR_MONOID_GLSL
#define WEIR_MONOID_GLSL

#include "subgroup.glsl"

// A monoid: the type T and its associative operator `combine` with an identity. Operands are never reordered, except that MONOID_COMMUTES
// allows an invocation to fold elements that are not neighbors.
//
// The default is the sum of u32. A kernel selects another monoid by macros that it defines before it includes this file:
//   ELEMENT, COMPONENTS, OPERATOR   a built-in type, its number of components, and the constant that selects the operator
//   CUSTOM_MONOID                   the kernel defines T, T_VALUE, T_WORDS, MONOID_COMMUTES, identity, combine, to_words and from_words
//   SATURATED_SUMS                  OPERATOR of u32 may also be OPERATOR_ADD_SATURATED
//   SEGMENTED                       scans restart at heads: T is an Item of segmented_monoid.glsl, of the monoid T_VALUE
//   REDUCED_BY_KEY                  with SEGMENTED: T is a Run of run_monoid.glsl, which also counts heads

#include "interface.glsl"
#include "monoid_interface.h"

#define ELEMENT_U32 0 // also i32, and f32 for minimum and maximum, which compare bits
#define ELEMENT_F32 1
#define ELEMENT_U64 2 // a pair of words, because not every device has 64-bit integers; also i64, and f64 for minimum and maximum
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

// Number of interleaved scans of a subgroup. Their shuffles overlap; see subgroup_exclusive_scans.
#if defined(NATIVE_SUBGROUP_SCANS) && !defined(SEGMENTED)
#define SIDE_BY_SIDE 1
#else
#define SIDE_BY_SIDE 4
#endif

#ifndef NATIVE_SUBGROUP_SCANS
#include "subgroup_scan.glsl"
#endif

// item_of converts an element to a T, value_of converts back.
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

// Returns true if the item does not depend on preceding items.
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

// Conversions between a T and the words of a tile state. The state tells if there was a head.
#ifdef REDUCED_BY_KEY
#define posted_item(words, is_head) run_from_words(words)
#else
#define STATE_WORDS T_WORDS
#define posted_item(words, is_head) item_of(value_from_words(words), is_head)
#endif

#endif
