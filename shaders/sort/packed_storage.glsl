// Loads and stores of keys of 8 or 16 bits in the buffers of a sort. Needs 8- and 16-bit storage, and the constants of packed_keys.glsl.

#extension GL_EXT_shader_8bit_storage : require
#extension GL_EXT_shader_16bit_storage : require
#extension GL_KHR_memory_scope_semantics : require

#include "packed_keys.glsl"

layout(set = 0, binding = KEYS_BINDING) readonly buffer PackedKeys { uint in_packed_keys[]; };
layout(set = 0, binding = SORTED_KEYS_BINDING) workgroupcoherent writeonly buffer SortedBytes { uint8_t out_bytes[]; };
layout(set = 0, binding = SORTED_KEYS_BINDING) workgroupcoherent writeonly buffer SortedHalves { uint16_t out_halves[]; };

uint load_bits(uint at) {
    return unpack_bits(in_packed_keys[at / KEYS_PER_WORD], at);
}

void store_bits(uint at, uint bits) {
    if (KEY_BITS == 8) {
        out_bytes[at] = uint8_t(bits);
    } else {
        out_halves[at] = uint16_t(bits);
    }
}
