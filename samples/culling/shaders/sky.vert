// Draws a triangle that covers the picture, behind everything else.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "records.h"

layout(binding = 0) readonly buffer Views { View view; };
layout(location = 0) out vec3 direction;

void main() {
    const vec2 at = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 4.0 - 1.0;
    const vec2 slope = vec2(at.x * view.tangent_x, -at.y * view.tangent_y);
    for (int k = 0; k < 3; ++k) {
        direction[k] = view.axes[k] * slope.x + view.axes[3 + k] * slope.y + view.axes[6 + k];
    }
    gl_Position = vec4(at, 0.0, 1.0);
}
