// Transforms a vertex of an instance in the list of a draw command.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "records.h"

layout(binding = 0) readonly buffer Views { View view; };
layout(binding = 1) readonly buffer Instances { Instance instances[]; };
layout(binding = 2) readonly buffer Ids { uint ids[]; };

layout(location = 0) in vec3 position;
// Unpacked here, because lavapipe of Mesa 22 writes beyond its memory when it fetches bytes by vectors of 128 bits.
layout(location = 1) in uint packed_normal;

layout(location = 0) out vec3 from_eye;
layout(location = 1) out vec3 out_normal;
layout(location = 2) out vec4 color;
invariant gl_Position;

vec3 turned(vec3 v, float cosine, float sine) {
    return vec3(cosine * v.x + sine * v.z, v.y, cosine * v.z - sine * v.x);
}

void main() {
    const vec4 normal = unpackSnorm4x8(packed_normal); // w: share of the instance's color
    const Instance instance = instances[ids[gl_InstanceIndex]];
    const vec3 place = vec3(instance.position[0], instance.position[1], instance.position[2]);
    const vec3 eye = vec3(view.eye[0], view.eye[1], view.eye[2]);
    from_eye = turned(position, instance.cosine, instance.sine) * instance.scale + (place - eye);
    out_normal = turned(normal.xyz, instance.cosine, instance.sine);
    const vec4 own = unpackUnorm4x8(instance.color);
    color = vec4(mix(vec3(0.25, 0.17, 0.11), own.rgb * own.rgb, normal.w), own.a);
    const vec3 right = vec3(view.axes[0], view.axes[1], view.axes[2]);
    const vec3 up = vec3(view.axes[3], view.axes[4], view.axes[5]);
    const vec3 forward = vec3(view.axes[6], view.axes[7], view.axes[8]);
    const float z = dot(forward, from_eye);
    gl_Position = vec4(dot(right, from_eye) / view.tangent_x, -dot(up, from_eye) / view.tangent_y, view.near, z);
}
