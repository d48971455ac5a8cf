#ifndef WEIR_SUBGROUP_LAYER_HLSL
#define WEIR_SUBGROUP_LAYER_HLSL

// Subgroup (wave) and lane of an invocation, and shuffles of any type. Define WEIR_WORKGROUP, the number of invocations of a workgroup, as a
// number before the include. It must be a multiple of the subgroup size. Call weir_begin() first in the entry point:
//
//     #define WEIR_WORKGROUP 128
//     #include <weir/weir_workgroup_scan.hlsl>
//     [numthreads(WEIR_WORKGROUP, 1, 1)]
//     void main(uint3 group : SV_GroupID) {
//         weir_begin();
//
// Weir checks both when it compiles the pass, sets the first specialization constant below, and requires full subgroups.
//
// Loops over shared work must run equally often in every subgroup, with the bounds check inside.

#ifndef WEIR_WORKGROUP
#error define WEIR_WORKGROUP, the number of invocations of a workgroup, before you include a layer of Weir
#endif

[[vk::constant_id(2003)]] const uint weir_given_subgroup = 0; // subgroup size, or 0 if known only to the driver
[[vk::constant_id(2004)]] const uint weir_given_workgroup = WEIR_WORKGROUP;

#define WEIR_MAX_SUBGROUPS ((WEIR_WORKGROUP + 3) / 4) // a subgroup has at least 4 lanes

groupshared uint weir_started_subgroups;
static uint weir_subgroup_id = 0xFFFFFFFF;

// Numbers the subgroups of the workgroup. HLSL cannot read their numbers, and SV_GroupIndex may map to subgroups in any way. Collective, with
// a barrier. The order of subgroups may differ between workgroups and runs.
void weir_begin() {
    uint number = 0;
    InterlockedAnd(weir_started_subgroups, weir_given_workgroup == 0 ? 1u : 0u); // sets it to 0, and reads the constant for Weir's check
    GroupMemoryBarrierWithGroupSync();
    if (WaveIsFirstLane()) {
        InterlockedAdd(weir_started_subgroups, 1u, number);
    }
    weir_subgroup_id = WaveReadLaneFirst(number);
}

uint weir_subgroup_size() {
    return weir_given_subgroup == 0 ? WaveGetLaneCount() : weir_given_subgroup;
}

uint weir_subgroup_count() {
    return uint(WEIR_WORKGROUP) / weir_subgroup_size();
}

uint weir_lane() {
    return WaveGetLaneIndex();
}

// Returns the index in the workgroup, in the order of subgroups and lanes.
uint weir_invocation() {
    return weir_subgroup_id * weir_subgroup_size() + weir_lane();
}

