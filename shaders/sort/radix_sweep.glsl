// One pass of a radix sort: sorts keys, and values if there are any, stably by one digit, in a single sweep (Adinets and Merrill,
// "Onesweep"). Each tile counts its digits, finds their destinations by look-back, ranks its keys, and stores them in the order of the
// digit.
//
// ORDER_ANY and ORDER_CHECKED are for keys without values that are sorted by all their bits, because equal keys are then indistinguishable.
// ORDER_ANY is for the first pass, in which keys may come in any order. Tiles reserve places by atomics and do not look back. ORDER_CHECKED
// is for later passes, in which a tile's keys arrive sorted by the lower digits, on devices that are likely to serve the atomics of a
// subgroup in lane order. It ranks by atomics, in half the time of ballots. When a tile is stored, it checks that its keys of each digit
// are still sorted. If not, the tile is stored again, ranked by ballots.
//
// With LARGE a dispatch sorts a window of the keys, which may be more than a binding can access. Places are 64-bit numbers. Look-back works
// within the window. A table has the places at which the window's keys of each digit begin; the last tile writes them for the next window.
// Results are stored by address.
//
// With NARROW_KEYS keys have 8 or 16 bits. They stay packed between passes, as unsigned numbers of the same order.
//
// With IN_SEGMENTS each segment of a list is sorted on its own. The tiles of a segment are consecutive and begin with its first key.
// Numbers of tiles count from the segment's first one, except those of tickets and tile states.

#include "interface.glsl"
#include "radix_sweep_interface.h"
layout(local_size_x_id = 0) in;

#define WEIR_SHUFFLE_BARRIERS SHUFFLE_BARRIERS

#define ROUND_WORDS(keys) ((keys + uint(ORDER == ORDER_CHECKED)) * KEY_WORDS)
#define WEIR_COLUMNS 256
#define WEIR_PAYLOAD_BITS 30
#include "instrument.glsl"

#ifdef LARGE
#extension GL_EXT_buffer_reference : require
#extension GL_EXT_buffer_reference_uvec2 : require
#endif

layout(push_constant) uniform Push {
#ifdef LARGE
    uvec2 first_address;  // address of the sorted keys, or of the sorted values if keys are not written
    uvec2 second_address; // address of the sorted values
#endif
    uint shift;
    uint bits;
    uint flip;
    uint padding;    // fills the last tile; no key is greater
    uint digit_word; // word of a key that contains the digit
    uint pass;
#ifdef LARGE
    uint table;       // 0 or 1: the table of this window; the other one is that of the next window
    uint first_index; // index of the first key of the window, if there are less than 2^32 keys
#else
    uint clears_next; // 1: another pass follows, and its tile states are cleared
#ifdef IN_SEGMENTS
    uint tables; // digit tables per segment
    uint max_tiles; // number of tiles that fit the list
#endif
#endif
#include "last_push.glsl"
};

#ifdef IN_SEGMENTS
shared uvec4 segment; // first key, number of keys, first tile, number of the segment
#define WEIR_FIRST_TILE segment.z
#endif

#include "buffer_barrier.glsl"
#include <weir/dispatch.glsl>
#include "look_back.glsl"
#include "radix_rank.glsl"
#include "radix_plan_interface.h"
#ifdef NARROW_KEYS
#include "packed_storage.glsl"
#endif

layout(set = 0, binding = KEYS_BINDING) readonly buffer Keys { uint in_keys[]; };
layout(set = 0, binding = KEYS_BINDING) readonly buffer KeyPairs { uvec2 in_key_pairs[]; }; // keys of two words
layout(set = 0, binding = VALUES_BINDING) readonly buffer Values { uint in_values[]; };
#ifdef LARGE
layout(buffer_reference, std430, buffer_reference_align = 4) workgroupcoherent writeonly buffer OutWord { uint word; };
layout(buffer_reference, std430, buffer_reference_align = 8) workgroupcoherent writeonly buffer OutPair { uvec2 pair; };
layout(set = 0, binding = BASES_BINDING) buffer Bases { uvec2 bases[]; }; // the number of keys, then two tables for each pass
#else
layout(set = 0, binding = SORTED_KEYS_BINDING) workgroupcoherent writeonly buffer SortedKeys { uint out_keys[]; };
layout(set = 0, binding = SORTED_KEYS_BINDING) workgroupcoherent writeonly buffer SortedKeyPairs { uvec2 out_key_pairs[]; };
layout(set = 0, binding = SORTED_VALUES_BINDING) writeonly buffer SortedValues { uint out_values[]; };
#endif
#ifdef IN_SEGMENTS
layout(set = 0, binding = PLAN_BINDING) readonly buffer Plan { uint starts[]; };
layout(set = 0, binding = SEGMENT_TILES_BINDING) readonly buffer SegmentTiles {
    uint list_tiles;
    uint unused[TILE_LIST_WORDS - 1];
    uvec4 list[];
};
#else
layout(set = 0, binding = PLAN_BINDING) readonly buffer Plan {
    uint pass_keys[MAX_PASSES];
    uint common_digits[MAX_PASSES];
    uint starts[];
};
#endif

// A place of a key in the output.
#ifdef LARGE
#include "large_places.glsl"
#define PLACE uvec2
#else
layout(set = 0, binding = NEXT_TILE_STATE_BINDING) writeonly buffer NextTileStates { uint next_tile_states[]; };
#define PLACE uint
#endif

shared PLACE digit_bases[RADIX]; // destination of a digit's keys minus their start in the sorted tile
shared uint fallback_counts[RADIX];   // digit counts of a fallback's tile
shared PLACE last_base;            // maximum value in digit_bases
shared uint misplaced;            // 1 if keys of the tile were found out of order
shared uint sweep_keys;           // keys of the pass, read by one invocation so that all take the same path to a barrier

#ifdef IN_SEGMENTS
uint segment_begin() {
    return segment.x;
}

uint digit_table() {
    return (segment.w * tables + pass) * (RADIX + 1);
}

uint digit_start(uint digit) {
    return starts[digit_table() + 1 + digit];
}
#else
uint segment_begin() {
    return 0;
}

uint digit_start(uint digit) {
    return starts[pass * RADIX + digit];
}
#endif

uint tile_begin(uint tile) {
    return segment_begin() + tile * TILE;
}

uvec2 load_pair(uint at) {
    return READS_NUMBERS ? double_order(in_key_pairs[at]) : in_key_pairs[at];
}

uint load_key(uint at, uint word) {
#ifdef NARROW_KEYS
    return READS_NUMBERS ? order_bits(load_bits(at)) : load_bits(at);
#else
    if (KEY_WORDS == 2) {
        return READS_NUMBERS ? load_pair(at)[word] : in_keys[2 * at + word];
    }
    return READS_NUMBERS ? float_order(in_keys[at]) : in_keys[at];
#endif
}

uint load_value(uint at, uint word) {
#ifdef LARGE
    return INDICES ? first_index + at : in_values[VALUE_WORDS * at + word];
#else
    return INDICES ? at - (LOCAL_INDICES ? segment_begin() : 0) : in_values[VALUE_WORDS * at + word];
#endif
}

// Returns the place of the key at `at` in the sorted tile.
PLACE place_of(uint digit, uint at) {
#ifdef LARGE
    const PLACE base = digit_bases[digit]; // glslang loads an argument as private memory
    return add_to_place(base, at);
#else
    return digit_bases[digit] + at;
#endif
}

void store_key(PLACE at, uint key) {
    if (!WRITES_KEYS) {
        return;
    }
#ifdef LARGE
    OutWord(address_of(first_address, at, 4)).word = WRITES_NUMBERS ? float_order(key) : key;
#elif defined(NARROW_KEYS)
    store_bits(at, WRITES_NUMBERS ? restore_bits(key) : key);
#else
    out_keys[at] = WRITES_NUMBERS ? float_order(key) : key;
#endif
}

void store_pair(PLACE at, uvec2 key) {
    if (WRITES_KEYS) {
        const uvec2 number = WRITES_NUMBERS ? double_order(key) : key;
#ifdef LARGE
        OutPair(address_of(first_address, at, 8)).pair = number;
#else
        out_key_pairs[at] = number;
#endif
    }
}

void store_value(PLACE at, uint word, uint value) {
#ifdef LARGE
    const uvec2 address = address_of(WRITES_KEYS ? second_address : first_address, at, 4 * VALUE_WORDS);
    OutWord(add_to_place(address, 4 * word)).word = value;
#else
    out_values[VALUE_WORDS * at + word] = value;
#endif
}

const uint ROUND_ITEMS = (ROUND_KEYS + WORKGROUP - 1) / WORKGROUP;

// Returns the value that a tile publishes for a digit: the number of its keys with the digit. The first tile adds the start of the digit.
uint tile_value(uint tile, uint digit, uint count) {
#ifdef LARGE
    return count; // the start is in the table
#else
    return count + (tile == 0 ? digit_start(digit) : 0);
#endif
}

uint fallback_tile;

void weir_reduce_tile(uint tile) {
    const uint count = sweep_keys;
    const Digit digit = pass_digit;
    fallback_tile = tile;
    for (uint i = 0; i < RADIX; i += WORKGROUP) {
        if (i + weir_invocation() < RADIX) {
            fallback_counts[i + weir_invocation()] = 0;
        }
    }
    barrier();
    for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
        const uint at = tile * TILE + key_position(i);
        if (at < count) {
            atomicAdd(fallback_counts[digit_of(load_key(segment_begin() + at, digit_word), digit)], 1, gl_ScopeWorkgroup, gl_StorageSemanticsNone,
                      gl_SemanticsRelaxed);
        }
    }
    barrier();
}

WEIR_T weir_reduced_value(uint column) {
    return tile_value(fallback_tile, column, fallback_counts[column]);
}

// Returns the number of keys with the walk's digit, without the tile's `fill` padding keys, which have the last digit.
uint count_real(uint walk, uint fill) {
    return count_digit(walk) - (digit_of(padding, pass_digit) == weir_walk_column(walk) ? fill : 0);
}

#ifndef LARGE
// Clears the tile states of the next pass. The first of all tiles also resets the ticket.
void clear_next_states(uint tile) {
    for (uint i = 0; i < WEIR_WALKS; ++i) {
        if (walks_column(i)) {
            next_tile_states[weir_tile_entry(tile, weir_walk_column(i))] = 0;
        }
    }
    if (weir_tile_entry(tile, 0) == WEIR_FIRST_ENTRY && weir_invocation() == 0) {
        next_tile_states[0] = 0;
    }
}
#endif

// For keys of two words: the words without the digit. They are loaded with the others, because loading them later takes more registers than
// holding them.
uint other_words[KEY_WORDS == 2 ? KEYS_PER_INVOCATION : 1];

// Returns the place from which an invocation loads its i-th key. With a fault, the lanes of a subgroup load their keys in reverse.
#ifdef INSTRUMENTED
bool is_mirrored;

uint taken_position(uint i, uint tile_keys) {
    const bool is_whole = key_position(i) - weir_lane() + weir_subgroup_size() <= tile_keys;
    return is_mirrored && is_whole ? key_position(i) ^ weir_subgroup_size() - 1 : key_position(i);
}
#else
uint taken_position(uint i, uint tile_keys) {
    return key_position(i);
}
#endif

void load_keys(uint tile, uint tile_keys) {
#ifdef INSTRUMENTED
    is_mirrored = fault_kind == WEIR_FAULT_OUT_OF_ORDER && ORDER == ORDER_CHECKED && weir_has_fault(fault_one_in, fault_seed, tile, pass);
#endif
    if (tile_keys == TILE) {
        [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
            keys[i] = load_key(tile_begin(tile) + taken_position(i, TILE), digit_word);
        }
    } else {
        [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
            keys[i] = key_position(i) < tile_keys ? load_key(tile_begin(tile) + taken_position(i, tile_keys), digit_word) : padding;
        }
    }
    if (KEY_WORDS == 2) {
        [[unroll]] for (uint i = 0; i < other_words.length(); ++i) {
            if (key_position(i) < tile_keys) {
                other_words[i] = load_key(tile_begin(tile) + taken_position(i, tile_keys), 1 - digit_word);
            }
        }
    }
}

#include "radix_move.glsl"

// Sets the digit_bases entry of the walk's digit. Called by the invocation of the walk. `base` is the destination of the tile's keys of the
// digit. The tile's keys of this and all greater digits go to `base` and beyond, so the entry exceeds `last_base` only if keys or states
// have changed since the keys were counted. The clamp ensures that no key is then stored beyond the end.
#ifdef LARGE
uint base_index(uint table_of, uint digit) {
    return FIRST_BASE + (2 * pass + table_of) * RADIX + digit;
}

void set_bases(uint tile) {
    const bool is_last = tile == (sweep_keys - 1) / TILE;
    for (uint i = 0; i < WEIR_WALKS; ++i) {
        if (walks_column(i)) {
            const uint digit = weir_walk_column(i);
            const uvec2 base = bases[base_index(table, digit)];
            const uvec2 place = subtract_from_place(add_to_place(base, walks[i].prefix), digit_starts[i]);
            const uvec2 most = last_base; // glslang loads an argument as private memory
            digit_bases[digit] = is_before(place, most) ? place : most;
            if (is_last) {
                bases[base_index(1 - table, digit)] = add_to_place(base, walks[i].prefix + walks[i].aggregate);
            }
        }
    }
}
#else
void set_base(uint walk, uint base) {
    digit_bases[weir_walk_column(walk)] = segment_begin() + min(base - digit_starts[walk], last_base);
}

void set_bases(uint tile) {
    for (uint i = 0; i < WEIR_WALKS; ++i) {
        if (walks_column(i)) {
            set_base(i, tile == 0 ? digit_start(weir_walk_column(i)) : walks[i].prefix);
        }
    }
}
#endif

// Returns the number of the tile's keys with the digit of this invocation's walk.
uint count_own_digit(uint walk, uint tile_keys) {
    if (ORDER == ORDER_CHECKED) {
        return count_digit(walk); // the padding was not counted
    }
    return count_real(walk, TILE - tile_keys);
}

const uint KEYS_PER_POLL = 4;

// Ranks the keys and finds their destinations. With ORDER_CHECKED, ranks them in the order in which atomics are served. The tile's counts
// are published as early as possible, because other workgroups wait for them. Predecessors are polled while keys are ranked.
void place_by_look_back(uint tile, uint tile_keys) {
    const uint epoch = 0;
    if (ORDER == ORDER_CHECKED) {
        count_and_rank_rows(tile_keys);
    } else {
        count_rows();
    }
    barrier();
    for (uint i = 0; i < WEIR_WALKS; ++i) {
        if (walks_column(i)) {
            weir_begin_walk(i, tile, epoch, tile_value(tile, weir_walk_column(i), count_own_digit(i, tile_keys)));
        }
    }
    start_rows();
    barrier();
    // Two loops, one per ranking method: drivers unroll before they know the order. With one loop, pairs took 3 % longer on an H200.
    const Digit digit = pass_digit;
    if (ORDER == ORDER_CHECKED) {
        [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
            const EarlyPoll early = begin_poll(0, i % KEYS_PER_POLL == KEYS_PER_POLL - 1, epoch);
            place_key(i, digit);
            end_poll(0, early, tile, epoch);
        }
    } else {
        [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
            const EarlyPoll early = begin_poll(0, i % KEYS_PER_POLL == KEYS_PER_POLL - 1, epoch);
            rank_key(i, digit);
            end_poll(0, early, tile, epoch);
        }
    }
    weir_run_look_back(tile, epoch);
    set_bases(tile);
}

#ifndef LARGE
// Ranks the keys and finds their destinations if neither keys nor tiles are kept in order. Tiles reserve places for their keys, and do not
// wait for other tiles.
void place_by_reservation(uint tile_keys) {
    count_and_rank_rows(tile_keys);
    barrier();
    uint bases[WEIR_WALKS];
    for (uint i = 0; i < WEIR_WALKS; ++i) {
        if (walks_column(i)) {
            const uint taken = weir_tile_entry(0, weir_walk_column(i)); // a counter; this pass has no tile states
            bases[i] = digit_start(weir_walk_column(i)) +
                       atomicAdd(weir_tile_states[taken], count_digit(i), gl_ScopeDevice, gl_StorageSemanticsNone,
                                 gl_SemanticsRelaxed);
        }
    }
    start_rows();
    for (uint i = 0; i < WEIR_WALKS; ++i) {
        if (walks_column(i)) {
            set_base(i, bases[i]);
        }
    }
    barrier();
    const Digit digit = pass_digit;
    [[unroll]] for (uint i = 0; i < KEYS_PER_INVOCATION; ++i) {
        place_key(i, digit);
    }
}
#endif

#ifdef IN_SEGMENTS
shared uint list_end;

// Draws a tile of the list and finds its segment. Called by one invocation.
void draw_tile() {
    const uint tile = weir_draw_ticket();
    list_end = min(list_tiles, max_tiles);
    segment = tile < list_end ? list[tile] : uvec4(0);
    sweep_keys = segment.y;
    weir_shared_ticket = tile;
}
#else
void draw_tile() {
    sweep_keys = pass_keys[pass]; // 0 in a skipped pass, whose tile states stay clear
    weir_shared_ticket = sweep_keys == 0 ? 0 : weir_draw_ticket();
}
#endif

void main() {
    if (weir_invocation() == 0) {
        weir_stalled_tile = 0;
        misplaced = 0;
        pass_digit = make_digit(shift, bits, flip);
    }
#ifndef IN_SEGMENTS
    common_digit = common_digits[pass];
#endif
    clear_rows();
    if (weir_invocation() == 0) {
        draw_tile();
    }
    barrier();
    const uint count = sweep_keys;
    const uint tiles = count / TILE + uint(count % TILE != 0);
#ifdef IN_SEGMENTS
    if (weir_shared_ticket >= list_end) {
        return;
    }
    const uint tile = weir_shared_ticket - segment.z;
    if (tile >= tiles) { // a tile without keys
        if (clears_next != 0) {
            clear_next_states(tile);
        }
        return;
    }
    common_digit = starts[digit_table()];
#else
    const uint tile = weir_shared_ticket;
    if (tile >= tiles) {
        return;
    }
#endif
    const uint tile_keys = min(TILE, count - tile * TILE);
    if (weir_invocation() == 0) {
#ifdef LARGE
        last_base = subtract_from_place(bases[0], tile_keys);
#else
        last_base = count - tile_keys;
#endif
    }
    load_keys(tile, tile_keys);
#ifdef LARGE
    place_by_look_back(tile, tile_keys);
#else
    if (ORDER == ORDER_ANY) {
        place_by_reservation(tile_keys);
    } else {
        place_by_look_back(tile, tile_keys);
    }
    if (clears_next != 0) {
        clear_next_states(tile);
    }
#endif
    move_keys(tile_keys);
    move_values(tile, tile_keys);
    if (ORDER == ORDER_CHECKED) {
        // Orders the second stores after the first.
        workgroup_buffer_barrier();
        if (misplaced != 0) {
#ifdef INSTRUMENTED
            if (weir_invocation() == 0) {
                weir_count_event(WEIR_COUNT_FALLBACKS, 1);
            }
#endif
            move_by_ballots(tile, tile_keys);
        }
    }
}
