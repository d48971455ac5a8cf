#ifndef WEIR_PATHS_LAYERS_GLSL
#define WEIR_PATHS_LAYERS_GLSL

// The nested layers and masks that are open in a tile, and the color of each pixel in each of them. A layer opens at
// the first draw into it. A layer with a mask opens when its mask closes. In tiles that the mask does not reach, it
// stays closed and its draws are not visible. The including kernel must define `pixels`, the number of pixels per
// invocation.

#include "blend.glsl"

layout(constant_id = 5) const uint most_open = 2; // including the picture

struct Layer {
    uint parent;
    uint depth;
    uint kind;
    uint mask;
    uint blend;
    float opacity;
};
const uint mask_by_alpha = 1, mask_by_luminance = 2;

float luminance_of(uint kind, vec4 color) {
    if (kind == mask_by_alpha) {
        return color.a;
    }
    vec3 c = color.rgb;
    if (kind != mask_by_luminance && color.a > 0.0) {
        const vec3 srgb = c / color.a;
        c = mix(srgb / 12.92, pow((srgb + 0.055) / 1.055, vec3(2.4)), greaterThan(srgb, vec3(0.04045))) * color.a;
    }
    return dot(c, vec3(0.2125, 0.7154, 0.0721));
}

layout(std430, set = 0, binding = 7) readonly buffer Layers {
    Layer layers[];
};

uint open_layer = 0; // innermost open layer
vec4 colors[most_open * pixels];
float visible[most_open * pixels]; // visibility through the layer's mask

void open(uint layer, float visibility[pixels]) {
    open_layer = layer;
    const uint first = layers[layer].depth * pixels;
    for (uint i = 0; i < pixels; ++i) {
        colors[first + i] = vec4(0.0);
        visible[first + i] = visibility[i];
    }
}

void close() {
    const Layer layer = layers[open_layer];
    const uint first = layer.depth * pixels, behind = first - pixels;
    open_layer = layer.parent;
    if (layer.kind == 0) {
        for (uint i = 0; i < pixels; ++i) {
            const vec4 source = colors[first + i] * (layer.opacity * visible[first + i]);
            colors[behind + i] = composited(layer.blend, colors[behind + i], source);
        }
    } else if (layer.mask != 0) {
        float visibility[pixels];
        for (uint i = 0; i < pixels; ++i) {
            visibility[i] = luminance_of(layer.kind, colors[first + i]);
        }
        open(layer.mask, visibility);
    }
}

// Returns the ancestor of `layer` at a depth, or `layer` itself.
uint ancestor(uint layer, uint depth) {
    while (layers[layer].depth > depth) {
        layer = layers[layer].parent;
    }
    return layer;
}

// Makes `layer` the innermost open layer. Returns false if a mask hides it.
bool enter(uint layer) {
    while (ancestor(layer, layers[open_layer].depth) != open_layer) {
        close();
    }
    for (uint depth = layers[open_layer].depth + 1; depth <= layers[layer].depth; ++depth) {
        const uint next = ancestor(layer, depth);
        if (layers[next].kind == 0 && layers[next].mask != 0) {
            return false;
        }
        float visibility[pixels];
        for (uint i = 0; i < pixels; ++i) {
            visibility[i] = 1.0;
        }
        open(next, visibility);
    }
    return true;
}

#endif
