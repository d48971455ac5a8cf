#version 460
#extension GL_GOOGLE_include_directive : require

// Adds the plans of all windows of a large radix sort (radix_histogram.comp). Writes the table of bases (radix_plan_interface.h).

#include "interface.glsl"
#include "radix_bases_interface.h"
layout(local_size_x_id = 0) in;

layout(push_constant) uniform Push {
    uint windows;
    uint plan_words; // words from one plan to the next
};

#include "radix_digit_interface.h"
#include "radix_plan_interface.h"
#include "large_places.glsl"

layout(set = 0, binding = PLANS_BINDING) readonly buffer Plans { uint plans[]; };
layout(set = 0, binding = BASES_BINDING) writeonly buffer Bases { uvec2 bases[]; };

const uint RADIX = 1 << RADIX_BITS;

// Returns the sum of a word over all plans.
uvec2 sum_of(uint word) {
    uvec2 sum = uvec2(0);
    for (uint window = 0; window < windows; ++window) {
        sum = add_to_place(sum, plans[window * plan_words + word]);
    }
    return sum;
}

void main() {
    const uint pass = gl_WorkGroupID.x;
    for (uint digit = gl_LocalInvocationIndex; digit < RADIX; digit += WORKGROUP) {
        bases[FIRST_BASE + 2 * pass * RADIX + digit] = sum_of(PASS_WORDS * MAX_PASSES + pass * RADIX + digit);
    }
    if (pass == 0 && gl_LocalInvocationIndex == 0) {
        bases[0] = sum_of(0);
    }
}
