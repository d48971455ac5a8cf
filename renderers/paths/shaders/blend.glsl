#ifndef WEIR_PATHS_BLEND_GLSL
#define WEIR_PATHS_BLEND_GLSL

// Blending of W3C, "Compositing and Blending Level 1": source over backdrop, mixing their colors where both exist.

const uint blend_normal = 0, blend_multiply = 1, blend_screen = 2, blend_overlay = 3, blend_darken = 4,
           blend_lighten = 5, blend_color_dodge = 6, blend_color_burn = 7, blend_hard_light = 8, blend_soft_light = 9,
           blend_difference = 10, blend_exclusion = 11, blend_hue = 12, blend_saturation = 13, blend_color = 14;

float luminosity(vec3 c) {
    return dot(c, vec3(0.3, 0.59, 0.11));
}

vec3 clipped_color(vec3 c) {
    const float l = luminosity(c), low = min(c.r, min(c.g, c.b)), high = max(c.r, max(c.g, c.b));
    if (low < 0.0) {
        c = l + (c - l) * l / (l - low);
    }
    if (high > 1.0) {
        c = l + (c - l) * (1.0 - l) / (high - l);
    }
    return c;
}

vec3 with_luminosity(vec3 c, float l) {
    return clipped_color(c + (l - luminosity(c)));
}

float saturation(vec3 c) {
    return max(c.r, max(c.g, c.b)) - min(c.r, min(c.g, c.b));
}

vec3 with_saturation(vec3 c, float s) {
    const float low = min(c.r, min(c.g, c.b)), high = max(c.r, max(c.g, c.b));
    return high > low ? (c - low) * s / (high - low) : vec3(0.0);
}

float hard_light(float b, float s) {
    return s <= 0.5 ? b * 2.0 * s : b + (2.0 * s - 1.0) - b * (2.0 * s - 1.0);
}

float soft_light(float b, float s) {
    if (s <= 0.5) {
        return b - (1.0 - 2.0 * s) * b * (1.0 - b);
    }
    const float d = b <= 0.25 ? ((16.0 * b - 12.0) * b + 4.0) * b : sqrt(b);
    return b + (2.0 * s - 1.0) * (d - b);
}

float blended(uint blend, float b, float s) {
    switch (blend) {
    case blend_multiply:
        return b * s;
    case blend_screen:
        return b + s - b * s;
    case blend_overlay:
        return hard_light(s, b);
    case blend_darken:
        return min(b, s);
    case blend_lighten:
        return max(b, s);
    case blend_color_dodge:
        return b == 0.0 ? 0.0 : s >= 1.0 ? 1.0 : min(1.0, b / (1.0 - s));
    case blend_color_burn:
        return b >= 1.0 ? 1.0 : s == 0.0 ? 0.0 : 1.0 - min(1.0, (1.0 - b) / s);
    case blend_hard_light:
        return hard_light(b, s);
    case blend_soft_light:
        return soft_light(b, s);
    case blend_difference:
        return abs(b - s);
    case blend_exclusion:
        return b + s - 2.0 * b * s;
    }
    return s;
}

vec3 blended(uint blend, vec3 b, vec3 s) {
    switch (blend) {
    case blend_hue:
        return with_luminosity(with_saturation(s, saturation(b)), luminosity(b));
    case blend_saturation:
        return with_luminosity(with_saturation(b, saturation(s)), luminosity(b));
    case blend_color:
        return with_luminosity(s, luminosity(b));
    case blend_color + 1:
        return with_luminosity(b, luminosity(s));
    }
    return vec3(blended(blend, b.r, s.r), blended(blend, b.g, s.g), blended(blend, b.b, s.b));
}

// Returns the factors of source and backdrop of a Porter-Duff operator (Composite), given their alphas.
vec2 factors_of(uint composite, float b, float s) {
    switch (composite) {
    case 1: return vec2(1.0 - b, 1.0); // dest_over
    case 2: return vec2(0.0);          // clear
    case 3: return vec2(1.0, 0.0);     // copy
    case 4: return vec2(0.0, 1.0);     // dest
    case 5: return vec2(b, 0.0);       // src_in
    case 6: return vec2(0.0, s);       // dest_in
    case 7: return vec2(1.0 - b, 0.0); // src_out
    case 8: return vec2(0.0, 1.0 - s); // dest_out
    case 9: return vec2(b, 1.0 - s);   // src_atop
    case 10: return vec2(1.0 - b, s);  // dest_atop
    case 11: return vec2(1.0 - b, 1.0 - s); // exclusive_or
    }
    return vec2(1.0); // plus
}

// Returns the backdrop with the source composited onto it, as far as it is visible. Both colors are premultiplied.
// `operation`: LayerRecord::blend. The including kernel must define `features`.
vec4 composited(uint operation, vec4 backdrop, vec4 source, float visibility) {
    const uint blend = operation & 0xFFu, composite = (features & scene_has_operators) != 0 ? operation >> 8 : 0;
    source *= composite == 0 ? visibility : 1.0;
    vec4 color = source;
    if (blend != blend_normal && backdrop.a > 0.0 && source.a > 0.0) {
        const vec3 b = min(backdrop.rgb / backdrop.a, vec3(1.0)), s = min(source.rgb / source.a, vec3(1.0));
        color.rgb += backdrop.a * source.a * (blended(blend, b, s) - s);
    }
    if (composite == 0) {
        return backdrop * (1.0 - source.a) + color;
    }
    const vec2 factors = factors_of(composite, backdrop.a, source.a);
    return mix(backdrop, min(color * factors.x + backdrop * factors.y, vec4(1.0)), visibility);
}

#endif
