// Counters of the digits of all passes, in workgroup memory. Needs the constants PASSES, LOW_PASSES, COPIES, KEY_WORDS and FLOAT_KEYS, the
// push constants first_bit, end_bit, flip_low and flip_high, and two functions:
//     uint take_total(uint counter)                returns the sum of a counter over all workgroups, and resets it to 0
//     void store_start(uint counter, uint start)   stores the number of keys with a lower digit

#include "radix_digit.glsl"
#include "workgroup_scan.glsl"

uint take_total(uint counter);
void store_start(uint counter, uint start);

const uint COUNTERS = PASSES * RADIX;
const uint COMMON_PART = 16; // a digit that more than 1 in 16 keys have slows down atomics

shared uint counters[COPIES * COUNTERS];
shared bool last_group;
shared uint most_common[PASSES]; // count of the most common digit, with the digit in its lowest bits; 0: no common digit
shared uint sorting_passes; // one bit per pass whose digit differs between keys

// Collective.
void clear_counters() {
    for (uint i = 0; i < COPIES * COUNTERS; i += WORKGROUP) {
        if (i + weir_invocation() < COPIES * COUNTERS) {
            counters[i + weir_invocation()] = 0;
        }
    }
    barrier();
}

void count_key(uvec2 key) {
    const uint copy = gl_SubgroupID % COPIES * COUNTERS;
    if (FLOAT_KEYS) {
        key = KEY_WORDS == 1 ? uvec2(float_order(key.x), 0) : double_order(key);
    }
    [[unroll]] for (uint pass = 0; pass < PASSES; ++pass) {
        const Digit digit = digit_of_pass(pass, LOW_PASSES, first_bit, end_bit, uvec2(flip_low, flip_high));
        const uint value = digit_of(pass < LOW_PASSES ? key.x : key.y, digit);
        atomicAdd(counters[copy + pass * RADIX + value], 1, gl_ScopeWorkgroup, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
    }
}

// Returns the sum of a counter over its copies. Returns 0 beyond the counters.
uint sum_copies(uint counter) {
    uint sum = 0;
    for (uint copy = 0; copy < COPIES; ++copy) {
        sum += counter < COUNTERS ? counters[copy * COUNTERS + counter] : 0;
    }
    return sum;
}

// Turns the totals of `keys` keys into the start of each digit. Sets most_common and sorting_passes. Collective.
void start_digits(uint keys) {
    if (weir_invocation() == 0) {
        sorting_passes = (1u << PASSES) - 1;
    }
    if (weir_invocation() < PASSES) {
        most_common[weir_invocation()] = 0;
    }
    barrier();
    for (uint pass = 0; pass < PASSES; ++pass) {
        uint carry = 0;
        for (uint first = 0; first < RADIX; first += WORKGROUP) {
            const uint value = first + weir_invocation();
            uint count = 0;
            if (value < RADIX) {
                count = take_total(pass * RADIX + value);
            }
            uint subgroup_sum;
            const uint before_lane = weir_subgroup_exclusive_scan(count, subgroup_sum);
            const uint total = weir_workgroup_reduce(subgroup_sum);
            const uint before_subgroup = weir_preceding_subgroups();
            if (value < RADIX) {
                store_start(pass * RADIX + value, carry + before_subgroup + before_lane);
            }
            if (count > keys / COMMON_PART) {
                atomicMax(most_common[pass], (count & ~(RADIX - 1)) + RADIX | value, gl_ScopeWorkgroup, gl_StorageSemanticsNone,
                          gl_SemanticsRelaxed);
            }
            if (count == keys) {
                sorting_passes &= ~(1u << pass); // at most one invocation writes, unless there are no keys
            }
            carry += total;
            barrier();
        }
    }
}

// Returns a digit of the pass that many keys have, or RADIX.
uint common_digit_of(uint pass) {
    return most_common[pass] == 0 ? RADIX : most_common[pass] & RADIX - 1;
}
