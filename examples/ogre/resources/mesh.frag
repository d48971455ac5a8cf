#version 450
layout(location = 0) in vec3 mesh_normal;
layout(location = 0) out vec4 color;
void main() {
    color = vec4(vec3(0.55 + 0.4 * dot(normalize(mesh_normal), vec3(0.48, 0.8, 0.36))), 1);
}
