// Shared by narrow.comp and widen.comp, which convert between numbers of one word and numbers of 8 or 16 bits. Narrow numbers are
// packed into words, the first one in the lowest bits.

layout(push_constant) uniform Push {
    uint max_count;
    uint count_word;
};

#include "elementwise.glsl"
#include "narrow_interface.h"
#include "half.glsl"

const uint PER_WORD = 32 / BITS;
