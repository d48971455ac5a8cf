// First half of culling: finds the instances in the view, their level of detail, and whether they were visible in the
// last frame.
#version 460
#extension GL_GOOGLE_include_directive : require
#include <weir/dispatch.glsl>
#include "records.h"

layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer Views { View view; };
layout(binding = 1) readonly buffer Instances { Instance instances[]; };
layout(binding = 2) readonly buffer Meshes { Mesh meshes[]; };
layout(binding = 3) readonly buffer Before { uint before[]; };     // 1 if visible in the last frame
layout(binding = 4) writeonly buffer Visible { uint visible[]; };  // cleared here; the second half sets it
layout(binding = 5) writeonly buffer States { uint states[]; };

#include "visibility.glsl"

float farthest_in(int level, ivec2 from, ivec2 to) {
    return 0.0; // no depths exist yet
}

void main() {
    const uint i = weir_workgroup_index() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
    if (i >= view.instances) {
        return;
    }
    const Instance instance = instances[i];
    const uint kind = instance.mesh & ~transparent_bit;
    const Box box = box_of(instance, meshes[kind], view);
    uint state = no_state;
    if ((view.switches & cull_frustum) == 0 || is_in_view(box, view)) {
        state = kind * lod_levels + level_of(box, instance, meshes[kind], view);
        if ((instance.mesh & transparent_bit) != 0) {
            state += is_transparent;
        } else if ((view.switches & cull_occluded) != 0 && before[i] == 0) {
            state += was_hidden;
        }
    }
    states[i] = state;
    visible[i] = 0;
}
