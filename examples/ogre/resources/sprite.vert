#version 450
// A sprite: a point of radius 0.3.
layout(binding = 0, row_major) uniform OgreUniforms { mat4 view, projection; float height; };
layout(location = 0) in vec3 position;
layout(location = 3) in vec4 color;
layout(location = 0) out vec3 sprite_color;
void main() {
    gl_Position = projection * view * vec4(position, 1);
    gl_PointSize = 0.3 * height * abs(projection[1][1]) / gl_Position.w;
    sprite_color = color.rgb;
}
