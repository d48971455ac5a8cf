// Second half of culling: finds the visible instances in the view, by the depth pyramid of the first draws.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_EXT_samplerless_texture_functions : require
#include <weir/dispatch.glsl>
#include "records.h"

layout(local_size_x = 256) in;
layout(binding = 0) readonly buffer Views { View view; };
layout(binding = 1) readonly buffer Instances { Instance instances[]; };
layout(binding = 2) readonly buffer Meshes { Mesh meshes[]; };
layout(binding = 3) uniform texture2D pyramid;
layout(binding = 4) readonly buffer States { uint states[]; }; // states of the instances in the view
layout(binding = 5) readonly buffer Ids { uint ids[]; };       // indices of these instances
layout(binding = 6) readonly buffer Inside { uint inside; };   // number of these instances
layout(binding = 7) writeonly buffer Visible { uint visible[]; };
layout(binding = 8) writeonly buffer Late { uint late[]; };     // bucket of visible instances that the first draws lack
layout(binding = 9) writeonly buffer Depths { uint depths[]; }; // transparent instances: bits of the distance

#include "visibility.glsl"
#include "pyramid.glsl"

void main() {
    const uint k = weir_workgroup_index() * gl_WorkGroupSize.x + gl_LocalInvocationID.x;
    if (k >= inside) {
        return;
    }
    const Instance instance = instances[ids[k]];
    const Box box = box_of(instance, meshes[instance.mesh & ~transparent_bit], view);
    const bool is_seen = (view.switches & cull_occluded) == 0 || !is_occluded(box, view);
    const uint state = states[k];
    const bool is_late = is_seen && state >= was_hidden && state < is_transparent;
    const bool is_blended = is_seen && state >= is_transparent;
    visible[ids[k]] = is_seen ? 1 : 0;
    late[k] = is_late ? state - was_hidden : no_state;
    depths[k] = is_blended ? floatBitsToUint(max(box.center[2], 0.0)) : no_state;
}
