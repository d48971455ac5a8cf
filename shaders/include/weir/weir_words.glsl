#ifndef WEIR_WORDS_LAYER_GLSL
#define WEIR_WORDS_LAYER_GLSL

#extension GL_EXT_control_flow_attributes : require

// Conversions of values to words of memory and back:
//
//     void weir_to_words(T value, out uint words[WORDS])
//     void weir_from_words(uint words[WORDS], out T value)
//
// They exist for float, int, uint and vectors of them. WEIR_WORDS_2(T, a, b) defines them for a struct with members a and b of type float,
// int, uint or bool. WEIR_WORDS_1 to WEIR_WORDS_8 exist. For other types, define both functions yourself.

uint weir_word(uint x) {
    return x;
}

uint weir_word(int x) {
    return uint(x);
}

uint weir_word(float x) {
    return floatBitsToUint(x);
}

uint weir_word(bool x) {
    return uint(x);
}

void weir_set(out uint x, uint word) {
    x = word;
}

void weir_set(out int x, uint word) {
    x = int(word);
}

void weir_set(out float x, uint word) {
    x = uintBitsToFloat(word);
}

void weir_set(out bool x, uint word) {
    x = word != 0;
}

#define WEIR_WORDS_OF(T)                                                                                                         \
    void weir_to_words(T value, out uint words[1]) {                                                                             \
        words[0] = weir_word(value);                                                                                             \
    }                                                                                                                            \
    void weir_from_words(uint words[1], out T value) {                                                                           \
        weir_set(value, words[0]);                                                                                               \
    }
WEIR_WORDS_OF(uint)
WEIR_WORDS_OF(int)
WEIR_WORDS_OF(float)

#define WEIR_WORDS_OF_VECTOR(T, COMPONENTS)                                                                                      \
    void weir_to_words(T value, out uint words[COMPONENTS]) {                                                                    \
        [[unroll]] for (uint i = 0; i < COMPONENTS; ++i) {                                                                       \
            words[i] = weir_word(value[i]);                                                                                      \
        }                                                                                                                        \
    }                                                                                                                            \
    void weir_from_words(uint words[COMPONENTS], out T value) {                                                                  \
        [[unroll]] for (uint i = 0; i < COMPONENTS; ++i) {                                                                       \
            weir_set(value[i], words[i]);                                                                                        \
        }                                                                                                                        \
    }
WEIR_WORDS_OF_VECTOR(uvec2, 2)
WEIR_WORDS_OF_VECTOR(uvec3, 3)
WEIR_WORDS_OF_VECTOR(uvec4, 4)
WEIR_WORDS_OF_VECTOR(ivec2, 2)
WEIR_WORDS_OF_VECTOR(ivec3, 3)
WEIR_WORDS_OF_VECTOR(ivec4, 4)
WEIR_WORDS_OF_VECTOR(vec2, 2)
WEIR_WORDS_OF_VECTOR(vec3, 3)
WEIR_WORDS_OF_VECTOR(vec4, 4)

#define WEIR_WORDS_STRUCT(T, WORDS, to, from)                                                                                    \
    void weir_to_words(T value, out uint words[WORDS]) {                                                                         \
        to                                                                                                                       \
    }                                                                                                                            \
    void weir_from_words(uint words[WORDS], out T value) {                                                                       \
        from                                                                                                                     \
    }
#define WEIR_TO_WORD(i, a) words[i] = weir_word(value.a);
#define WEIR_FROM_WORD(i, a) weir_set(value.a, words[i]);
#define WEIR_TO_WORDS_1(a) WEIR_TO_WORD(0, a)
#define WEIR_TO_WORDS_2(a, b) WEIR_TO_WORDS_1(a) WEIR_TO_WORD(1, b)
#define WEIR_TO_WORDS_3(a, b, c) WEIR_TO_WORDS_2(a, b) WEIR_TO_WORD(2, c)
#define WEIR_TO_WORDS_4(a, b, c, d) WEIR_TO_WORDS_3(a, b, c) WEIR_TO_WORD(3, d)
#define WEIR_TO_WORDS_5(a, b, c, d, e) WEIR_TO_WORDS_4(a, b, c, d) WEIR_TO_WORD(4, e)
#define WEIR_TO_WORDS_6(a, b, c, d, e, f) WEIR_TO_WORDS_5(a, b, c, d, e) WEIR_TO_WORD(5, f)
#define WEIR_TO_WORDS_7(a, b, c, d, e, f, g) WEIR_TO_WORDS_6(a, b, c, d, e, f) WEIR_TO_WORD(6, g)
#define WEIR_TO_WORDS_8(a, b, c, d, e, f, g, h) WEIR_TO_WORDS_7(a, b, c, d, e, f, g) WEIR_TO_WORD(7, h)
#define WEIR_FROM_WORDS_1(a) WEIR_FROM_WORD(0, a)
#define WEIR_FROM_WORDS_2(a, b) WEIR_FROM_WORDS_1(a) WEIR_FROM_WORD(1, b)
#define WEIR_FROM_WORDS_3(a, b, c) WEIR_FROM_WORDS_2(a, b) WEIR_FROM_WORD(2, c)
#define WEIR_FROM_WORDS_4(a, b, c, d) WEIR_FROM_WORDS_3(a, b, c) WEIR_FROM_WORD(3, d)
#define WEIR_FROM_WORDS_5(a, b, c, d, e) WEIR_FROM_WORDS_4(a, b, c, d) WEIR_FROM_WORD(4, e)
#define WEIR_FROM_WORDS_6(a, b, c, d, e, f) WEIR_FROM_WORDS_5(a, b, c, d, e) WEIR_FROM_WORD(5, f)
#define WEIR_FROM_WORDS_7(a, b, c, d, e, f, g) WEIR_FROM_WORDS_6(a, b, c, d, e, f) WEIR_FROM_WORD(6, g)
#define WEIR_FROM_WORDS_8(a, b, c, d, e, f, g, h) WEIR_FROM_WORDS_7(a, b, c, d, e, f, g) WEIR_FROM_WORD(7, h)
#define WEIR_WORDS_1(T, a) WEIR_WORDS_STRUCT(T, 1, WEIR_TO_WORDS_1(a), WEIR_FROM_WORDS_1(a))
#define WEIR_WORDS_2(T, a, b) WEIR_WORDS_STRUCT(T, 2, WEIR_TO_WORDS_2(a, b), WEIR_FROM_WORDS_2(a, b))
#define WEIR_WORDS_3(T, a, b, c) WEIR_WORDS_STRUCT(T, 3, WEIR_TO_WORDS_3(a, b, c), WEIR_FROM_WORDS_3(a, b, c))
#define WEIR_WORDS_4(T, a, b, c, d) WEIR_WORDS_STRUCT(T, 4, WEIR_TO_WORDS_4(a, b, c, d), WEIR_FROM_WORDS_4(a, b, c, d))
#define WEIR_WORDS_5(T, a, b, c, d, e) WEIR_WORDS_STRUCT(T, 5, WEIR_TO_WORDS_5(a, b, c, d, e), WEIR_FROM_WORDS_5(a, b, c, d, e))
#define WEIR_WORDS_6(T, a, b, c, d, e, f)                                                                                        \
    WEIR_WORDS_STRUCT(T, 6, WEIR_TO_WORDS_6(a, b, c, d, e, f), WEIR_FROM_WORDS_6(a, b, c, d, e, f))
#define WEIR_WORDS_7(T, a, b, c, d, e, f, g)                                                                                     \
    WEIR_WORDS_STRUCT(T, 7, WEIR_TO_WORDS_7(a, b, c, d, e, f, g), WEIR_FROM_WORDS_7(a, b, c, d, e, f, g))
#define WEIR_WORDS_8(T, a, b, c, d, e, f, g, h)                                                                                  \
    WEIR_WORDS_STRUCT(T, 8, WEIR_TO_WORDS_8(a, b, c, d, e, f, g, h), WEIR_FROM_WORDS_8(a, b, c, d, e, f, g, h))

#endif
