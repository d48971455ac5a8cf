#ifndef WEIR_PREDICATE_GLSL
#define WEIR_PREDICATE_GLSL

// A predicate on elements of the input: a comparison, or the application's expression with CUSTOM_PREDICATE. Needs the constants
// ITEM_WORDS, NUMBERS (NUMBERS_*) and COMPARISON (weir::Comparison), the buffer in_words, and the push constants in_offset and in_stride.
// Comparisons also need the push constants threshold_low and threshold_high.

#ifdef CUSTOM_PREDICATE

bool predicate(uint item[ITEM_WORDS], uint i);

bool holds(uint i) {
    uint words[ITEM_WORDS];
    for (uint w = 0; w < ITEM_WORDS; ++w) {
        words[w] = in_words[in_offset + i * in_stride + w];
    }
    return predicate(words, i);
}

#else

#include "comparison.glsl"

// Returns the low and the high word of a number. A number of one word is returned twice.
uvec2 loaded_number(uint i) {
    const uint at = in_offset + i * in_stride;
    return uvec2(in_words[at], in_words[at + ITEM_WORDS - 1]);
}

bool holds(uint i) {
    const uvec2 number = loaded_number(i);
    return compares(COMPARISON, sortable(number.x, number.y), sortable(threshold_low, threshold_high));
}

#endif

#endif
