#version 450
// A soft disc.
layout(location = 0) in vec3 sprite_color;
layout(location = 0) out vec4 color;
void main() {
    const vec2 from_center = 2 * gl_PointCoord - 1;
    color = vec4(sprite_color, 0.5 * max(1 - dot(from_center, from_center), 0));
}
