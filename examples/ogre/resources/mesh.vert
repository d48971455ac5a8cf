#version 450
layout(binding = 0, row_major) uniform OgreUniforms { mat4 view_projection; };
layout(location = 0) in vec3 position;
layout(location = 2) in vec3 normal;
layout(location = 0) out vec3 mesh_normal;
void main() {
    gl_Position = view_projection * vec4(position, 1);
    mesh_normal = normal;
}
