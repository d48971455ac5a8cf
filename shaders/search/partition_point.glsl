// Counts the elements that satisfy a predicate. They must precede all others. One workgroup searches at as many places at a time as it has
// invocations.

#include "interface.glsl"
#include "partition_point_interface.h"
layout(local_size_x_id = 0) in;

layout(push_constant) uniform Push {
    uint max_count;
    uint count_word;
    uint in_offset; // in words
    uint in_stride;
#include "last_push.glsl"
};

layout(set = 0, binding = INPUT_BINDING) readonly buffer Input { uint in_words[]; };
layout(set = 0, binding = OUTPUT_BINDING) writeonly buffer Output { uint out_words[]; };
layout(set = 0, binding = COUNTS_BINDING) readonly buffer Counts { uint count_words[]; };

#include "agree.glsl"
#include "predicate.glsl"

shared uint places; // number of probed places at which the predicate holds

void main() {
    const uint invocation = gl_LocalInvocationIndex;
    uint low = 0; // the point is in [low, low + length]
    uint length = agree(COUNT_ON_GPU, COUNT_ON_GPU ? min(count_words[count_word], max_count) : max_count);
    while (length > 0) {
        const uint step = (length - 1) / WORKGROUP + 1;
        if (invocation == 0) {
            places = 0;
        }
        barrier();
        // Stays within the range: places beyond it may exceed 32 bits.
        if (invocation <= (length - 1) / step && holds(low + invocation * step)) {
            atomicAdd(places, 1);
        }
        barrier();
        const uint before = places;
        barrier();
        // The point is after the last place at which the predicate holds, and not after the next probed place.
        const uint past = before == 0 ? 0 : (before - 1) * step + 1;
        length = before == 0 ? 0 : min(step - 1, length - past);
        low += past;
    }
    if (invocation == 0) {
        out_words[0] = low;
    }
}
