#version 460

// Copies the texels of an image to a buffer, row by row. RGBA8, RGBA16F or R32F: format of the image.

layout(local_size_x = 16, local_size_y = 16) in;

layout(push_constant) uniform Push { uint width, height; };

#if defined(RGBA8)
#define FORMAT rgba8
#define TEXEL uint
TEXEL packed(vec4 texel) { return packUnorm4x8(texel); }
#elif defined(RGBA16F)
#define FORMAT rgba16f
#define TEXEL uvec2
TEXEL packed(vec4 texel) { return uvec2(packHalf2x16(texel.xy), packHalf2x16(texel.zw)); }
#else
#define FORMAT r32f
#define TEXEL float
TEXEL packed(vec4 texel) { return texel.x; }
#endif

layout(set = 0, binding = 0, FORMAT) readonly uniform image2D image;
layout(set = 0, binding = 1) writeonly buffer Texels { TEXEL texels[]; };

void main() {
    const uvec2 at = gl_GlobalInvocationID.xy;
    if (at.x < width && at.y < height) {
        texels[at.y * width + at.x] = packed(imageLoad(image, ivec2(at)));
    }
}
