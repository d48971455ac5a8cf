// Computes a level of the pyramid. Each texel is the farthest of four texels of the previous level, or of four pixels
// of the depth image.
#version 460
#extension GL_EXT_samplerless_texture_functions : require

layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0) uniform texture2D before; // view of a single mip
layout(binding = 1, r32f) writeonly uniform image2D pyramid;
layout(push_constant) uniform Push {
    uvec2 from; // size of the previous level; `to` is the size of this level
    uvec2 to;
};

float texel(uvec2 at) {
    return texelFetch(before, ivec2(min(at, from - 1)), 0).r;
}

void main() {
    const uvec2 at = gl_GlobalInvocationID.xy;
    if (at.x >= to.x || at.y >= to.y) {
        return;
    }
    const float farthest = min(min(texel(2 * at), texel(2 * at + uvec2(1, 0))),
                               min(texel(2 * at + uvec2(0, 1)), texel(2 * at + uvec2(1, 1))));
    imageStore(pyramid, ivec2(at), vec4(farthest));
}
