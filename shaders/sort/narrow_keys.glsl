// Keys of 8 or 16 bits, packed into words from the lowest bits on, and unsigned words of the same order. An invocation has four keys: one word
// of bytes, or two words of 16 bits.

layout(push_constant) uniform Push {
    uint max_count;
    uint count_word;
};

#include "elementwise.glsl"
#include "narrow_keys_interface.h"
#include "total_order.glsl"

const uint UNUSED_BITS = 32 - KEY_BITS;
const uint KEYS_PER_WORD = 32 / KEY_BITS;

// Where in its word a key begins.
uint shift_of(uint key) {
    return key % KEYS_PER_WORD * KEY_BITS;
}
