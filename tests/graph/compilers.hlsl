// For tests/scripts/hlsl.sh: in shader model 5, with the same bindings by all compilers.
struct Item {
    uint2 pair;
    float weight;
    uint number;
};
RWStructuredBuffer<Item> items : register(u0);
RWStructuredBuffer<uint> result : register(u1);
cbuffer Settings : register(b2) {
    uint factor;
    row_major float2x3 rows; // the second row begins at byte 32
};
groupshared uint total;

[numthreads(64, 1, 1)]
void work(uint3 at : SV_DispatchThreadID, uint in_group : SV_GroupIndex, uint3 group : SV_GroupID) {
    if (in_group == 0) {
        total = 0;
    }
    GroupMemoryBarrierWithGroupSync();
    uint old;
    InterlockedAdd(total, items[at.x].pair.y, old);
    result[at.x] = items[at.x].number * factor + uint(items[at.x].weight * rows[1][2]);
    GroupMemoryBarrierWithGroupSync();
    if (in_group == 0) {
        InterlockedAdd(result[128 + group.x], total, old);
    }
}
