// Draws the picture, and the overlay in its corner.
#version 460
#extension GL_EXT_samplerless_texture_functions : require

layout(push_constant) uniform Push {
    ivec2 corner;    // upper left corner of the overlay, in pixels
    ivec2 size;      // size of the overlay in pixels; 0: no overlay
    uint is_encoded; // the swapchain encodes linear values as sRGB on write
};
layout(set = 0, binding = 0) uniform texture2D picture; // premultiplied, sRGB
layout(set = 0, binding = 1) uniform texture2D overlay; // premultiplied, sRGB

layout(location = 0) out vec4 result;

vec3 linear(vec3 c) {
    return mix(c / 12.92, pow((c + 0.055) / 1.055, vec3(2.4)), greaterThan(c, vec3(0.04045)));
}

void main() {
    const ivec2 at = ivec2(gl_FragCoord.xy), inner = at - corner;
    vec3 color = texelFetch(picture, at, 0).rgb;
    if (all(greaterThanEqual(inner, ivec2(0))) && all(lessThan(inner, size))) {
        const vec4 above = texelFetch(overlay, inner, 0);
        color = color * (1.0 - above.a) + above.rgb;
    }
    result = vec4(is_encoded != 0 ? linear(color) : color, 1.0);
}
