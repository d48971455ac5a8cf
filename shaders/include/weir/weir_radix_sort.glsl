#ifndef WEIR_RADIX_SORT_LAYER_GLSL
#define WEIR_RADIX_SORT_LAYER_GLSL

#include "weir_exchange.glsl"
#include "weir_workgroup_scan.glsl"

// Sorts the items of a workgroup by bits of unsigned keys, stably. Items are at weir_subgroup_striped(i, ITEMS), before and after
// (weir_exchange.glsl). In a partial tile the keys behind the items must be ~0; they stay at the end.
//
//     WEIR_RADIX_RANK(name, ITEMS, BITS)
//         void name_rank(uint digits[ITEMS], out uint ranks[ITEMS])
//             Returns the place of each item in the tile sorted by digits of BITS bits.
//     WEIR_RADIX_SORT(name, ITEMS, BITS)
//         void name_sort(inout uint keys[ITEMS], uint first_bit, uint end_bit)
//             Sorts by bits [first_bit, end_bit) of the keys, BITS at a time.
//     WEIR_RADIX_SORT_PAIRS(name, ITEMS, BITS, V)
//         void name_sort(inout uint keys[ITEMS], inout V values[ITEMS], uint first_bit, uint end_bit)
//             Sorts pairs of keys and values by bits [first_bit, end_bit) of the keys.
//
// Collective, with barriers. The caller must add a barrier before the next call of the same name. Uses workgroup memory for the keys, the
// values and 2^BITS words per subgroup (WEIR_MAX_SUBGROUPS). 4 bits suit every device. 8 bits are an option if a workgroup has few large
// subgroups.

// Conversions between numbers and unsigned keys of the same order. Floats are in IEEE 754 total order.
uint weir_key(int number) {
    return uint(number) ^ 0x80000000u;
}

uint weir_key(float number) {
    const uint bits = floatBitsToUint(number);
    return bits ^ (uint(int(bits) >> 31) | 0x80000000u);
}

int weir_int_of_key(uint key) {
    return int(key ^ 0x80000000u);
}

float weir_float_of_key(uint key) {
    return uintBitsToFloat(key ^ (~uint(int(key) >> 31) | 0x80000000u));
}

// Each subgroup counts its digits in its own row of counters, which also ranks them within the row. A row's items of a digit start after
// all items of lesser digits and the items of this digit in earlier rows.
#define WEIR_RADIX_RANK(name, ITEMS, BITS)                                                                                       \
    shared uint name##_counters[WEIR_MAX_SUBGROUPS << BITS];                                                                     \
    WEIR_WORKGROUP_SUM(name##_digits)                                                                                            \
    uint name##_counter(uint row, uint digit) {                                                                                  \
        return (row << BITS) + digit;                                                                                            \
    }                                                                                                                            \
    uint name##_rank_in_row(uint digit) {                                                                                        \
        weir_await_lanes();                                                                                                      \
        uvec4 matching = subgroupBallot(true);                                                                                   \
        [[unroll]] for (uint bit = 0; bit < BITS; ++bit) {                                                                       \
            const bool is_set = (digit >> bit & 1) != 0;                                                                         \
            const uvec4 votes = subgroupBallot(is_set);                                                                          \
            matching &= is_set ? votes : ~votes;                                                                                 \
        }                                                                                                                        \
        const uint counter = name##_counter(gl_SubgroupID, digit);                                                               \
        const uint rank = name##_counters[counter] + weir_count_lanes_before(matching);                                          \
        controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);               \
        if (weir_lane() == subgroupBallotFindMSB(matching)) {                                                                    \
            name##_counters[counter] = rank + 1;                                                                                 \
        }                                                                                                                        \
        controlBarrier(gl_ScopeSubgroup, gl_ScopeSubgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease);               \
        return rank;                                                                                                             \
    }                                                                                                                            \
    void name##_start_rows() {                                                                                                   \
        const uint digits = ((1u << BITS) + WEIR_WORKGROUP - 1) / WEIR_WORKGROUP;                                                \
        const uint first = weir_invocation() * digits, end = min(first + digits, 1u << BITS);                                    \
        uint sum = 0;                                                                                                            \
        for (uint digit = first; digit < end; ++digit) {                                                                         \
            for (uint row = 0; row < weir_subgroup_count(); ++row) {                                                             \
                sum += name##_counters[name##_counter(row, digit)];                                                              \
            }                                                                                                                    \
        }                                                                                                                        \
        uint total;                                                                                                              \
        uint start = name##_digits_exclusive_scan(sum, total);                                                                   \
        for (uint digit = first; digit < end; ++digit) {                                                                         \
            for (uint row = 0; row < weir_subgroup_count(); ++row) {                                                             \
                const uint count = name##_counters[name##_counter(row, digit)];                                                  \
                name##_counters[name##_counter(row, digit)] = start;                                                             \
                start += count;                                                                                                  \
            }                                                                                                                    \
        }                                                                                                                        \
    }                                                                                                                            \
    void name##_rank(uint digits[ITEMS], out uint ranks[ITEMS]) {                                                                \
        for (uint first = 0; first < WEIR_MAX_SUBGROUPS << BITS; first += WEIR_WORKGROUP) {                                      \
            if (first + weir_invocation() < WEIR_MAX_SUBGROUPS << BITS) {                                                        \
                name##_counters[first + weir_invocation()] = 0;                                                                  \
            }                                                                                                                    \
        }                                                                                                                        \
        barrier();                                                                                                               \
        [[unroll]] for (uint i = 0; i < ITEMS; ++i) {                                                                            \
            ranks[i] = name##_rank_in_row(digits[i]);                                                                            \
        }                                                                                                                        \
        barrier();                                                                                                               \
        name##_start_rows();                                                                                                     \
        barrier();                                                                                                               \
        [[unroll]] for (uint i = 0; i < ITEMS; ++i) {                                                                            \
            ranks[i] += name##_counters[name##_counter(gl_SubgroupID, digits[i])];                                               \
        }                                                                                                                        \
    }

#define WEIR_RADIX_SORT(name, ITEMS, BITS)                                                                                       \
    WEIR_RADIX_PASS(name, ITEMS, BITS)                                                                                           \
    void name##_sort(inout uint keys[ITEMS], uint first_bit, uint end_bit) {                                                     \
        for (uint bit = first_bit; bit < end_bit; bit += BITS) {                                                                 \
            uint ranks[ITEMS];                                                                                                   \
            name##_rank_by_bits(keys, bit, end_bit, ranks);                                                                      \
            name##_move_keys(keys, ranks);                                                                                       \
        }                                                                                                                        \
    }

#define WEIR_RADIX_SORT_PAIRS(name, ITEMS, BITS, V)                                                                              \
    WEIR_RADIX_PASS(name, ITEMS, BITS)                                                                                           \
    WEIR_TILE_MEMORY(name##_values, V, ITEMS)                                                                                    \
    WEIR_SCATTER_BY(name##_values, name##_move_values, V, ITEMS, weir_subgroup_striped)                                          \
    void name##_sort(inout uint keys[ITEMS], inout V values[ITEMS], uint first_bit, uint end_bit) {                              \
        for (uint bit = first_bit; bit < end_bit; bit += BITS) {                                                                 \
            uint ranks[ITEMS];                                                                                                   \
            name##_rank_by_bits(keys, bit, end_bit, ranks);                                                                      \
            name##_move_values(values, ranks);                                                                                   \
            name##_move_keys(keys, ranks);                                                                                       \
        }                                                                                                                        \
    }

// One pass of a sort. Its barriers also separate it from the previous pass.
#define WEIR_RADIX_PASS(name, ITEMS, BITS)                                                                                       \
    WEIR_RADIX_RANK(name, ITEMS, BITS)                                                                                           \
    WEIR_TILE_MEMORY(name##_keys, uint, ITEMS)                                                                                   \
    WEIR_SCATTER_BY(name##_keys, name##_move_keys, uint, ITEMS, weir_subgroup_striped)                                           \
    void name##_rank_by_bits(uint keys[ITEMS], uint bit, uint end_bit, out uint ranks[ITEMS]) {                                  \
        uint digits[ITEMS];                                                                                                      \
        [[unroll]] for (uint i = 0; i < ITEMS; ++i) {                                                                            \
            digits[i] = keys[i] >> bit & (1u << min(BITS, end_bit - bit)) - 1;                                                   \
        }                                                                                                                        \
        name##_rank(digits, ranks);                                                                                              \
    }

#endif
