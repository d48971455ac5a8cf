// Computes the base-2 logarithm of the luminance of each pixel.
#version 460
#extension GL_EXT_samplerless_texture_functions : require

layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform texture2D color;
layout(binding = 1) writeonly buffer Luminances { float luminances[]; };

void main() {
    const ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = textureSize(color, 0);
    if (all(lessThan(at, size))) {
        const float luminance = dot(texelFetch(color, at, 0).rgb, vec3(0.2126, 0.7152, 0.0722));
        luminances[at.y * size.x + at.x] = log2(max(luminance, 1e-4));
    }
}
