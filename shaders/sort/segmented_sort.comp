#version 460
#extension GL_GOOGLE_include_directive : require

// Radix sorts of many segments. A workgroup has several consecutive segments. It sorts as many of them at a time as fit in a tile, in
// registers: all their keys together, and in the last pass by segment number. A segment that is longer than a tile is sorted through
// memory, tile by tile for each digit. Without LONG_SEGMENTS such segments are left unsorted. With LISTS_LONG the longest of them are not
// sorted but listed, for passes that sort them by the whole device. No workgroup waits for another. A workgroup sorts each key at most once,
// even if offsets descend: keys of an earlier segment are not part of a later one.

#include "interface.glsl"
#include "radix_tile_interface.h"
#include "segmented_sort_interface.h"
layout(local_size_x_id = 0) in;

#define WEIR_SHUFFLE_BARRIERS SHUFFLE_BARRIERS

layout(push_constant) uniform Push {
    uint max_count; // elements or rows
    uint count_word;
    uint first_bit;
    uint end_bit;
    uint flip_low;
    uint flip_high;
    uint passes;
    uint low_passes;
    uint segment_size; // elements per segment, or number of offsets (maximum if the count is on the GPU)
    uint segment_count_word;
#ifdef LONG_SEGMENTS
    uint list_keys;  // segments of more keys are listed
    uint sweep_tile; // keys per tile of the list
    uint max_tiles;  // number of tiles that fit the list
    uint max_segments;
#endif
};

const bool PLACES_WANTED = VALUE_WORDS > 0 || GROUP_SEGMENTS > 1;

#include <weir/dispatch.glsl>
#include "radix_tile.glsl"
#include "buffer_barrier.glsl"
#include "radix_plan_interface.h"

layout(set = 0, binding = KEYS_BINDING) readonly buffer Keys { uint in_keys[]; };
layout(set = 0, binding = SORTED_KEYS_BINDING) workgroupcoherent buffer SortedKeys { uint out_keys[]; };
layout(set = 0, binding = VALUES_BINDING) readonly buffer Values { uint in_values[]; };
layout(set = 0, binding = SORTED_VALUES_BINDING) workgroupcoherent buffer SortedValues { uint out_values[]; };
layout(set = 0, binding = COUNTS_BINDING) readonly buffer Counts { uint counts[]; };
layout(set = 0, binding = OFFSETS_BINDING) readonly buffer Offsets { uint offsets[]; };
layout(set = 0, binding = SEGMENT_COUNT_BINDING) readonly buffer SegmentCounts { uint segment_counts[]; };
layout(set = 0, binding = BETWEEN_KEYS_BINDING) workgroupcoherent buffer BetweenKeys { uint between_keys[]; };
layout(set = 0, binding = BETWEEN_VALUES_BINDING) workgroupcoherent buffer BetweenValues { uint between_values[]; };
#ifdef LONG_SEGMENTS
layout(set = 0, binding = TOTALS_BINDING) buffer Totals { uint totals[]; };
layout(set = 0, binding = SEGMENT_TILES_BINDING) writeonly buffer SegmentTiles {
    uint list_tiles;
    uint unused[TILE_LIST_WORDS - 1];
    uvec4 list[];
};
#endif

// Returns the number of offsets or, if there are none, of elements per segment.
uint segment_number() {
    return SEGMENT_COUNT_ON_GPU ? min(segment_counts[segment_count_word], segment_size) : segment_size;
}

// Returns the number of elements, the number of segments and, without offsets, the elements per segment.
uvec3 read_counts() {
    const uint given = COUNT_ON_GPU ? min(counts[count_word], max_count) : max_count, number = segment_number();
    return AT_OFFSETS ? uvec3(given, number, 0)
           : BY_ROWS  ? uvec3(given * number, given, number)
                      : uvec3(given, given / number + uint(given % number != 0), number);
}

uint segment_length; // elements per segment

uint segment_first(uint segment, uint count) {
    return min(AT_OFFSETS ? offsets[segment] : segment * segment_length, count);
}

// Returns the end of a segment. It is never before the segment's first element, whatever the offsets.
uint segment_end(uint segment, uint segments, uint count) {
    const uint first = segment_first(segment, count);
    return END_GIVEN || segment + 1 < segments ? max(segment_first(segment + 1, count), first) : count;
}

// Buffers that passes read and write.
const uint SOURCE = 0;
const uint BETWEEN = 1;
const uint TARGET = 2;

uint key_word(uint from, uint at) {
    return from == SOURCE && !KEYS_IN_PLACE ? in_keys[at] : from == BETWEEN ? between_keys[at] : out_keys[at];
}

uvec2 load_key(uint from, uint at) {
    return KEY_WORDS == 1 ? uvec2(key_word(from, at), 0) : uvec2(key_word(from, 2 * at), key_word(from, 2 * at + 1));
}

void store_key(uint to, uint at, uvec2 key) {
    for (uint word = 0; word < KEY_WORDS; ++word) {
        if (to == TARGET) {
            out_keys[at * KEY_WORDS + word] = key[word];
        } else {
            between_keys[at * KEY_WORDS + word] = key[word];
        }
    }
}

uint index_begin = 0; // key with the index 0

uint load_value(uint from, uint at, uint word) {
    if (INDICES && from == SOURCE) {
        return at - index_begin;
    }
    at = at * VALUE_WORDS + word;
    return from == SOURCE && !INDICES && !VALUES_IN_PLACE ? in_values[at] : from == BETWEEN ? between_values[at] : out_values[at];
}

void store_value(uint to, uint at, uint word, uint value) {
    if (to == TARGET) {
        out_values[at * VALUE_WORDS + word] = value;
    } else {
        between_values[at * VALUE_WORDS + word] = value;
    }
}

// Segments of a tile.

const uint MOST_SEGMENTS = GROUP_SEGMENTS < RADIX ? GROUP_SEGMENTS : RADIX; // segment numbers are a digit
shared uint tile_first;                                                     // start of the first segment
shared uint segment_ends[MOST_SEGMENTS];                                    // ends of the segments, relative to tile_first
shared uint fitting;

// Returns how many segments in [segment, end) fit in a tile together. Returns 0 if the first one alone is too long. Keys before `begin` or
// from `limit` on are not part of these segments. Offsets are read only here, each by one invocation. If they change during the sort, all
// invocations still agree. Collective.
uint fit_segments(uint segment, uint end, uint segments, uint begin, uint limit) {
    const uint wanted = min(end - segment, MOST_SEGMENTS);
    barrier();
    if (weir_invocation() == 0) {
        tile_first = max(segment_first(segment, limit), begin);
        fitting = wanted;
    }
    barrier();
    const uint first = tile_first;
    for (uint i = 0; i < MOST_SEGMENTS; i += WORKGROUP) {
        const uint at = i + weir_invocation();
        if (at < wanted) {
            const uint length = max(segment_end(segment + at, segments, limit), first) - first;
            segment_ends[at] = length;
            if (length > TILE) {
                atomicMin(fitting, at, gl_ScopeWorkgroup, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
            }
        }
    }
    barrier();
    return fitting;
}

// Returns the tile's segment at a place, or the last segment if the place is beyond all of them.
uint segment_of(uint place, uint tile_segments) {
    uint ended = 0;
    for (uint step = RADIX / 2; step > 0; step /= 2) {
        if (ended + step < tile_segments && segment_ends[ended + step - 1] <= place) {
            ended += step;
        }
    }
    return ended;
}

// Sorts segments that begin at element `first` and have `count` keys in total. Collective.
void sort_segments(uint first, uint count, uint tile_segments) {
    const bool several = GROUP_SEGMENTS > 1 && tile_segments > 1;
    [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
        const uint at = key_position(i);
        places[i] = several ? at | segment_of(at, tile_segments) << 16 : at;
        if (at < count) {
            hold_key(i, load_key(SOURCE, first + at));
        } else {
            hold_padding(i);
        }
    }
    sort_tile(several);
    if (KEYS_IN_PLACE) {
        workgroup_buffer_barrier();
    }
    if (WRITES_KEYS) {
        [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
            if (key_position(i) < count) {
                store_key(TARGET, first + key_position(i), held_key(i));
            }
        }
    }
    for (uint word = 0; word < VALUE_WORDS; ++word) {
        [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
            if (key_position(i) < count) {
                if (LOCAL_INDICES) {
                    const uint number = places[i] >> 16;
                    index_begin = first + (number == 0 ? 0 : segment_ends[number - 1]);
                }
                moved[i] = load_value(SOURCE, first + (places[i] & PLACE_MASK), word);
            }
        }
        if (VALUES_IN_PLACE) {
            workgroup_buffer_barrier();
        }
        [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
            if (key_position(i) < count) {
                store_value(TARGET, first + key_position(i), word, moved[i]);
            }
        }
    }
}

#ifdef LONG_SEGMENTS

// Sort of a segment that is longer than a tile.

shared uint digit_bases[RADIX]; // destination of a digit's keys minus their start in the sorted tile

// Loads the keys in [begin, end), at most a tile, and fills the rest with padding.
void hold_keys(uint from, uint begin, uint end, bool high) {
    [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
        if (key_position(i) < end - begin) {
            hold_key(i, load_key(from, begin + key_position(i)));
        } else {
            hold_padding(i);
        }
    }
    if (KEY_WORDS == 2 && high) {
        swap_words();
    }
}

// Moves the loaded keys of a segment, from `begin` on, and their values to the places given by digit_bases and their ranks.
void scatter_keys(uint from, uint to, uint begin, uint tile_keys, uint first, uint count, bool high) {
    if (KEY_WORDS == 2 && high) {
        swap_words();
    }
    const Digit digit = pass_digit;
    [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
        const uint word = KEY_WORDS == 2 && high ? other_words[i] : keys[i];
        const uint target = digit_bases[digit_of(word, digit)] + key_rank(i);
        if (key_position(i) < tile_keys && target < count) { // the target is valid unless segments overlap and change during the sort
            store_key(to, first + target, held_key(i));
            for (uint w = 0; w < VALUE_WORDS; ++w) {
                store_value(to, first + target, w, load_value(from, begin + key_position(i), w));
            }
        }
    }
}

// Sorts a segment's keys and values stably by pass_digit. The first step counts the digits of all keys. Each further step moves one tile.
// Both share one loop, because its code is long. Collective.
void move_by_digit(uint from, uint to, uint first, uint count, bool high) {
    uint next[DIGITS]; // next place of each of this invocation's digits
    const uint tiles = (count - 1) / TILE + 1;
    for (uint step = 0; step <= tiles; ++step) {
        const bool counts_all = step == 0;
        const uint begin = counts_all ? 0 : (step - 1) * TILE;
        const uint end = counts_all ? count : min(begin + TILE, count);
        barrier();
        clear_rows();
        barrier();
        for (uint at = begin; at < end; at += TILE) {
            hold_keys(from, first + at, first + min(at + TILE, count), high);
            count_rows(min(TILE, count - at));
        }
        barrier();
        start_rows();
        for (uint i = 0; i < DIGITS; ++i) {
            if (counts_all) {
                next[i] = digit_starts[i];
            } else if (own_digit(i) < RADIX) {
                digit_bases[own_digit(i)] = next[i] - digit_starts[i];
            }
        }
        barrier();
        if (!counts_all) {
            rank_keys();
            scatter_keys(from, to, first + begin, end - begin, first, count, high);
            barrier();
            for (uint i = 0; i < DIGITS; ++i) {
                if (own_digit(i) < RADIX) { // after ranking, the counters of the last row are the ends of its keys
                    next[i] += pool[(ROWS - 1) * RADIX + own_digit(i)] - digit_starts[i];
                }
            }
        }
    }
}

// Sorts a segment of any length, pass by pass through memory. Collective.
void sort_long_segment(uint first, uint count) {
    // The last pass must end in the target. In place, an odd number of passes therefore starts with a copy, which is a pass by zero bits.
    const uint copies = (KEYS_IN_PLACE || VALUES_IN_PLACE) ? passes % 2 : 0;
    const uint all_passes = copies + passes;
    uint from = SOURCE;
    if (LOCAL_INDICES) {
        index_begin = first;
    }
    for (uint pass = 0; pass < all_passes; ++pass) {
        const uint to = (all_passes - pass) % 2 == 0 ? BETWEEN : TARGET;
        const uint key_pass = pass - copies;
        workgroup_buffer_barrier();
        if (weir_invocation() == 0) {
            pass_digit = pass < copies ? Digit(0, 0, 0)
                                       : digit_of_pass(key_pass, low_passes, first_bit, end_bit, uvec2(flip_low, flip_high));
        }
        move_by_digit(from, to, first, count, pass >= copies && key_pass >= low_passes);
        from = to;
    }
}

shared uvec2 listed; // first tile and number of a segment

// Adds a segment to the list. If offsets do not ascend, segments may exceed the list; their tiles then get no keys. Collective.
void list_segment(uint first, uint count) {
    const uint tiles = (count - 1) / sweep_tile + 1;
    if (weir_invocation() == 0) {
        listed = uvec2(max_tiles);
        // Once the list is full, its number of tiles no longer grows. It cannot overflow.
        if (atomicLoad(totals[LISTED_TILES], gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed) < max_tiles) {
            listed.x = atomicAdd(totals[LISTED_TILES], tiles, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
            listed.y = atomicAdd(totals[LISTED_SEGMENTS], 1, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
        }
    }
    barrier();
    const uint end = listed.x + tiles;
    const bool fits = end <= max_tiles && listed.y < max_segments;
    for (uint tile = listed.x + weir_invocation(); tile < min(end, max_tiles); tile += WORKGROUP) {
        list[tile] = fits ? uvec4(first, count, listed) : uvec4(0);
    }
    barrier();
}

#endif

shared uint shared_segments, shared_length, shared_end, shared_limit;

void main() {
    uint segment = weir_workgroup_index() * GROUP_SEGMENTS;
    if (weir_invocation() == 0) {
        const uvec3 read = read_counts();
        const uint count = read.x, read_segments = read.y;
        segment_length = read.z;
        const uint last = min(segment + GROUP_SEGMENTS, read_segments);
        const uint limit = segment < last ? segment_end(last - 1, read_segments, count) : 0;
        shared_segments = read_segments;
        shared_length = read.z;
        shared_end = segment < last && segment_first(segment, count) < limit ? last : segment;
        shared_limit = limit;
    }
    barrier();
    const uint segments = shared_segments, end = shared_end, limit = shared_limit;
    segment_length = shared_length;
    uint begin = 0;
    while (segment < end) {
        const uint tile_segments = fit_segments(segment, end, segments, begin, limit);
        const uint first = tile_first, tile_keys = segment_ends[max(tile_segments, 1) - 1];
        if (tile_segments > 0) {
            if (tile_keys > 0) {
                sort_segments(first, tile_keys, tile_segments);
            }
        }
#ifdef LONG_SEGMENTS
        else if (LISTS_LONG && tile_keys > list_keys) {
            list_segment(first, tile_keys);
        } else {
            sort_long_segment(first, tile_keys);
        }
#endif
        begin = first + tile_keys;
        segment += max(tile_segments, 1);
    }
}
