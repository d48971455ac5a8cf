#version 460

layout(set = 0, binding = 0) uniform Settings { uint first; };
layout(location = 0) out uint color;

void main() {
    color = first + uint(gl_FragCoord.y) * 8 + uint(gl_FragCoord.x);
}
