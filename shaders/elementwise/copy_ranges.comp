#version 460
#extension GL_GOOGLE_include_directive : require

// Copies many ranges of elements. The elements of all ranges are divided evenly, so that the lengths of ranges do not matter. A workgroup
// searches for the ranges of its first and its last element. Each invocation then searches for the ranges of its own elements between them.

#include "interface.glsl"
#include "copy_ranges_interface.h"
layout(local_size_x_id = 0) in;

layout(push_constant) uniform Push {
    uint max_count; // ranges
    uint count_word;
    uint max_total;            // maximum number of elements of all ranges
    uint source_elements;      // size of the source
    uint destination_elements; // capacity of the destination
};

#include "agree.glsl"
#include <weir/dispatch.glsl>

layout(set = 0, binding = COUNTS_BINDING) readonly buffer Counts { uint count_words[]; };
layout(set = 0, binding = SOURCE_BINDING) readonly buffer Source { uint source_words[]; };
layout(set = 0, binding = DESTINATION_BINDING) writeonly buffer Destination { uint destination_words[]; };
layout(set = 0, binding = SOURCE_OFFSETS_BINDING) readonly buffer SourceOffsets { uint source_offsets[]; };
layout(set = 0, binding = DESTINATION_OFFSETS_BINDING) readonly buffer DestinationOffsets { uint destination_offsets[]; };
layout(set = 0, binding = BEGINS_BINDING) readonly buffer Begins { uint begins[]; };
layout(set = 0, binding = TOTAL_BINDING) readonly buffer Total { uint total[]; };

const uint TILE = WORKGROUP * ROWS;

shared uint ends[2]; // ranges of the tile's first and last element

// Returns the last range in [low, high) that begins at or before the element. Range `low` must do so. Empty ranges begin where the next
// range begins.
uint range_of(uint element, uint low, uint high) {
    while (low + 1 < high) {
        const uint middle = low + (high - low) / 2;
        if (begins[middle] <= element) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

void main() {
    const uint given = COUNT_ON_GPU ? min(count_words[count_word], max_count) : max_count;
    const uvec2 counts = agree(true, uvec2(given, given == 0 ? 0 : min(total[0], max_total))); // the total is in a buffer
    const uint ranges = counts.x, elements = counts.y, tile = weir_workgroup_index();
    const uint me = gl_LocalInvocationIndex;
    if (tile >= elements / TILE + uint(elements % TILE != 0)) {
        return;
    }
    const uint first = tile * TILE, size = min(TILE, elements - first);
    if (me < 2) {
        ends[me] = range_of(first + me * (size - 1), 0, ranges);
    }
    barrier();
    for (uint row = 0; row < ROWS; ++row) {
        const uint place = row * WORKGROUP + me;
        if (place < size) {
            const uint range = range_of(first + place, ends[0], ends[1] + 1), in_range = first + place - begins[range];
            const uint from = source_offsets[range] + in_range, to = destination_offsets[range] + in_range;
            const bool is_there = from >= in_range && to >= in_range; // the sums did not overflow 32 bits
            if (is_there && from < source_elements && to < destination_elements) {
                for (uint w = 0; w < WORDS; ++w) {
                    destination_words[to * WORDS + w] = source_words[from * WORDS + w];
                }
            }
        }
    }
}
