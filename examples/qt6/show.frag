#version 460

layout(location = 0) in vec2 at;
layout(location = 0) out vec4 color;
layout(binding = 0) uniform sampler2D picture;

void main() {
    color = textureLod(picture, at, 0);
}
