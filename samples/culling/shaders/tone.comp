// Converts light to screen colors: exposure, tone curve with soft highlights, sRGB encoding. Red is in the lowest byte.
// TO_IMAGE: 1 if the picture is an image, 0 if it is a buffer.
#version 460
#extension GL_EXT_samplerless_texture_functions : require

layout(local_size_x = 16, local_size_y = 16) in;
layout(binding = 0) uniform texture2D color;
layout(binding = 1) readonly buffer Exposure { float exposure; };
#if TO_IMAGE
layout(binding = 2, rgba8) writeonly uniform image2D picture;
#else
layout(binding = 2) writeonly buffer Picture { uint picture[]; };
#endif

void main() {
    const ivec2 at = ivec2(gl_GlobalInvocationID.xy), size = textureSize(color, 0);
    if (any(greaterThanEqual(at, size))) {
        return;
    }
    const vec3 x = texelFetch(color, at, 0).rgb * exposure;
    const vec3 shown = clamp(x * (2.51 * x + 0.03) / (x * (2.43 * x + 0.59) + 0.14), 0.0, 1.0); // curve by Narkowicz
    const vec3 encoded = mix(12.92 * shown, 1.055 * pow(shown, vec3(1.0 / 2.4)) - 0.055, greaterThan(shown, vec3(0.0031308)));
    const uint pixel = packUnorm4x8(vec4(encoded, 1.0));
#if TO_IMAGE
    imageStore(picture, at, unpackUnorm4x8(pixel)); // already rounded, as in a buffer
#else
    picture[at.y * size.x + at.x] = pixel;
#endif
}
