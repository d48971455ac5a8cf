// Scans in which each workgroup walks the tiles of its part of the numbers one after the other, and carries the sum along. With one
// workgroup that is all. With several, another dispatch comes before (REDUCES), which reduces each part; whichever workgroup of that finishes
// last scans the reductions, the spine. So no workgroup waits for another one, and the spine takes no dispatch of its own.
//
// After the survey by T. Smith, "GPU Prefix Sums": its block-level scan, and its reduce-then-scan.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "survey_tile.glsl"

layout(push_constant) uniform Parameters {
    uint count;
    uint part_tiles; // tiles of a part
    uint parts;      // workgroups; with one there is no spine
};

layout(set = 0, binding = SPINE_BINDING) buffer Spine { uint spine[]; }; // word 0 counts finished workgroups, and is 0 before and after
#define DONE_WORD spine[0]
#include "last_workgroup.glsl"

void reduce_part(uint part, uint end) {
    uint sum = 0;
    for (uint tile = part * part_tiles; tile < end; ++tile) {
        load_items(tile, count);
        sum += sum_of_items();
    }
    sum = workgroup_reduce(subgroup_reduce(sum));
    if (invocation() == 0) {
        spine[1 + part] = sum;
    }
}

void scan_spine() {
    uint before = 0;
    for (uint first = 0; first < parts; first += WORKGROUP) {
        const uint part = first + invocation();
        uint sum = 0;
        if (part < parts) {
            sum = spine[1 + part];
        }
        uint subgroup_total;
        const uint exclusive = subgroup_exclusive_scan(sum, subgroup_total);
        const uint total = workgroup_reduce(subgroup_total);
        const uint before_subgroup = preceding_subgroups();
        if (part < parts) {
            spine[1 + part] = before + before_subgroup + exclusive;
        }
        before += total;
        barrier();
    }
}

void scan_part(uint part, uint end) {
    uint carry = 0;
    if (parts > 1) {
        carry = spine[1 + part];
    }
    for (uint tile = part * part_tiles; tile < end; ++tile) {
        load_items(tile, count);
        const uint total = workgroup_reduce(subgroup_reduce(sum_of_items()));
        scan_items(carry + preceding_subgroups());
        store_items(tile, count);
        carry += total;
        barrier();
    }
}

void main() {
    const uint part = weir_workgroup_index();
    if (part >= parts) {
        return;
    }
    const uint tiles = count / TILE + uint(count % TILE != 0);
    const uint end = min((part + 1) * part_tiles, tiles);
    begin_running();
    if (!REDUCES) {
        scan_part(part, end);
    } else {
        reduce_part(part, end);
        if (finish(invocation() == 0, parts)) {
            scan_spine();
        }
    }
    end_running();
}
