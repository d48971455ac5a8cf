// Writes a draw command for each run of instances with the same bucket.
#version 460
#extension GL_GOOGLE_include_directive : require
#include <weir/dispatch.glsl>
#include "records.h"

struct DrawIndexed { // VkDrawIndexedIndirectCommand
    uint index_count, instance_count, first_index;
    int vertex_offset;
    uint first_instance;
};

layout(local_size_x = 64) in;
layout(binding = 0) readonly buffer Buckets { uint buckets[]; };
layout(binding = 1) readonly buffer Lengths { uint lengths[]; };
layout(binding = 2) readonly buffer Offsets { uint offsets[]; };
layout(binding = 3) readonly buffer Number { uint runs; };
layout(binding = 4) readonly buffer Meshes { Mesh meshes[]; };
layout(binding = 5) writeonly buffer Commands { DrawIndexed commands[]; };
layout(binding = 6) buffer Reports { Report report; };
layout(push_constant) uniform Push { uint part, most; };

void main() {
    const uint i = weir_workgroup_index() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
    if (i >= min(runs, most)) {
        return;
    }
    const uint bucket = buckets[i] % most_buckets;
    const MeshLevel level = meshes[bucket / lod_levels].levels[bucket % lod_levels];
    commands[i] = DrawIndexed(level.index_count, lengths[i], level.first_index, level.vertex_offset, offsets[i]);
    atomicAdd(report.draws[part], 1);
    atomicAdd(report.instances[part], lengths[i]);
    atomicAdd(report.triangles[part], lengths[i] * (level.index_count / 3));
}
