// Records shared by shaders and C++. They contain 32-bit words only, so that both use the same layout.
#ifndef CULLING_RECORDS_H
#define CULLING_RECORDS_H

#ifdef __cplusplus
#include <cstdint>
namespace samples::culling {
using uint = std::uint32_t;
#define CULLING_CONSTANT constexpr uint
#else
#define CULLING_CONSTANT const uint
#endif

CULLING_CONSTANT lod_levels = 4;      // levels of detail per mesh
CULLING_CONSTANT mesh_kinds = 64;     // meshes of a scene
CULLING_CONSTANT most_buckets = 256;  // a bucket is mesh * lod_levels + level
CULLING_CONSTANT pyramid_levels = 14; // maximum

// States of an instance before the occlusion test: its bucket plus one of these.
CULLING_CONSTANT was_visible = 0;           // opaque, visible in the last frame
CULLING_CONSTANT was_hidden = most_buckets; // opaque, hidden in the last frame
CULLING_CONSTANT is_transparent = 512;
CULLING_CONSTANT states_inside = 768;    // all states of instances in the view are below
CULLING_CONSTANT no_state = 0xFFFFFFFFu; // outside the view, or not drawn

// Bits of View::switches.
CULLING_CONSTANT cull_frustum = 1;
CULLING_CONSTANT cull_occluded = 2;
CULLING_CONSTANT use_levels = 4;

// Bit of Instance::mesh.
CULLING_CONSTANT transparent_bit = 0x80000000u;

// An instance. Its box is the box of its mesh: scaled, rotated around the vertical axis, and moved.
struct Instance {
    float position[3];
    float scale;
    float cosine, sine; // of the rotation
    uint mesh;          // index of the mesh, and transparent_bit
    uint color;         // red in the lowest byte; alpha: opacity if transparent, otherwise emission
};

struct MeshLevel {
    uint first_index, index_count;
    int vertex_offset;
};

// A mesh, centered on its bounding box.
struct Mesh {
    float half_size[3];
    float size_squared; // squared length of half_size
    MeshLevel levels[lod_levels];
};

// View of the camera. Axes are right, up and forward; depth values are near / distance.
struct View {
    float axes[9]; // rows
    float eye[3];
    float scale_x, scale_y; // pixels per unit at distance 1
    float half_width, half_height;
    float tangent_x, tangent_y; // tangents of half the field of view
    float near, padded_near;    // near plane; the same with a margin for comparisons
    float level_distance[3];    // squared distance at which each level ends, for a mesh of size 1
    float exposure_rate;        // fraction of the adaptation to the wanted exposure per frame
    float brightness;           // brightness of the picture; 1: middle grey
    uint width, height;
    uint instances;
    uint switches;
    float sun[3];
    float fog; // per unit of distance
};

// A level of the pyramid: its size, and its first texel if all levels are stored in sequence.
struct PyramidLevel {
    uint first, width, height;
};

// Counts of a frame.
struct Report {
    uint inside;       // number of instances in the view
    uint draws[3];     // draw commands: first, late, transparent
    uint instances[3]; // instances drawn by them
    uint triangles[3];
    uint unused[6];
};

#ifdef __cplusplus
#undef CULLING_CONSTANT
} // namespace samples::culling
#endif
#endif
