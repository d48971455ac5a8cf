#version 460

// Places the disc of a star by its position and depth.
layout(location = 0) in vec4 star; // x, y, depth, color
layout(location = 0) out vec2 corner;
layout(location = 1) out vec3 color;
layout(push_constant) uniform Push {
    float width, height;
};

void main() {
    const float radius = 700;
    corner = vec2(gl_VertexIndex & 1, gl_VertexIndex >> 1) * 2 - 1;
    const vec2 aspect = vec2(min(1, height / width), min(1, width / height));
    gl_Position = vec4((star.xy + corner * radius * aspect) / star.z, 0, 1);
    const vec3 hue = 0.5 + 0.5 * cos(6.2832 * (star.w / 8 + vec3(0, 0.33, 0.67)));
    color = hue * (1 - 0.8 * star.z / 65536);
}
