// Computes the exposure from the histogram of luminances. The mean of the pixels that are neither among the darkest nor
// among the brightest becomes a middle grey.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "records.h"

layout(local_size_x = 1) in;
layout(binding = 0) readonly buffer Views { View view; };
layout(binding = 1) readonly buffer Counts { uint counts[]; };
layout(binding = 2) buffer Exposure { float exposure; }; // 0 before the first frame
layout(push_constant) uniform Push {
    uint bins;
    float lowest, highest; // range of the histogram, logarithms of luminances
};

void main() {
    const float pixels = float(view.width * view.height), low = 0.3 * pixels, high = 0.95 * pixels;
    float before = 0.0, weight = 0.0, sum = 0.0;
    for (uint i = 0; i < bins; ++i) {
        const float after = before + float(counts[i]), part = max(min(after, high) - max(before, low), 0.0);
        sum += part * (lowest + (highest - lowest) * (float(i) + 0.5) / float(bins));
        weight += part;
        before = after;
    }
    const float wanted = view.brightness * 0.35 / exp2(weight > 0.0 ? sum / weight : 0.0);
    exposure = exposure == 0.0 ? wanted : mix(exposure, wanted, view.exposure_rate);
}
