#version 460
#extension GL_GOOGLE_include_directive : require
#include "records.h"
#include "sky.glsl"

layout(binding = 0) readonly buffer Views { View view; };
layout(location = 0) in vec3 direction;
layout(location = 0) out vec4 result;

void main() {
    result = vec4(sky_in(normalize(direction), vec3(view.sun[0], view.sun[1], view.sun[2])), 1.0);
}
