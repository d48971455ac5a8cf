#version 460
#extension GL_GOOGLE_include_directive : require

// Copies the first keys of each segment of one length, which is sorted. Segments with fewer keys are padded.

#include "interface.glsl"
#include "first_keys_interface.h"
layout(local_size_x_id = 0) in;

layout(push_constant) uniform Push {
    uint max_count;
    uint count_word;
    uint segment_size;
    uint wanted; // keys to copy of each segment
};

#include <weir/dispatch.glsl>
#include "total_order.glsl"

layout(set = 0, binding = KEYS_BINDING) readonly buffer Keys { uint keys[]; };
layout(set = 0, binding = INDICES_BINDING) readonly buffer Indices { uint indices[]; };
layout(set = 0, binding = FIRST_KEYS_BINDING) writeonly buffer FirstKeys { uint first_keys[]; };
layout(set = 0, binding = FIRST_INDICES_BINDING) writeonly buffer FirstIndices { uint first_indices[]; };
layout(set = 0, binding = TOTAL_BINDING) writeonly buffer Total { uint total[]; };
layout(set = 0, binding = COUNTS_BINDING) readonly buffer Counts { uint counts[]; };

void main() {
    const uint count = COUNT_ON_GPU ? min(counts[count_word], max_count) : max_count;
    const uint segments = count / segment_size + uint(count % segment_size != 0);
    const uint place = weir_workgroup_index() * WORKGROUP + gl_LocalInvocationIndex;
    if (WRITES_TOTAL && place == 0) {
        total[0] = segments * wanted;
        total[1] = segments;
    }
    if (place >= segments * wanted) {
        return;
    }
    const uint begin = place / wanted * segment_size, at = place % wanted;
    const bool exists = at < min(segment_size, count - begin);
    const uvec2 padding = number_of(uvec2(DESCENDING ? 0 : ~0u));
    for (uint word = 0; word < KEY_WORDS; ++word) {
        first_keys[place * KEY_WORDS + word] =
            exists ? keys[(begin + at) * KEY_WORDS + word] : padding[KEY_WORDS == 2 ? word : 1];
    }
    if (INDICES) {
        first_indices[place] = exists ? indices[begin + at] : ~0u;
    }
}
