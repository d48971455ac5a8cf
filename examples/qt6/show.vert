#version 460

// A triangle that covers the window.
layout(location = 0) out vec2 at;

void main() {
    at = vec2(gl_VertexIndex == 1 ? 2 : 0, gl_VertexIndex == 2 ? 2 : 0);
    gl_Position = vec4(2 * at - 1, 0, 1);
}
