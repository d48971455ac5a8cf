#ifndef WEIR_WORKGROUP_SCANS_GLSL
#define WEIR_WORKGROUP_SCANS_GLSL

#include "workgroup_scan.glsl"

// Scans of one value per invocation over a workgroup, for any monoid (monoid.glsl), by all known algorithms.
//
//     T workgroup_inclusive_scan(T value, out T total)
//
// Values are in the order of invocation(). `total` is the same in all invocations. Collective. The caller must add a barrier before the
// next call. Needs what subgroup.glsl needs, with WORKGROUP a power of two, and the constant WORKGROUP_SCAN, one of the numbers below
// (weir::WorkgroupScan). For example, in a custom pass (which sets Pass::full_subgroups):
//
//     layout(constant_id = 0) const uint WORKGROUP = 256;
//     layout(constant_id = 1) const uint SUBGROUP = 0;
//     layout(constant_id = 2) const uint WORKGROUP_SCAN = 6;
//     layout(local_size_x_id = 0) in;
//     #include <weir/workgroup_scans.glsl>
//
// Define BARRIER_BEFORE_SHUFFLES as true if Capabilities::shuffles_need_barriers() is true, or if the pass does not have full subgroups on
// a GPU; see subgroup.glsl.

const uint KOGGE_STONE = 0;
const uint SKLANSKY = 1;
const uint BRENT_KUNG = 2;
const uint REDUCE_SCAN = 3;
const uint RAKING = 4;
// Algorithms that scan subgroups ("warps") of any size.
const uint WARP_RADIX_SERIAL = 5;
const uint WARP_RADIX_RAKING = 6;
const uint WARP_RADIX_SKLANSKY = 7;
const uint WARP_RADIX_BRENT_KUNG = 8;
const uint WARP_RADIX_BRENT_KUNG_FUSED = 9;
const uint WARP_RADIX_REDUNDANT = 10; // used by Weir's own kernels

// Below, n is WORKGROUP and s the subgroup size. Depth is the longest chain of combinations, work their total number. The scan of a
// subgroup has depth log s and work S. Logarithms are binary. Merrill and Grimshaw survey most algorithms in "Parallel Scan for Stream
// Architectures" (2009).

const uint BANKS = 32;

// Values that are scanned in place: all, or one per subgroup.
const uint SHARED_VALUES = WORKGROUP_SCAN <= WARP_RADIX_SERIAL ? WORKGROUP : MAX_SUBGROUPS;
const uint PLACES = WORKGROUP_SCAN == KOGGE_STONE ? 2 * WORKGROUP : SHARED_VALUES + SHARED_VALUES / BANKS;
shared T scan_values[PLACES];

// Returns the place of the i-th value. One place is left out after every BANKS, so that lanes whose values are a power of two apart use
// different banks (Harris, Sengupta and Owens, GPU Gems 3, chapter 39).
uint place(uint i) {
    return i + i / BANKS;
}

void accumulate(uint left, uint right) {
    scan_values[place(right)] = combine(scan_values[place(left)], scan_values[place(right)]);
}

// Returns the result of a scan in place.
T scanned_in_place(out T total) {
    barrier();
    total = scan_values[place(WORKGROUP - 1)];
    return scan_values[place(invocation())];
}

// Depth log n, work n log n - n + 1. Kogge and Stone, "A Parallel Algorithm for the Efficient Solution of a General Class of Recurrence
// Equations" (1973). Two copies of the values alternate, so that a step takes one barrier.
T kogge_stone(T value, out T total) {
    const uint i = invocation();
    uint copy = 0;
    scan_values[i] = value;
    for (uint step = 1; step < WORKGROUP; step *= 2) {
        barrier();
        if (i >= step) {
            value = combine(scan_values[copy + i - step], value);
        }
        copy = WORKGROUP - copy;
        scan_values[copy + i] = value;
    }
    barrier();
    total = scan_values[copy + WORKGROUP - 1];
    return value;
}

// Scans the ends of blocks of `size` values. In each step, the blocks in the right half of a pair of groups of `step` blocks add the last
// value of the left half to their ends.
void scan_block_ends(uint size) {
    for (uint step = 1; step < WORKGROUP / size; step *= 2) {
        barrier();
        const uint first = (invocation() / step * 2 + 1) * step; // first block of the right half
        const uint block = first + invocation() % step;
        if (block < WORKGROUP / size) {
            accumulate(first * size - 1, (block + 1) * size - 1);
        }
    }
}

// Depth log n, work n/2 log n. Sklansky, "Conditional-Sum Addition Logic" (1960).
T sklansky(T value, out T total) {
    scan_values[place(invocation())] = value;
    scan_block_ends(1);
    return scanned_in_place(total);
}

// Reduces blocks of up to `size` values, each to its last value.
void sweep_up(uint size) {
    for (uint step = 1; step < size; step *= 2) {
        barrier();
        const uint end = (invocation() + 1) * step * 2 - 1;
        if (end < WORKGROUP) {
            accumulate(end - step, end);
        }
    }
}

// Adds the scanned ends of blocks of `size` values to the values between them.
void sweep_down(uint size) {
    for (uint step = size / 2; step > 0; step /= 2) {
        barrier();
        const uint end = (invocation() + 1) * step * 2 + step - 1;
        if (end < WORKGROUP) {
            accumulate(end - step, end);
        }
    }
}

// Depth 2 log n - 1, work 2 n - log n - 2. Brent and Kung, "A Regular Layout for Parallel Adders" (1982); on GPUs after Blelloch,
// "Prefix Sums and Their Applications" (1990).
T brent_kung(T value, out T total) {
    scan_values[place(invocation())] = value;
    sweep_up(WORKGROUP);
    sweep_down(WORKGROUP / 2);
    return scanned_in_place(total);
}

// The sweeps of Brent and Kung over blocks of b = 8 values, with Sklansky's scan of the blocks between them. Where few values are left,
// depth matters more than work. Depth log n + log b, work 2 (n - n/b) - log b + n/2b log(n/b).
T reduce_scan(T value, out T total) {
    const uint block = min(8, WORKGROUP);
    scan_values[place(invocation())] = value;
    sweep_up(block);
    scan_block_ends(block);
    sweep_down(block);
    return scanned_in_place(total);
}

// The condition for work of the first subgroup is inside loops; see weir_subgroup.glsl.
bool is_first_subgroup() {
    return gl_SubgroupID == 0;
}

// Each lane of the first subgroup processes a run of values twice. It first reduces the run. After the subgroup has scanned these sums, it
// scans the run. Depth 2 n/s + log s, work 2 n + S. Dotsenko and others, "Fast Scan Algorithms on Graphics Processors" (2008).
T raking(T value, out T total) {
    const uint run = WORKGROUP / subgroup_size();
    const uint first = lane() * run;
    scan_values[place(invocation())] = value;
    barrier();
    T sum = identity();
    for (uint i = first; i < first + run; ++i) {
        if (is_first_subgroup()) {
            sum = combine(sum, scan_values[place(i)]);
        }
    }
    T before = identity();
    if (is_first_subgroup()) {
        before = subgroup_exclusive_scan(sum, total);
    }
    for (uint i = first; i < first + run; ++i) {
        if (is_first_subgroup()) {
            before = combine(before, scan_values[place(i)]);
            scan_values[place(i)] = before;
        }
    }
    return scanned_in_place(total);
}

// Scans `count` values by the first subgroup, as many at a time as it has lanes.
void scan_serially(uint count) {
    T before = identity();
    for (uint first = 0; first < count; first += subgroup_size()) {
        if (is_first_subgroup()) {
            const uint i = first + lane();
            T value = identity();
            if (i < count) {
                value = scan_values[place(i)];
            }
            value = combine(before, subgroup_inclusive_scan(value));
            if (i < count) {
                scan_values[place(i)] = value;
            }
            await_lanes();
            before = shuffle(value, subgroup_size() - 1);
        }
    }
}

// Scans one subgroup after the other. Depth n/s (log s + 1), work n/s S + n.
T warp_radix_serial(T value, out T total) {
    scan_values[place(invocation())] = value;
    barrier();
    scan_serially(WORKGROUP);
    return scanned_in_place(total);
}

// The functions below scan subgroups in registers. Only the last value of each subgroup goes through workgroup memory.
T scan_subgroup(T value) {
    value = subgroup_inclusive_scan(value);
    if (lane() == subgroup_size() - 1) {
        scan_values[place(gl_SubgroupID)] = value;
    }
    return value;
}

// Adds the prefix of the subgroup, after the last values of the subgroups were scanned.
T after_preceding_subgroups(T value, out T total) {
    barrier();
    total = scan_values[place(subgroup_count() - 1)];
    if (gl_SubgroupID > 0) {
        value = combine(scan_values[place(gl_SubgroupID - 1)], value);
    }
    return value;
}

// The first subgroup scans the last values of all subgroups. Depth log s + n/s^2 (log s + 1) + 1, work (n/s + n/s^2) S + n + n/s. Merrill
// and Grimshaw.
T warp_radix_raking(T value, out T total) {
    value = scan_subgroup(value);
    barrier();
    scan_serially(subgroup_count());
    return after_preceding_subgroups(value, total);
}

// warp_radix_raking with one barrier less: each subgroup scans the last values of all subgroups by itself (workgroup_scan.glsl). Depth as
// there, work (n/s + 2 n^2/s^3) S + n.
T warp_radix_redundant(T value, out T total) {
    value = subgroup_inclusive_scan(value);
    total = workgroup_reduce(shuffle(value, subgroup_size() - 1));
    return combine(preceding_subgroups(), value);
}

// Sklansky's scan, with scans of subgroups in place of its first steps. Depth log n, work n/s S + n/2 log(n/s).
T warp_radix_sklansky(T value, out T total) {
    value = scan_subgroup(value);
    for (uint step = 1; step < subgroup_count(); step *= 2) {
        barrier();
        if ((gl_SubgroupID & step) != 0) {
            value = combine(scan_values[place((gl_SubgroupID & ~(step - 1)) - 1)], value);
            if (lane() == subgroup_size() - 1) {
                scan_values[place(gl_SubgroupID)] = value;
            }
        }
    }
    barrier();
    total = scan_values[place(subgroup_count() - 1)];
    return value;
}

// Scans the ends of blocks of `size` subgroups. Each subgroup scans as many ends as it has lanes, and as many subgroups take part as
// necessary. The others skip this as whole subgroups. The branch contains no workgroup barrier, so all meet at the next one.
void scan_ends(uint size) {
    const uint end = (invocation() + 1) * size - 1;
    if (gl_SubgroupID * subgroup_size() * size < subgroup_count()) {
        T value = identity();
        if (end < subgroup_count()) {
            value = scan_values[place(end)];
        }
        value = subgroup_inclusive_scan(value);
        if (end < subgroup_count()) {
            scan_values[place(end)] = value;
        }
    }
}

// Brent and Kung's scan with a radix of s in place of 2, in l = log n / log s levels. Depth log n + l - 1, work n/(s - 1) S + n + n/s.
T warp_radix_brent_kung(T value, out T total) {
    value = scan_subgroup(value);
    uint size = 1;
    for (; size < subgroup_count(); size *= subgroup_size()) {
        barrier();
        scan_ends(size);
    }
    // Adds the scanned ends of the largest blocks to the ends one level below, and so on.
    for (size /= subgroup_size(); size > 1; size /= subgroup_size()) {
        barrier();
        const uint end = (invocation() + 1) * (size / subgroup_size()) - 1;
        if (end >= size && end < subgroup_count() && (end + 1) % size != 0) {
            accumulate(end / size * size - 1, end);
        }
    }
    return after_preceding_subgroups(value, total);
}

// warp_radix_brent_kung with half the barriers: each level completes the scans of its blocks while the next level is scanned. Depth as
// there, work greater by up to n/s per level.
T warp_radix_brent_kung_fused(T value, out T total) {
    value = scan_subgroup(value);
    barrier();
    for (uint size = 1; size < subgroup_count(); size *= subgroup_size()) {
        scan_ends(size);
        barrier();
        const uint block = invocation() / size;
        if (invocation() < subgroup_count() && block % subgroup_size() != 0 && (invocation() + 1) % size != 0) {
            accumulate(block * size - 1, invocation());
        }
    }
    return after_preceding_subgroups(value, total);
}

T workgroup_inclusive_scan(T value, out T total) {
    switch (WORKGROUP_SCAN) {
    case KOGGE_STONE:
        return kogge_stone(value, total);
    case SKLANSKY:
        return sklansky(value, total);
    case BRENT_KUNG:
        return brent_kung(value, total);
    case REDUCE_SCAN:
        return reduce_scan(value, total);
    case RAKING:
        return raking(value, total);
    case WARP_RADIX_SERIAL:
        return warp_radix_serial(value, total);
    case WARP_RADIX_RAKING:
        return warp_radix_raking(value, total);
    case WARP_RADIX_SKLANSKY:
        return warp_radix_sklansky(value, total);
    case WARP_RADIX_BRENT_KUNG:
        return warp_radix_brent_kung(value, total);
    case WARP_RADIX_BRENT_KUNG_FUSED:
        return warp_radix_brent_kung_fused(value, total);
    }
    return warp_radix_redundant(value, total);
}

#endif
