// Copies an image of the application into the texels of image paints, as 8 bits per component, premultiplied.
#version 460
#extension GL_EXT_samplerless_texture_functions : require

layout(local_size_x = 16, local_size_y = 16) in;

layout(push_constant) uniform Push {
    uint width, height;
    uint flags;
};
const uint is_opaque = 1, is_premultiplied = 2, is_linear = 4;

layout(set = 0, binding = 0) uniform texture2D image;
layout(std430, set = 0, binding = 1) writeonly buffer Texels {
    uint texels[];
};

vec3 encoded(vec3 linear) {
    const vec3 power = 1.055 * pow(linear, vec3(1.0 / 2.4)) - 0.055;
    return mix(linear * 12.92, power, greaterThan(linear, vec3(0.0031308)));
}

void main() {
    const uvec2 at = gl_GlobalInvocationID.xy;
    if (at.x >= width || at.y >= height) {
        return;
    }
    vec4 color = clamp(texelFetch(image, ivec2(at), 0), vec4(0.0), vec4(1.0));
    color.a = (flags & is_opaque) != 0 ? 1.0 : color.a;
    bool is_done = (flags & (is_opaque | is_premultiplied)) != 0; // nothing is left to multiply
    if ((flags & is_linear) != 0) {
        if (is_done && color.a > 0.0) {
            color.rgb = min(color.rgb / color.a, vec3(1.0));
        }
        color.rgb = encoded(color.rgb);
        is_done = false;
    }
    const uint pixel = packUnorm4x8(color), alpha = pixel >> 24;
    uint texel = alpha << 24;
    for (int shift = 0; shift < 24; shift += 8) {
        const uint component = pixel >> shift & 0xFFu;
        texel |= (is_done ? component : (component * alpha + 127) / 255) << shift;
    }
    texels[at.y * width + at.x] = texel;
}
