// Records that shaders and C++ share: words of 32 bits only, so that both lay them out alike.
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

CULLING_CONSTANT lod_levels = 4;    // of a mesh
CULLING_CONSTANT mesh_kinds = 64;   // meshes of a scene
CULLING_CONSTANT most_buckets = 256; // a bucket is mesh * lod_levels + level
CULLING_CONSTANT pyramid_levels = 14; // at most

// State of an instance before the pyramid: a bucket, plus one of these.
CULLING_CONSTANT was_visible = 0;             // opaque, and visible in the last frame
CULLING_CONSTANT was_hidden = most_buckets;   // opaque, and hidden in the last frame
CULLING_CONSTANT is_transparent = 512;
CULLING_CONSTANT states_inside = 768; // states below are those of instances in the view
CULLING_CONSTANT no_state = 0xFFFFFFFFu; // outside, or not to be drawn

// Switches of a view.
CULLING_CONSTANT cull_frustum = 1;
CULLING_CONSTANT cull_occluded = 2;
CULLING_CONSTANT use_levels = 4;

// Of Instance::mesh.
CULLING_CONSTANT transparent_bit = 0x80000000u;

// An instance: its box is that of its mesh, scaled, turned about the vertical axis, at a position.
struct Instance {
    float position[3];
    float scale;
    float cosine, sine; // of the turn
    uint mesh;          // and transparent_bit
    uint color;         // red in the lowest byte; alpha: how opaque, or of opaque ones how bright they glow
};

struct MeshLevel {
    uint first_index, index_count;
    int vertex_offset;
};

// A mesh around the middle of its box.
struct Mesh {
    float half_size[3];
    float size_squared; // of half_size
    MeshLevel levels[lod_levels];
};

// What the camera sees: axes are right, up and forward, depths are near / distance.
struct View {
    float axes[9]; // rows
    float eye[3];
    float scale_x, scale_y; // pixels of a unit at distance 1
    float half_width, half_height;
    float tangent_x, tangent_y; // of half the angle of view
    float near, padded_near;    // the same, and a little more, for comparisons
    float level_distance[3];    // squared, of a mesh of size 1, where a level ends
    float exposure_rate;        // part of the way to the exposure that a frame asks for
    float brightness;           // of the picture; 1 as a middle grey has it
    uint width, height;
    uint instances;
    uint switches;
    float sun[3];
    float fog; // per unit of distance
};

// One level of the pyramid: its size, and where it begins where all levels follow each other.
struct PyramidLevel {
    uint first, width, height;
};

// What a frame did, for people.
struct Report {
    uint inside;        // instances in the view
    uint draws[3];      // commands: first, late, transparent
    uint instances[3];  // that they draw
    uint triangles[3];
    uint unused[6];
};

#ifdef __cplusplus
#undef CULLING_CONSTANT
} // namespace samples::culling
#endif
#endif
