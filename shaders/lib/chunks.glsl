#ifndef WEIR_CHUNKS_GLSL
#define WEIR_CHUNKS_GLSL

#include "interface.glsl"
#include "chunks_interface.h"
#include "monoid.glsl"

// Loads of elements. Needs these constants:
//     WHOLE_VECTORS           elements are contiguous and start at a multiple of 16 bytes
//     IN_PLACE                the output is the input
//     INITIAL                 use of the initial value: INITIAL_*
// Needs the push constants in_offset and in_stride, in words, and initial_words. Elements are words of the input. With CUSTOM_LOAD they are
// the results of the kernel's WEIR_T_VALUE load(uint i). The kernel defines or declares this function before it includes this file, or
// after it with LOAD_FOLLOWS. With INITIAL_CARRIED the initial value is in the words of the array WEIR_CARRIED_WORDS.
//
// A chunk is the minimum number of elements that fill whole vectors of 16 bytes.
#if WEIR_T_WORDS % 4 == 0
#define CHUNK 1
#elif WEIR_T_WORDS % 2 == 0
#define CHUNK 2
#else
#define CHUNK 4
#endif
#define CHUNK_WORDS (CHUNK * WEIR_T_WORDS)

layout(set = 0, binding = INPUT_BINDING) readonly buffer Input { uint in_words[]; };
layout(set = 0, binding = INPUT_BINDING) readonly buffer InputVectors { uvec4 in_vectors[]; };
layout(set = 0, binding = OUTPUT_BINDING) buffer Output { uint out_words[]; };
layout(set = 0, binding = OUTPUT_BINDING) buffer OutputVectors { uvec4 out_vectors[]; };

WEIR_T_VALUE element_of(uint words[WEIR_T_WORDS]) {
#ifdef WEIR_ELEMENT_REORDERED
    return weir_reordered(weir_value_from_words(words));
#else
    return weir_value_from_words(words);
#endif
}

void words_of(WEIR_T_VALUE value, out uint words[WEIR_T_WORDS]) {
#ifdef WEIR_ELEMENT_REORDERED
    weir_to_words(weir_reordered(value), words);
#else
    weir_to_words(value, words);
#endif
}

#ifndef CUSTOM_LOAD
WEIR_T_VALUE load(uint i) {
    uint words[WEIR_T_WORDS];
    [[unroll]] for (uint w = 0; w < WEIR_T_WORDS; ++w) {
        const uint at = in_offset + i * in_stride + w;
        words[w] = IN_PLACE ? out_words[at] : in_words[at];
    }
    return element_of(words);
}
#elif defined(LOAD_FOLLOWS)
WEIR_T_VALUE load(uint i);
#endif

WEIR_T_VALUE given_value(bool given) {
    uint words[WEIR_T_WORDS];
    [[unroll]] for (uint w = 0; w < WEIR_T_WORDS; ++w) {
        words[w] = initial_words[w];
    }
#ifdef WEIR_CARRIED_WORDS
    if (INITIAL == INITIAL_CARRIED) {
        [[unroll]] for (uint w = 0; w < WEIR_T_WORDS; ++w) {
            words[w] = WEIR_CARRIED_WORDS[w];
        }
    }
#endif
    WEIR_T_VALUE value = weir_value_identity();
    if (given) {
        value = element_of(words);
    }
    return value;
}

WEIR_T_VALUE initial_value() {
    return given_value(INITIAL == INITIAL_ALWAYS || INITIAL == INITIAL_CARRIED);
}

// Loads a chunk that does not extend beyond the end.
void load_vectors(uint index, out WEIR_T_VALUE chunk[CHUNK]) {
    uint words[CHUNK_WORDS];
    [[unroll]] for (uint v = 0; v < CHUNK_WORDS / 4; ++v) {
        const uint at = in_offset / 4 + index * (CHUNK_WORDS / 4) + v;
        const uvec4 vector = IN_PLACE ? out_vectors[at] : in_vectors[at];
        [[unroll]] for (uint c = 0; c < 4; ++c) {
            words[v * 4 + c] = vector[c];
        }
    }
    [[unroll]] for (uint e = 0; e < CHUNK; ++e) {
        uint element[WEIR_T_WORDS];
        [[unroll]] for (uint w = 0; w < WEIR_T_WORDS; ++w) {
            element[w] = words[e * WEIR_T_WORDS + w];
        }
        chunk[e] = element_of(element);
    }
}

// Loads a chunk that may extend beyond the end. Elements there are the identity.
void load_chunk(uint index, uint count, out WEIR_T_VALUE chunk[CHUNK]) {
#ifndef CUSTOM_LOAD
    if (WHOLE_VECTORS && index < count / CHUNK) {
        load_vectors(index, chunk);
    } else
#endif
    {
        [[unroll]] for (uint e = 0; e < CHUNK; ++e) {
            chunk[e] = weir_value_identity();
            if (index * CHUNK + e < count) {
                chunk[e] = load(index * CHUNK + e);
            }
        }
    }
}

#endif
