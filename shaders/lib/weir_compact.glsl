#ifndef WEIR_COMPACT_LAYER_GLSL
#define WEIR_COMPACT_LAYER_GLSL

#include "weir_exchange.glsl"
#include "weir_workgroup_scan.glsl"

// The items of a workgroup that are kept, and its runs of equal items. Items are blocked before, striped after (weir_exchange.glsl).
//
//     WEIR_COMPACT(name, T, ITEMS)
//         uint name_ranks(bool kept[ITEMS], out uint ranks[ITEMS])
//             Returns how many items are kept. The rank of an item is the number of those before it that are kept.
//         uint name_compact(inout T items[ITEMS], bool kept[ITEMS])
//             Returns how many items are kept, and makes them the first ones of the tile, in order: those at weir_striped(i, ITEMS) below
//             that number. The others are any.
//     WEIR_RUNS(name, T, ITEMS, same)                    `same`: the name of a function bool same(T a, T b)
//         uint name_runs(inout T items[ITEMS], out uint lengths[ITEMS], uint count)
//             Returns how many runs of items that are the same the first `count` items have. At weir_striped(i, ITEMS), below that number,
//             are the run's first item and its length after.
//
// Collective, with up to three barriers; another one must come before the next call of the same name.

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
                lengths[i] = (run + 1 < runs ? name##_starts_at(run + 1) : count) - name##_starts_at(run);                       \
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
