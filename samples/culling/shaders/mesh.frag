// Shades with sun, sky and fog.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "records.h"
#include "sky.glsl"

layout(constant_id = 0) const bool is_blended = false;
layout(binding = 0) readonly buffer Views { View view; };

layout(location = 0) in vec3 from_eye;
layout(location = 1) in vec3 normal;
layout(location = 2) in vec4 color;
layout(location = 0) out vec4 result;

void main() {
    const vec3 sun = vec3(view.sun[0], view.sun[1], view.sun[2]), n = normalize(normal);
    const float toward = max(dot(n, sun), 0.0);
    vec3 light = color.rgb * (sun_light * toward + mix(ground_light, sky_light, 0.5 + 0.5 * n.y));
    float alpha = 1.0;
    if (is_blended) {
        const vec3 direction = normalize(from_eye);
        const float edge = pow(1.0 - abs(dot(direction, n)), 4.0);
        alpha = mix(color.a, 1.0, edge);
        light = mix(light, sky_in(reflect(direction, n), sun), 0.2 + 0.6 * edge);
    } else {
        light += color.rgb * (8.0 * color.a); // emission
    }
    result = vec4(through_fog(light, from_eye, view.fog, sun), alpha);
}
