// Conversions between packed keys and unsigned words of the same order. An invocation has four keys: one word of bytes, or two words of
// 16-bit keys.

layout(push_constant) uniform Push {
    uint max_count;
    uint count_word;
};

#include "elementwise.glsl"
#include "narrow_keys_interface.h"
#include "packed_keys.glsl"
