// Single-pass compaction with decoupled look-back and fallback: elements are sorted into parts, each in the order in which they came,
// and how many every part has is counted. A run's head, kept as any element is, can also get the length of its run.
//
// A subgroup has a contiguous piece of the tile, row by row: element r * subgroup_size + lane of it is the r-th of a lane. So a row's
// elements are kept in order by a ballot, and what is written is together in memory.
//
// RANKS: what is counted of each element. 1: whether it is in part 0. 2: also whether it is in part 1; or with RUNS, the place of the
// last one kept.

layout(constant_id = 0) const uint WORKGROUP = 256;
layout(constant_id = 1) const uint SUBGROUP = 0;
layout(constant_id = 2) const uint ROWS = 8; // elements of an invocation, 32 at most
layout(constant_id = 4) const bool COUNT_ON_GPU = false;
#ifndef ITEM_WORDS
layout(constant_id = 5) const uint ITEM_WORDS = 1;
#endif
layout(constant_id = 9) const uint PARTS = 1; // that are written, 3 at most; an element is in the first one whose predicate holds
layout(constant_id = 10) const uint VALUE_WORDS = 0; // of what goes with an element, from the buffer of flags
layout(constant_id = 11) const bool WRITES_ITEMS = true;
layout(constant_id = 12) const bool WRITES_INDICES = false;
layout(constant_id = 13) const bool RUNS = false;          // lengths are written; elements are kept if they are heads
layout(constant_id = 14) const bool REPEATED_ONLY = false; // runs of a single element are left out
layout(constant_id = 15) const bool IN_DISPATCH_ORDER = false; // tiles are taken by workgroup number, not by ticket
layout(constant_id = 16) const bool SHUFFLE_BARRIERS = false;  // see subgroup.glsl
layout(local_size_x_id = 0) in;

#define BARRIER_BEFORE_SHUFFLES SHUFFLE_BARRIERS
#define INSTRUMENT_BINDING 11
#include "subgroup.glsl"
#include "instrument.glsl"

#if RANKS == 2
#define CUSTOM_MONOID
#define T_VALUE uvec2
#define T T_VALUE
#define T_WORDS 2
#define MONOID_COMMUTES 1
#define MONOID_EXACT

T identity() {
    return T(0);
}

T combine(T a, T b) {
    return T(a.x + b.x, RUNS ? max(a.y, b.y) : a.y + b.y);
}

void to_words(T value, out uint words[T_WORDS]) {
    words[0] = value.x;
    words[1] = value.y;
}

T from_words(uint words[T_WORDS]) {
    return T(words[0], words[1]);
}

// The driver's own operations, as in monoid_u32.glsl.
#define NATIVE_SUBGROUP_SCANS

T shuffle(T value, uint from) {
    return subgroupShuffle(value, from);
}

T subgroup_reduce(T value) {
    return T(subgroupAdd(value.x), RUNS ? subgroupMax(value.y) : subgroupAdd(value.y));
}

T subgroup_exclusive_scan(T value, out T total) {
    total = subgroup_reduce(value);
    return T(subgroupExclusiveAdd(value.x), RUNS ? subgroupExclusiveMax(value.y) : subgroupExclusiveAdd(value.y));
}
#endif
#include "monoid.glsl"

layout(push_constant) uniform Push {
    uint max_count;  // elements; all of them unless the count is on the GPU
    uint count_word; // where the count is then
    uint in_offset;  // in words
    uint in_stride;
    uint out_offset;
    uint out_stride;
    uint capacities[3]; // elements that each part has room for
    uint thresholds[4];
#ifdef INSTRUMENTED
    INSTRUMENT_PUSH
#endif
};

layout(set = 0, binding = 0) readonly buffer Input { uint in_words[]; };
layout(set = 0, binding = 1) readonly buffer Values { uint value_words[]; };
layout(set = 0, binding = 3) readonly buffer Counts { uint count_words[]; };
layout(set = 0, binding = 4) writeonly buffer PartCounts { uint part_counts[]; };
layout(set = 0, binding = 5) writeonly buffer FirstItems { uint first_items[]; };
layout(set = 0, binding = 6) writeonly buffer SecondItems { uint second_items[]; };
layout(set = 0, binding = 6) writeonly buffer OutValues { uint out_values[]; };
layout(set = 0, binding = 6) writeonly buffer Lengths { uint lengths[]; };
layout(set = 0, binding = 7) writeonly buffer ThirdItems { uint third_items[]; };
layout(set = 0, binding = 8) writeonly buffer FirstIndices { uint first_indices[]; };
layout(set = 0, binding = 9) writeonly buffer SecondIndices { uint second_indices[]; };
layout(set = 0, binding = 10) writeonly buffer ThirdIndices { uint third_indices[]; };

#define COLUMNS 1
#define SPINS_CONSTANT 3
#define TILE_STATE_BINDING 2
#include "classify.glsl"
#include "dispatch.glsl"
#include "look_back.glsl"
#include "workgroup_scan.glsl"

const uint TILE = WORKGROUP * ROWS;

uint element_count() {
    return COUNT_ON_GPU ? min(count_words[count_word], max_count) : max_count;
}

uint element_index(uint tile, uint r) {
    return tile * TILE + (gl_SubgroupID * ROWS + r) * subgroup_size() + lane();
}

// Bit r is that of the lane's element in row r: whether it is in part 0, and whether it is in part 1. With RUNS: whether it is the head
// of a run that is kept, and whether it is the last element of one.
struct Marks {
    uint first, second;
};

// Of the element that is loaded.
void mark(uint r, uint i, inout Marks marks) {
    const bool is_first = is_in(0, i);
    marks.first |= uint(is_first) << r;
    if (PARTS == 3) {
        marks.second |= uint(!is_first && is_in(1, i)) << r;
    }
}

// From heads, with a bit too for what is past the end, to heads and ends of the runs that are kept.
Marks runs_of(uint tile, uint heads, uint count) {
    await_lanes();
    const uint behind = subgroupShuffle(heads, (lane() + 1) % subgroup_size());
    uint ends = behind;
    if (lane() == subgroup_size() - 1) {
        const uint last = element_index(tile, ROWS - 1);
        bool is_end = true;
        if (last < count && last + 1 < count) {
            load_item(last + 1);
            is_end = differs_from(last);
        }
        ends = behind >> 1 | uint(is_end) << ROWS - 1;
    }
    uint valid = 0;
    [[unroll]] for (uint r = 0; r < ROWS; ++r) {
        valid |= uint(element_index(tile, r) < count) << r;
    }
    const uint both = REPEATED_ONLY ? heads & ends : 0;
    return Marks(heads & valid & ~both, ends & valid & ~both);
}

T counted(uint tile, Marks marks) {
#if RANKS == 2
    if (RUNS) {
        const int last = findMSB(marks.first);
        return T(bitCount(marks.first), last < 0 ? 0 : element_index(tile, uint(last)) + 1);
    }
    return T(bitCount(marks.first), bitCount(marks.second));
#else
    return bitCount(marks.first);
#endif
}

uint own_items[ROWS][ITEM_WORDS];

// `whole`: none of the elements are past the end. One branch around all loads, so that they are under way at the same time.
Marks load_own_rows(uint tile, bool whole, uint count) {
    [[unroll]] for (uint r = 0; r < ROWS; ++r) {
        const uint i = element_index(tile, r);
        if (whole || i < count) {
            load_item(i);
        }
        [[unroll]] for (uint w = 0; w < ITEM_WORDS; ++w) {
            own_items[r][w] = item[w];
        }
    }
    Marks marks = Marks(0, 0);
    [[unroll]] for (uint r = 0; r < ROWS; ++r) {
        const uint i = element_index(tile, r);
        [[unroll]] for (uint w = 0; w < ITEM_WORDS; ++w) {
            item[w] = own_items[r][w];
        }
        if (whole || i < count) {
            mark(r, i, marks);
        } else if (RUNS) {
            marks.first |= 1u << r;
        }
    }
    return marks;
}

Marks load_own_tile(uint tile, uint count) {
    Marks marks;
    if (tile < count / TILE) {
        marks = load_own_rows(tile, true, count);
    } else {
        marks = load_own_rows(tile, false, count);
    }
    return RUNS ? runs_of(tile, marks.first, count) : marks;
}

T reduced_total;

void reduce_tile(uint tile) {
    const uint count = element_count();
    Marks marks = Marks(0, 0);
    [[dont_unroll]] for (uint r = 0; r < ROWS; ++r) {
        const uint i = element_index(tile, r);
        if (i < count) {
            load_item(i);
            mark(r, i, marks);
        } else if (RUNS) {
            marks.first |= 1u << r;
        }
    }
    if (RUNS) {
        marks = runs_of(tile, marks.first, count);
    }
    reduced_total = workgroup_reduce(subgroup_reduce(counted(tile, marks)));
    barrier();
}

T reduced_value(uint column) {
    return reduced_total;
}

uint first_of(T ranks) {
#if RANKS == 2
    return ranks.x;
#else
    return ranks;
#endif
}

uint second_of(T ranks) {
#if RANKS == 2
    return ranks.y;
#else
    return 0;
#endif
}

void store_item(uint part, uint rank, uint r, uint i) {
    if (rank >= capacities[part]) {
        return;
    }
    if (WRITES_ITEMS) {
        [[unroll]] for (uint w = 0; w < ITEM_WORDS; ++w) {
            const uint at = out_offset + rank * out_stride + w;
            if (part == 0) {
                first_items[at] = own_items[r][w];
            } else if (part == 1) {
                second_items[at] = own_items[r][w];
            } else {
                third_items[at] = own_items[r][w];
            }
        }
    }
    for (uint w = 0; w < VALUE_WORDS; ++w) {
        out_values[rank * VALUE_WORDS + w] = value_words[i * VALUE_WORDS + w];
    }
    if (WRITES_INDICES) {
        if (part == 0) {
            first_indices[rank] = i;
        } else if (part == 1) {
            second_indices[rank] = i;
        } else {
            third_indices[rank] = i;
        }
    }
}

uvec4 row_of(uint marks, uint r) {
    await_lanes();
    return subgroupBallot((marks >> r & 1) != 0);
}

// The length of the run that ends with element i. `kept` are the heads of its row, and `before` what precedes the row.
void store_length(uint i, uvec4 kept, T before) {
    const uvec4 here = kept & gl_SubgroupLeMask;
    const uint heads = count_lanes(here);
    const uint head = heads != 0 ? i - lane() + highest_lane(here) : second_of(before) - 1;
    const uint run = first_of(before) + heads - 1;
    if (run < capacities[0]) {
        lengths[run] = i + 1 - head;
    }
}

// `before` is what precedes the subgroup's piece.
void store_own_tile(uint tile, uint count, Marks marks, T before) {
    [[unroll]] for (uint r = 0; r < ROWS; ++r) {
        const uint i = element_index(tile, r);
        const bool is_first = (marks.first >> r & 1) != 0;
        const uvec4 firsts = row_of(marks.first, r);
        const uint kept = count_lanes(firsts);
        const uint rank = first_of(before) + count_lanes_before(firsts);
        if (is_first) {
            store_item(0, rank, r, i);
        }
#if RANKS == 2
        if (RUNS) {
            if ((marks.second >> r & 1) != 0) {
                store_length(i, firsts, before);
            }
            before = T(before.x + kept, kept != 0 ? i - lane() + highest_lane(firsts) + 1 : before.y);
        } else {
            const bool is_second = (marks.second >> r & 1) != 0;
            const uvec4 seconds = row_of(marks.second, r);
            const uint second_rank = before.y + count_lanes_before(seconds);
            if (is_second) {
                store_item(1, second_rank, r, i);
            } else if (!is_first && i < count) {
                store_item(2, i - rank - second_rank, r, i);
            }
            before += T(kept, count_lanes(seconds));
        }
#else
        if (PARTS == 2 && !is_first && i < count) {
            store_item(1, i - rank, r, i);
        }
        before += kept;
#endif
    }
}

// How many elements each part has, whether or not there was room for them.
void store_counts(uint count, T total) {
    part_counts[0] = first_of(total);
    if (PARTS == 2) {
        part_counts[1] = count - first_of(total);
    }
    if (PARTS == 3) {
        part_counts[1] = second_of(total);
        part_counts[2] = count - first_of(total) - second_of(total);
    }
}

void main() {
    const uint groups = weir_workgroup_count();
    const bool alone = groups == 1; // has nothing to tell, and leaves the tile states as they are
    const uint count = element_count();
    const uint tiles = count / TILE + uint(count % TILE != 0);
    // As in scan.glsl.
    uint tile = weir_workgroup_index();
    uint ticket = 0;
    if (!IN_DISPATCH_ORDER && !alone) {
        if (invocation() == 0) {
            taken_ticket = draw_ticket();
        }
        barrier();
        ticket = taken_ticket;
        tile = ticket_place(ticket);
    }
    if (invocation() == 0) {
        stalled_tile = 0;
    }
    const Marks marks = load_own_tile(tile, count);
    if (IN_DISPATCH_ORDER && !alone && invocation() == 0) {
        ticket = draw_ticket();
    }

    // Count and post as early as possible: others wait for it.
    const T sum = subgroup_reduce(counted(tile, marks));
    if (invocation() == 0) {
        taken_ticket = ticket;
    }
    const T aggregate = workgroup_reduce(sum);
    ticket = taken_ticket;
    const uint epoch = ticket_epoch(ticket);
    if (tile < tiles && !alone) {
        begin_walk(tile, epoch, aggregate, identity());
    }
    if (!alone) {
        hand_in_ticket(ticket, groups, tiles);
    }
    if (tile >= tiles) {
        if (count == 0 && tile == 0 && invocation() == 0) {
            store_counts(0, identity());
        }
        return;
    }
    const T in_tile = preceding_subgroups();
    T before = identity();
    if (!alone) {
        look_back(tile, epoch);
        before = tile_prefix;
    }
    if (tile + 1 == tiles && invocation() == 0) {
        store_counts(count, combine(before, aggregate));
    }
    store_own_tile(tile, count, marks, combine(before, in_tile));
}
