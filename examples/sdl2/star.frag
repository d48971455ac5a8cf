#version 460

// Draws a disc. Its dark rim shows which of two discs is in front.
layout(location = 0) in vec2 corner;
layout(location = 1) in vec3 color;
layout(location = 0) out vec4 result;

void main() {
    const float from_center = length(corner);
    if (from_center > 1) {
        discard;
    }
    result = vec4(from_center > 0.8 ? vec3(0) : color, 1);
}
