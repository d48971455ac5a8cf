#ifndef WEIR_PATHS_LAYERS_GLSL
#define WEIR_PATHS_LAYERS_GLSL

// The nested layers and masks that are open in a tile, and the color of each pixel in each of them. A layer opens at
// the first draw into it, and its clip is drawn then. A layer with a mask opens when its mask closes. A mask without
// draws of its layer in the tile is not drawn. In tiles that the mask or the clip does not reach, the layer stays closed
// and its draws are not visible. The including kernel must define `pixels`, the number of pixels per invocation,
// linear_color, and the functions declared below.

#include "blend.glsl"

layout(constant_id = 5) const uint slots = 2; // at least Scene::color_slots and Scene::mask_slots

struct Layer {
    uint parent;
    uint depth;
    uint kind;
    uint mask;
    uint blend;
    float opacity;
    uint color_slot;
    uint masks;
    uint first_draw, end_draw;
    uint first_clip, end_clip;
    uint jump;
};
const uint mask_by_alpha = 1, mask_by_luminance = 2;

float luminance_of(uint kind, vec4 color) {
    if (kind == mask_by_alpha) {
        return color.a;
    }
    const vec3 c = kind == mask_by_luminance ? color.rgb : linear_color(color).rgb;
    return dot(c, vec3(0.2125, 0.7154, 0.0721));
}

layout(std430, set = 0, binding = 8) readonly buffer Layers {
    Layer layers[];
};

uint open_layer = 0;   // innermost open layer
uint hidden_layer = 0; // latest layer or mask that is not visible in the tile; 0: none
vec4 colors[slots * pixels];
float visible[slots * pixels]; // visibility through masks and clips

// Returns true if draws first_draw to end_draw reach the tile.
bool is_reached(uint first_draw, uint end_draw);
// Computes the visibility through a clip. Returns false if the clip does not reach the tile.
bool draw_clip(uint first_draw, uint end_draw, out float visibility[pixels]);

void open(uint layer) {
    open_layer = layer;
    const uint first = layers[layer].color_slot * pixels;
    for (uint i = 0; i < pixels; ++i) {
        colors[first + i] = vec4(0.0);
    }
}

// Opens a layer with a mask or a clip.
void open_masked(uint layer, float visibility[pixels]) {
    open(layer);
    const uint first = (layers[layer].masks - 1) * pixels;
    for (uint i = 0; i < pixels; ++i) {
        visible[first + i] = visibility[i];
    }
}

void close() {
    const Layer layer = layers[open_layer];
    const uint first = layer.color_slot * pixels, behind = layers[layer.parent].color_slot * pixels;
    open_layer = layer.parent;
    if (layer.kind == 0) {
        const bool is_masked = layer.mask != 0 || layer.first_clip != layer.end_clip;
        for (uint i = 0; i < pixels; ++i) {
            const float visibility = is_masked ? visible[(layer.masks - 1) * pixels + i] : 1.0;
            const vec4 source = colors[first + i] * layer.opacity;
            const vec4 backdrop = first == behind ? vec4(0.0) : colors[behind + i]; // same slot: the parent is empty
            colors[behind + i] = composited(layer.blend, backdrop, source, visibility);
        }
    } else {
        float visibility[pixels];
        for (uint i = 0; i < pixels; ++i) {
            visibility[i] = luminance_of(layer.kind, colors[first + i]);
        }
        open_masked(layer.mask, visibility);
    }
}

// Returns the ancestor of `layer` at a depth, or `layer` itself.
uint ancestor(uint layer, uint depth) {
    while (layers[layer].depth > depth) {
        const uint jump = layers[layer].jump;
        layer = layers[jump].depth >= depth ? jump : layers[layer].parent;
    }
    return layer;
}

// Opens a child of the innermost open layer. Returns false if it is not visible in the tile.
bool open_child(uint layer) {
    if (layers[layer].kind != 0) {
        const uint masked = layers[layer].mask;
        if (masked == 0 || !is_reached(layers[masked].first_draw, layers[masked].end_draw)) {
            return false;
        }
    } else if (layers[layer].mask != 0) { // it would be open if its mask reached the tile
        return false;
    } else if (layers[layer].first_clip != layers[layer].end_clip) {
        float visibility[pixels];
        const bool is_visible = draw_clip(layers[layer].first_clip, layers[layer].end_clip, visibility);
        if (is_visible) {
            open_masked(layer, visibility);
        }
        return is_visible;
    }
    open(layer);
    return true;
}

// Makes `layer` the innermost open layer. Returns false if it is not visible in the tile.
bool enter(uint layer) {
    if (hidden_layer != 0 && ancestor(layer, layers[hidden_layer].depth) == hidden_layer) {
        return false;
    }
    while (ancestor(layer, layers[open_layer].depth) != open_layer) {
        close();
    }
    for (uint depth = layers[open_layer].depth + 1; depth <= layers[layer].depth; ++depth) {
        const uint next = ancestor(layer, depth);
        if (!open_child(next)) {
            hidden_layer = next;
            return false;
        }
    }
    return true;
}

#endif
