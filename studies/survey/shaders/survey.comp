// Scans in which each workgroup processes the tiles of its part of the numbers one after the other, and carries the sum along. With one
// workgroup, this is the whole scan. With several, an earlier dispatch (REDUCES) reduces each part. Its last workgroup to finish scans the
// reductions, the spine. Therefore no workgroup waits for another, and the spine needs no dispatch of its own.
//
// These are the block-level scan and the reduce-then-scan of the survey "GPU Prefix Sums" by T. Smith.
#version 460
#extension GL_GOOGLE_include_directive : require

#include "survey_tile.glsl"

layout(push_constant) uniform Parameters {
    uint count;
    uint part_tiles; // tiles per part
    uint parts;      // number of workgroups; 1: no spine
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
    sum = weir_workgroup_reduce(weir_subgroup_reduce(sum));
    if (weir_invocation() == 0) {
        spine[1 + part] = sum;
    }
}

void scan_spine() {
    uint before = 0;
    for (uint first = 0; first < parts; first += WORKGROUP) {
        const uint part = first + weir_invocation();
        uint sum = 0;
        if (part < parts) {
            sum = spine[1 + part];
        }
        uint subgroup_total;
        const uint exclusive = weir_subgroup_exclusive_scan(sum, subgroup_total);
        const uint total = weir_workgroup_reduce(subgroup_total);
        const uint before_subgroup = weir_preceding_subgroups();
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
        const uint total = weir_workgroup_reduce(weir_subgroup_reduce(sum_of_items()));
        scan_items(carry + weir_preceding_subgroups());
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
        if (finish(weir_invocation() == 0, parts)) {
            scan_spine();
        }
    }
    end_running();
}
