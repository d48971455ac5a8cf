// A level of the pyramid: each texel is the farthest of four of the level before; of the first level, of four pixels of the depth image.
#version 460
#extension GL_EXT_samplerless_texture_functions : require

layout(local_size_x = 8, local_size_y = 8) in;
#if FROM_IMAGE
layout(binding = 0) writeonly buffer Pyramid { float pyramid[]; };
layout(binding = 1) uniform texture2D depth;
#else
layout(binding = 0) buffer Pyramid { float pyramid[]; };
#endif
layout(push_constant) uniform Push {
    uint from, from_width, from_height; // the level before: where it begins, its size
    uint to, width, height;
};

float texel(uvec2 at) {
    at = min(at, uvec2(from_width, from_height) - 1);
#if FROM_IMAGE
    return texelFetch(depth, ivec2(at), 0).r;
#else
    return pyramid[from + at.y * from_width + at.x];
#endif
}

void main() {
    const uvec2 at = gl_GlobalInvocationID.xy;
    if (at.x >= width || at.y >= height) {
        return;
    }
    pyramid[to + at.y * width + at.x] = min(min(texel(2 * at), texel(2 * at + uvec2(1, 0))),
                                            min(texel(2 * at + uvec2(0, 1)), texel(2 * at + uvec2(1, 1))));
}
