// Conversions between numbers of 8 or 16 bits, packed into words from the lowest bits on, and numbers of one word.

layout(push_constant) uniform Push {
    uint max_count;
    uint count_word;
};

#include "elementwise.glsl"
#include "narrow_interface.h"
#include "half.glsl"

const uint PER_WORD = 32 / BITS;
