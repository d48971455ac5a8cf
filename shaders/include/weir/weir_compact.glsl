#ifndef WEIR_COMPACT_LAYER_GLSL
#define WEIR_COMPACT_LAYER_GLSL

#include "weir_exchange.glsl"
#include "weir_workgroup_scan.glsl"

// Compaction and run-length encoding of a workgroup's items. Input items are blocked, output items are striped (weir_exchange.glsl).
//
//     WEIR_COMPACT(name, T, ITEMS)
//         uint name_ranks(bool kept[ITEMS], out uint ranks[ITEMS])
//             Returns the number of kept items. The rank of an item is the number of kept items before it.
//         uint name_compact(inout T items[ITEMS], bool kept[ITEMS])
//             Moves the kept items to the front of the tile, in order, and returns their number. They are at weir_striped(i, ITEMS) below
//             that number. All other items are unspecified.
//     WEIR_RUNS(name, T, ITEMS, same)                    `same`: the name of a function bool same(T a, T b)
//         uint name_runs(inout T items[ITEMS], out uint lengths[ITEMS], uint count)
//             Finds the runs of equal items among the first `count` items and returns their number. At weir_striped(i, ITEMS) below that
//             number, `items` holds the first item of the run and `lengths` its length.
//
// Collective, with up to three barriers. The caller must add a barrier before the next call of the same name.

#define WEIR_COMPACT(name, T, ITEMS)                                                                                             \
    WEIR_RANKS(name, ITEMS)                                                                                                      \
    WEIR_TILE_MEMORY(name, T, ITEMS)                                                                                             \
    WEIR_SCATTER_BY(name, name##_move_kept, T, ITEMS, weir_striped)                                                              \
    uint name##_compact(inout T items[ITEMS], bool kept[ITEMS]) {                                                                \
        uint ranks[ITEMS];                                                                                                       \
        const uint count = name##_ranks(kept, ranks);                                                                            \
        [[unroll]] for (uint i = 0; i < ITEMS; ++i) {                                                                            \
            ranks[i] = kept[i] ? ranks[i] : ~0u;                                                                                 \
        }                                                                                                                        \
        name##_move_kept(items, ranks);                                                                                          \
        return count;                                                                                                            \
    }

#define WEIR_RUNS(name, T, ITEMS, same)                                                                                          \
    WEIR_RANKS(name, ITEMS)                                                                                                      \
    WEIR_TILE_MEMORY(name, T, ITEMS)                                                                                             \
    WEIR_TILE_MEMORY(name##_starts, uint, ITEMS)                                                                                 \
    shared T name##_last_items[WEIR_WORKGROUP];                                                                                  \
    uint name##_runs(inout T items[ITEMS], out uint lengths[ITEMS], uint count) {                                                \
        name##_last_items[weir_invocation()] = items[ITEMS - 1];                                                                 \
        barrier();                                                                                                               \
        T before = name##_last_items[max(weir_invocation(), 1) - 1];                                                             \
        bool heads[ITEMS];                                                                                                       \
        [[unroll]] for (uint i = 0; i < ITEMS; ++i) {                                                                            \
            const uint place = weir_blocked(i, ITEMS);                                                                           \
            heads[i] = place < count && (place == 0 || !same(before, items[i]));                                                 \
            before = items[i];                                                                                                   \
        }                                                                                                                        \
        uint ranks[ITEMS];                                                                                                       \
        const uint runs = name##_ranks(heads, ranks);                                                                            \
        [[unroll]] for (uint i = 0; i < ITEMS; ++i) {                                                                            \
            if (heads[i]) {                                                                                                      \
                name##_put(ranks[i], items[i]);                                                                                  \
                name##_starts_put(ranks[i], weir_blocked(i, ITEMS));                                                             \
            }                                                                                                                    \
        }                                                                                                                        \
        barrier();                                                                                                               \
        [[unroll]] for (uint i = 0; i < ITEMS; ++i) {                                                                            \
            const uint run = weir_striped(i, ITEMS);                                                                             \
            lengths[i] = 0;                                                                                                      \
            if (run < runs) {                                                                                                    \
                items[i] = name##_at(run);                                                                                       \
                uint end = count;                                                                                                \
                if (run + 1 < runs) {                                                                                            \
                    end = name##_starts_at(run + 1);                                                                             \
                }                                                                                                                \
                lengths[i] = end - name##_starts_at(run);                                                                        \
            }                                                                                                                    \
        }                                                                                                                        \
        return runs;                                                                                                             \
    }

#define WEIR_RANKS(name, ITEMS)                                                                                                  \
    WEIR_WORKGROUP_SUM(name##_kept)                                                                                              \
    uint name##_ranks(bool kept[ITEMS], out uint ranks[ITEMS]) {                                                                 \
        uint sum = 0;                                                                                                            \
        [[unroll]] for (uint i = 0; i < ITEMS; ++i) {                                                                            \
            ranks[i] = sum;                                                                                                      \
            sum += uint(kept[i]);                                                                                                \
        }                                                                                                                        \
        uint count;                                                                                                              \
        const uint before = name##_kept_exclusive_scan(sum, count);                                                              \
        [[unroll]] for (uint i = 0; i < ITEMS; ++i) {                                                                            \
            ranks[i] += before;                                                                                                  \
        }                                                                                                                        \
        return count;                                                                                                            \
    }

#endif
