#ifndef WEIR_WORKGROUP_SCANS_GLSL
#define WEIR_WORKGROUP_SCANS_GLSL

#include "weir_subgroup.glsl"
#include "workgroup_scan.glsl"

// Scans of one value per invocation over a workgroup, by all known algorithms.
//
//     WEIR_T weir_workgroup_inclusive_scan(WEIR_T value, out WEIR_T total)
//
// Values are in the order of weir_invocation(). `total` is the same in all invocations. Collective. The caller must add a barrier before
// the next call. WEIR_T is uint, and the operator is a sum, unless macros select another monoid (monoid.glsl).
//
// Needs what weir_subgroup.glsl needs. The size of the workgroup must be a power of two. Define WEIR_SCAN_ALGORITHM before, as one of the
// numbers below (weir::WorkgroupScan). For example, in a custom pass:
//
//     layout(constant_id = 0) const uint WORKGROUP = 256;
//     layout(constant_id = 1) const uint ALGORITHM = 6;
//     layout(local_size_x_id = 0) in;
//     #define WEIR_SCAN_ALGORITHM ALGORITHM
//     #include <weir/workgroup_scans.glsl>

const uint WEIR_KOGGE_STONE = 0;
const uint WEIR_SKLANSKY = 1;
const uint WEIR_BRENT_KUNG = 2;
const uint WEIR_REDUCE_SCAN = 3;
const uint WEIR_RAKING = 4;
// Algorithms that scan subgroups ("warps") of any size.
const uint WEIR_WARP_RADIX_SERIAL = 5;
const uint WEIR_WARP_RADIX_RAKING = 6;
const uint WEIR_WARP_RADIX_SKLANSKY = 7;
const uint WEIR_WARP_RADIX_BRENT_KUNG = 8;
const uint WEIR_WARP_RADIX_BRENT_KUNG_FUSED = 9;
const uint WEIR_WARP_RADIX_REDUNDANT = 10; // used by Weir's own kernels

// Below, n is WEIR_WORKGROUP and s the subgroup size. Depth is the longest chain of combinations, work their total number. The scan of a
// subgroup has depth log s and work S. Logarithms are binary. Merrill and Grimshaw survey most algorithms in "Parallel Scan for Stream
// Architectures" (2009).

const uint WEIR_BANKS = 32;

// Values that are scanned in place: all, or one per subgroup.
const uint WEIR_SHARED_VALUES = WEIR_SCAN_ALGORITHM <= WEIR_WARP_RADIX_SERIAL ? WEIR_WORKGROUP : WEIR_MAX_SUBGROUPS;
const uint WEIR_PADDED_VALUES = WEIR_SHARED_VALUES + WEIR_SHARED_VALUES / WEIR_BANKS;
const uint WEIR_PLACES = WEIR_SCAN_ALGORITHM == WEIR_KOGGE_STONE ? 2 * WEIR_WORKGROUP : WEIR_PADDED_VALUES;
shared WEIR_T weir_scan_values[WEIR_PLACES];

// Returns the place of the i-th value. One place is left out after every WEIR_BANKS, so that lanes whose values are a power of two apart
// use different banks (Harris, Sengupta and Owens, GPU Gems 3, chapter 39).
uint weir_place(uint i) {
    return i + i / WEIR_BANKS;
}

void weir_accumulate(uint left, uint right) {
    weir_scan_values[weir_place(right)] = weir_combine(weir_scan_values[weir_place(left)], weir_scan_values[weir_place(right)]);
}

// Returns the result of a scan in place.
WEIR_T weir_scanned_in_place(out WEIR_T total) {
    barrier();
    total = weir_scan_values[weir_place(WEIR_WORKGROUP - 1)];
    return weir_scan_values[weir_place(weir_invocation())];
}

// Depth log n, work n log n - n + 1. Kogge and Stone, "A Parallel Algorithm for the Efficient Solution of a General Class of Recurrence
// Equations" (1973). Two copies of the values alternate, so that a step takes one barrier.
WEIR_T weir_kogge_stone(WEIR_T value, out WEIR_T total) {
    const uint i = weir_invocation();
    uint copy = 0;
    weir_scan_values[i] = value;
    for (uint step = 1; step < WEIR_WORKGROUP; step *= 2) {
        barrier();
        if (i >= step) {
            value = weir_combine(weir_scan_values[copy + i - step], value);
        }
        copy = WEIR_WORKGROUP - copy;
        weir_scan_values[copy + i] = value;
    }
    barrier();
    total = weir_scan_values[copy + WEIR_WORKGROUP - 1];
    return value;
}

// Scans the ends of blocks of `size` values. In each step, the blocks in the right half of a pair of groups of `step` blocks add the last
// value of the left half to their ends.
void weir_scan_block_ends(uint size) {
    for (uint step = 1; step < WEIR_WORKGROUP / size; step *= 2) {
        barrier();
        const uint first = (weir_invocation() / step * 2 + 1) * step; // first block of the right half
        const uint block = first + weir_invocation() % step;
        if (block < WEIR_WORKGROUP / size) {
            weir_accumulate(first * size - 1, (block + 1) * size - 1);
        }
    }
}

// Depth log n, work n/2 log n. Sklansky, "Conditional-Sum Addition Logic" (1960).
WEIR_T weir_sklansky(WEIR_T value, out WEIR_T total) {
    weir_scan_values[weir_place(weir_invocation())] = value;
    weir_scan_block_ends(1);
    return weir_scanned_in_place(total);
}

// Reduces blocks of up to `size` values, each to its last value.
void weir_sweep_up(uint size) {
    for (uint step = 1; step < size; step *= 2) {
        barrier();
        const uint end = (weir_invocation() + 1) * step * 2 - 1;
        if (end < WEIR_WORKGROUP) {
            weir_accumulate(end - step, end);
        }
    }
}

// Adds the scanned ends of blocks of `size` values to the values between them.
void weir_sweep_down(uint size) {
    for (uint step = size / 2; step > 0; step /= 2) {
        barrier();
        const uint end = (weir_invocation() + 1) * step * 2 + step - 1;
        if (end < WEIR_WORKGROUP) {
            weir_accumulate(end - step, end);
        }
    }
}

// Depth 2 log n - 1, work 2 n - log n - 2. Brent and Kung, "A Regular Layout for Parallel Adders" (1982); on GPUs after Blelloch,
// "Prefix Sums and Their Applications" (1990).
WEIR_T weir_brent_kung(WEIR_T value, out WEIR_T total) {
    weir_scan_values[weir_place(weir_invocation())] = value;
    weir_sweep_up(WEIR_WORKGROUP);
    weir_sweep_down(WEIR_WORKGROUP / 2);
    return weir_scanned_in_place(total);
}

// The sweeps of Brent and Kung over blocks of b = 8 values, with Sklansky's scan of the blocks between them. Where few values are left,
// depth matters more than work. Depth log n + log b, work 2 (n - n/b) - log b + n/2b log(n/b).
WEIR_T weir_reduce_scan(WEIR_T value, out WEIR_T total) {
    const uint block = min(8, WEIR_WORKGROUP);
    weir_scan_values[weir_place(weir_invocation())] = value;
    weir_sweep_up(block);
    weir_scan_block_ends(block);
    weir_sweep_down(block);
    return weir_scanned_in_place(total);
}

// The condition for work of the first subgroup is inside loops; see weir_subgroup.glsl.
bool weir_is_first_subgroup() {
    return gl_SubgroupID == 0;
}

// Each lane of the first subgroup processes a run of values twice. It first reduces the run. After the subgroup has scanned these sums, it
// scans the run. Depth 2 n/s + log s, work 2 n + S. Dotsenko and others, "Fast Scan Algorithms on Graphics Processors" (2008).
WEIR_T weir_raking(WEIR_T value, out WEIR_T total) {
    const uint run = WEIR_WORKGROUP / weir_subgroup_size();
    const uint first = weir_lane() * run;
    weir_scan_values[weir_place(weir_invocation())] = value;
    barrier();
    WEIR_T sum = weir_identity();
    for (uint i = first; i < first + run; ++i) {
        if (weir_is_first_subgroup()) {
            sum = weir_combine(sum, weir_scan_values[weir_place(i)]);
        }
    }
    WEIR_T before = weir_identity();
    if (weir_is_first_subgroup()) {
        before = weir_subgroup_exclusive_scan(sum, total);
    }
    for (uint i = first; i < first + run; ++i) {
        if (weir_is_first_subgroup()) {
            before = weir_combine(before, weir_scan_values[weir_place(i)]);
            weir_scan_values[weir_place(i)] = before;
        }
    }
    return weir_scanned_in_place(total);
}

// Scans `count` values by the first subgroup, as many at a time as it has lanes.
void weir_scan_serially(uint count) {
    WEIR_T before = weir_identity();
    for (uint first = 0; first < count; first += weir_subgroup_size()) {
        if (weir_is_first_subgroup()) {
            const uint i = first + weir_lane();
            WEIR_T value = weir_identity();
            if (i < count) {
                value = weir_scan_values[weir_place(i)];
            }
            value = weir_combine(before, weir_subgroup_inclusive_scan(value));
            if (i < count) {
                weir_scan_values[weir_place(i)] = value;
            }
            weir_await_lanes();
            before = weir_shuffle_value(value, weir_subgroup_size() - 1);
        }
    }
}

// Scans one subgroup after the other. Depth n/s (log s + 1), work n/s S + n.
WEIR_T weir_warp_radix_serial(WEIR_T value, out WEIR_T total) {
    weir_scan_values[weir_place(weir_invocation())] = value;
    barrier();
    weir_scan_serially(WEIR_WORKGROUP);
    return weir_scanned_in_place(total);
}

// The functions below scan subgroups in registers. Only the last value of each subgroup goes through workgroup memory.
WEIR_T weir_scan_subgroup(WEIR_T value) {
    value = weir_subgroup_inclusive_scan(value);
    if (weir_lane() == weir_subgroup_size() - 1) {
        weir_scan_values[weir_place(gl_SubgroupID)] = value;
    }
    return value;
}

// Adds the prefix of the subgroup, after the last values of the subgroups were scanned.
WEIR_T weir_after_preceding_subgroups(WEIR_T value, out WEIR_T total) {
    barrier();
    total = weir_scan_values[weir_place(weir_subgroup_count() - 1)];
    if (gl_SubgroupID > 0) {
        value = weir_combine(weir_scan_values[weir_place(gl_SubgroupID - 1)], value);
    }
    return value;
}

// The first subgroup scans the last values of all subgroups. Depth log s + n/s^2 (log s + 1) + 1, work (n/s + n/s^2) S + n + n/s. Merrill
// and Grimshaw.
WEIR_T weir_warp_radix_raking(WEIR_T value, out WEIR_T total) {
    value = weir_scan_subgroup(value);
    barrier();
    weir_scan_serially(weir_subgroup_count());
    return weir_after_preceding_subgroups(value, total);
}

// weir_warp_radix_raking with one barrier less: each subgroup scans the last values of all subgroups by itself (workgroup_scan.glsl). Depth
// as there, work (n/s + 2 n^2/s^3) S + n.
WEIR_T weir_warp_radix_redundant(WEIR_T value, out WEIR_T total) {
    value = weir_subgroup_inclusive_scan(value);
    total = weir_workgroup_reduce(weir_shuffle_value(value, weir_subgroup_size() - 1));
    return weir_combine(weir_preceding_subgroups(), value);
}

// Sklansky's scan, with scans of subgroups in place of its first steps. Depth log n, work n/s S + n/2 log(n/s).
WEIR_T weir_warp_radix_sklansky(WEIR_T value, out WEIR_T total) {
    value = weir_scan_subgroup(value);
    for (uint step = 1; step < weir_subgroup_count(); step *= 2) {
        barrier();
        if ((gl_SubgroupID & step) != 0) {
            value = weir_combine(weir_scan_values[weir_place((gl_SubgroupID & ~(step - 1)) - 1)], value);
            if (weir_lane() == weir_subgroup_size() - 1) {
                weir_scan_values[weir_place(gl_SubgroupID)] = value;
            }
        }
    }
    barrier();
    total = weir_scan_values[weir_place(weir_subgroup_count() - 1)];
    return value;
}

// Scans the ends of blocks of `size` subgroups. Each subgroup scans as many ends as it has lanes, and as many subgroups take part as
// necessary. The others skip this as whole subgroups. The branch contains no workgroup barrier, so all meet at the next one.
void weir_scan_ends(uint size) {
    const uint end = (weir_invocation() + 1) * size - 1;
    if (gl_SubgroupID * weir_subgroup_size() * size < weir_subgroup_count()) {
        WEIR_T value = weir_identity();
        if (end < weir_subgroup_count()) {
            value = weir_scan_values[weir_place(end)];
        }
        value = weir_subgroup_inclusive_scan(value);
        if (end < weir_subgroup_count()) {
            weir_scan_values[weir_place(end)] = value;
        }
    }
}

// Brent and Kung's scan with a radix of s in place of 2, in l = log n / log s levels. Depth log n + l - 1, work n/(s - 1) S + n + n/s.
WEIR_T weir_warp_radix_brent_kung(WEIR_T value, out WEIR_T total) {
    value = weir_scan_subgroup(value);
    uint size = 1;
    for (; size < weir_subgroup_count(); size *= weir_subgroup_size()) {
        barrier();
        weir_scan_ends(size);
    }
    // Adds the scanned ends of the largest blocks to the ends one level below, and so on.
    for (size /= weir_subgroup_size(); size > 1; size /= weir_subgroup_size()) {
        barrier();
        const uint end = (weir_invocation() + 1) * (size / weir_subgroup_size()) - 1;
        if (end >= size && end < weir_subgroup_count() && (end + 1) % size != 0) {
            weir_accumulate(end / size * size - 1, end);
        }
    }
    return weir_after_preceding_subgroups(value, total);
}

// weir_warp_radix_brent_kung with half the barriers: each level completes the scans of its blocks while the next level is scanned. Depth as
// there, work greater by up to n/s per level.
WEIR_T weir_warp_radix_brent_kung_fused(WEIR_T value, out WEIR_T total) {
    value = weir_scan_subgroup(value);
    barrier();
    for (uint size = 1; size < weir_subgroup_count(); size *= weir_subgroup_size()) {
        weir_scan_ends(size);
        barrier();
        const uint block = weir_invocation() / size;
        if (weir_invocation() < weir_subgroup_count() && block % weir_subgroup_size() != 0 && (weir_invocation() + 1) % size != 0) {
            weir_accumulate(block * size - 1, weir_invocation());
        }
    }
    return weir_after_preceding_subgroups(value, total);
}

WEIR_T weir_workgroup_inclusive_scan(WEIR_T value, out WEIR_T total) {
    switch (WEIR_SCAN_ALGORITHM) {
    case WEIR_KOGGE_STONE:
        return weir_kogge_stone(value, total);
    case WEIR_SKLANSKY:
        return weir_sklansky(value, total);
    case WEIR_BRENT_KUNG:
        return weir_brent_kung(value, total);
    case WEIR_REDUCE_SCAN:
        return weir_reduce_scan(value, total);
    case WEIR_RAKING:
        return weir_raking(value, total);
    case WEIR_WARP_RADIX_SERIAL:
        return weir_warp_radix_serial(value, total);
    case WEIR_WARP_RADIX_RAKING:
        return weir_warp_radix_raking(value, total);
    case WEIR_WARP_RADIX_SKLANSKY:
        return weir_warp_radix_sklansky(value, total);
    case WEIR_WARP_RADIX_BRENT_KUNG:
        return weir_warp_radix_brent_kung(value, total);
    case WEIR_WARP_RADIX_BRENT_KUNG_FUSED:
        return weir_warp_radix_brent_kung_fused(value, total);
    }
    return weir_warp_radix_redundant(value, total);
}

#endif
