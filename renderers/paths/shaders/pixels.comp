// Copies a picture into a buffer, row by row.
#version 460

layout(local_size_x = 16, local_size_y = 16) in;

layout(push_constant) uniform Push {
    uint width, height;
};

layout(set = 0, binding = 0, rgba8) readonly uniform image2D picture;
layout(std430, set = 0, binding = 1) writeonly buffer Pixels {
    uint pixels[];
};

void main() {
    const uvec2 at = gl_GlobalInvocationID.xy;
    if (at.x < width && at.y < height) {
        pixels[at.y * width + at.x] = packUnorm4x8(imageLoad(picture, ivec2(at)));
    }
}
