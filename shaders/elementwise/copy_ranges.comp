#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_control_flow_attributes : require

// Copies many ranges of elements. The elements of all ranges are divided evenly, so that the lengths of ranges do not matter. A workgroup
// searches for the ranges of its first and its last element, and loads the ranges between them into workgroup memory. Each invocation
// searches there for the ranges of its own elements, all in lockstep, and loads all its elements before it stores them.

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

const uint PROBES = 32;       // places that are tested at a time in the search for one end
const uint MOST_STAGED = 512; // ranges in workgroup memory
const uint NOWHERE = ~0u;

shared uint ends[2]; // ranges of the tile's first and last element
shared uint staged_begins[MOST_STAGED], staged_sources[MOST_STAGED], staged_destinations[MOST_STAGED];

// Sets `ends` to the last ranges that begin at or before `first` and `last`. Empty ranges begin where the next range begins. Range 0 begins
// at 0. Collective.
void search_ends(uint first, uint last, uint ranges) {
    const uint me = gl_LocalInvocationIndex, end = me / PROBES, probe = me % PROBES;
    if (me < 2) {
        ends[me] = 0;
    }
    barrier();
    for (uint span = ranges; span > 0; span /= PROBES) { // the result is at most ends + span
        const uint stride = span / PROBES + 1;
        const uint place = end < 2 ? ends[end] + (probe + 1) * stride : ranges;
        barrier();
        if (place < ranges && begins[place] <= (end == 0 ? first : last)) {
            atomicMax(ends[end], place);
        }
        barrier();
    }
}

// Returns the place in the tile of this invocation's element in a row.
uint place_of(uint row) {
    return row * WORKGROUP + gl_LocalInvocationIndex;
}

// The ranges of a tile.
uint first_range, tile_ranges;
bool is_staged;

uint begin_of(uint range) {
    return is_staged ? staged_begins[range] : begins[first_range + range];
}

uint source_of(uint range) {
    return is_staged ? staged_sources[range] : source_offsets[first_range + range];
}

uint destination_of(uint range) {
    return is_staged ? staged_destinations[range] : destination_offsets[first_range + range];
}

// Sets the ranges of the tile that begins at `first`. Collective.
void load_ranges(uint first, uint size, uint ranges) {
    search_ends(first, first + size - 1, ranges);
    first_range = ends[0];
    tile_ranges = ends[1] - first_range + 1;
    is_staged = tile_ranges <= MOST_STAGED;
    for (uint i = gl_LocalInvocationIndex; is_staged && i < tile_ranges; i += WORKGROUP) {
        staged_begins[i] = begins[first_range + i];
        staged_sources[i] = source_offsets[first_range + i];
        staged_destinations[i] = destination_offsets[first_range + i];
    }
    barrier();
}

void main() {
    const uint given = COUNT_ON_GPU ? min(count_words[count_word], max_count) : max_count;
    const uvec2 counts = agree(true, uvec2(given, given == 0 ? 0 : min(total[0], max_total))); // the total is in a buffer
    const uint elements = counts.y, tile = weir_workgroup_index();
    if (tile >= elements / TILE + uint(elements % TILE != 0)) {
        return;
    }
    const uint first = tile * TILE, size = min(TILE, elements - first);
    load_ranges(first, size, counts.x);

    uint ranges[ROWS];
    [[unroll]] for (uint row = 0; row < ROWS; ++row) {
        ranges[row] = 0;
    }
    for (uint span = tile_ranges; span > 1; span -= span / 2) {
        [[unroll]] for (uint row = 0; row < ROWS; ++row) {
            const uint middle = ranges[row] + span / 2;
            ranges[row] = begin_of(middle) <= first + place_of(row) ? middle : ranges[row];
        }
    }
    uint from[ROWS], to[ROWS];
    [[unroll]] for (uint row = 0; row < ROWS; ++row) {
        const uint in_range = first + place_of(row) - begin_of(ranges[row]);
        from[row] = source_of(ranges[row]) + in_range;
        to[row] = destination_of(ranges[row]) + in_range;
        const bool is_there = from[row] >= in_range && to[row] >= in_range; // the sums did not overflow 32 bits
        if (place_of(row) >= size || !is_there || from[row] >= source_elements || to[row] >= destination_elements) {
            to[row] = NOWHERE;
        }
    }
    for (uint w = 0; w < WORDS; ++w) {
        uint words[ROWS];
        [[unroll]] for (uint row = 0; row < ROWS; ++row) {
            if (to[row] != NOWHERE) {
                words[row] = source_words[from[row] * WORDS + w];
            }
        }
        [[unroll]] for (uint row = 0; row < ROWS; ++row) {
            if (to[row] != NOWHERE) {
                destination_words[to[row] * WORDS + w] = words[row];
            }
        }
    }
}
