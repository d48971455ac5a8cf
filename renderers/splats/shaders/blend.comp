// Blends the splats of a tile, nearest first. One workgroup per tile, one subgroup per rectangle of it, one invocation
// per pixel. The workgroup takes the splats of the tile out of those of its block. Most of them touch few of the
// rectangles, so each subgroup first lists the splats that touch its own.
// FORMAT: format of the picture. MESH: 1 hides splats behind a depth image. DEPTH: 1 writes the expected depth.
#version 460
#extension GL_GOOGLE_include_directive : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_vote : require
#if MESH
#extension GL_EXT_samplerless_texture_functions : require
#endif

#include "footprint.glsl"

const uint workgroup = tile * tile;
layout(local_size_x = 256) in;
// Skips the barriers between lanes of a subgroup. Set on CPU drivers, which execute each of them as a barrier of the
// whole workgroup.
layout(constant_id = 0) const bool is_lockstep = false;

layout(push_constant) uniform Push {
    float background[4]; // premultiplied
    float near_plane;
    float mesh_scale, mesh_offset; // depth of the mesh: see MeshDepth
    uint inverse_mesh;             // 1: the depth image is linear in 1 / depth
    uint width, height;            // pixels
    uint columns;                  // in blocks
};

layout(std430, set = 0, binding = 0) readonly buffer Ranges {
    uint ranges[];
};
layout(std430, set = 0, binding = 1) readonly buffer Splats {
    uint splats[];
};
layout(std430, set = 0, binding = 2) readonly buffer Projected {
    ProjectedSplat projected[];
};
layout(set = 0, binding = 3, FORMAT) writeonly uniform image2D picture;
#if MESH || DEPTH
layout(std430, set = 0, binding = 4) readonly buffer Depths {
    uint depths[]; // floats beyond the near plane
};
#endif
#if MESH
layout(set = 0, binding = 5) uniform texture2D mesh;
#endif
#if DEPTH
layout(set = 0, binding = 5 + MESH, r32f) writeonly uniform image2D expected_depth;
#endif

// A batch of splats of the tile. At (x, y) in the tile, u = axis_x * x - axis_xy * y + u0 and v = axis_y * y + v0.
// Small, because workgroup memory limits the number of workgroups that a multiprocessor runs.
const uint batch_size = 128;
shared vec4 axes[batch_size];     // axis_x, axis_xy, axis_y, log2_opacity
shared uvec4 origins[batch_size]; // u0, v0, red and green, blue and above it a bit for each rectangle that it touches
#if MESH || DEPTH
shared float batch_depths[batch_size];
#endif
shared uint touching[workgroup]; // per subgroup, from its first invocation on: splats that touch its rectangle
shared uint finished;            // number of subgroups whose pixels are all opaque

const uint entries = 2;                              // pairs per invocation that `fill` reads
shared uint queue[batch_size + entries * workgroup]; // a ring: splats of the tile that are not yet in a batch
shared uint subgroup_counts[workgroup / 4];

const float opaque = 1e-4; // transmittance below which splats behind are not visible

uint even_bits(uint n) {
    return n & 1 | n >> 1 & 2 | n >> 2 & 4 | n >> 3 & 8;
}

// Invocations follow a Z-order curve, so that a subgroup covers a rectangle.
uvec2 pixel_of(uint invocation) {
    return uvec2(even_bits(invocation), even_bits(invocation >> 1));
}

// Returns the size of the rectangles of `origins`: those of the subgroups, but at least 16 pixels, for 16 bits.
uvec2 rectangle_size() {
    const uint size_log2 = max(findMSB(gl_SubgroupSize), 4);
    return uvec2(1u << (size_log2 + 1) / 2, 1u << size_log2 / 2);
}

// Returns a bit for each rectangle, row by row, where a splat is visible: those that the disc u^2 + v^2 <= reach
// intersects.
uint touched_rectangles(vec4 axis, vec2 origin) {
    const uvec2 size = rectangle_size();
    const float reach = reach_of(axis.w), radius = sqrt(reach);
    const float slant = axis.y / axis.z, peak = radius * slant * inversesqrt(1.0 + slant * slant);
    const float u = origin.x + slant * origin.y;
    uint touched = 0, bit = 1;
    for (uint y = 0; y < tile; y += size.y) {
        const float top = max(axis.z * (float(y) + 0.5) + origin.y, -radius);
        const float bottom = min(axis.z * (float(y + size.y) - 0.5) + origin.y, radius);
        const float lowest = clamp(-peak, top, max(top, bottom)), highest = clamp(peak, top, max(top, bottom));
        const float left = slant * lowest - sqrt(max(reach - lowest * lowest, 0.0)) - u;
        const float right = slant * highest + sqrt(max(reach - highest * highest, 0.0)) - u;
        for (uint x = 0; x < tile; x += size.x) {
            const bool is_touched = right >= axis.x * (float(x) + 0.5) && left <= axis.x * (float(x + size.x) - 0.5);
            touched |= top <= bottom && is_touched ? bit : 0;
            bit <<= 1;
        }
    }
    return touched;
}

void load(uint i, uint splat, vec2 corner) {
    const ProjectedSplat p = projected[splat];
    const vec2 mean = p.mean - corner;
    const vec4 axis = vec4(p.axis_x, p.axis_xy, p.axis_y, p.log2_opacity);
    const vec2 origin = vec2(p.axis_xy * mean.y - p.axis_x * mean.x, -p.axis_y * mean.y);
    axes[i] = axis;
    origins[i] = uvec4(floatBitsToUint(origin), p.red_green, p.blue & 0xFFFF | touched_rectangles(axis, origin) << 16);
#if MESH || DEPTH
    batch_depths[i] = uintBitsToFloat(depths[splat] + floatBitsToUint(near_plane));
#endif
}

#if MESH
// Returns the depth behind which splats are hidden at a pixel.
float mesh_depth(uvec2 pixel) {
    const float value = texelFetch(mesh, ivec2(min(pixel, uvec2(width, height) - 1)), 0).x * mesh_scale + mesh_offset;
    return inverse_mesh == 0 ? value : value > 0.0 ? 1.0 / value : uintBitsToFloat(0x7F800000);
}
#endif

// Appends splats of the tile to the end of the queue, `tail`: those of the next pairs of the block, from `first` on.
// `bit`: that of the tile. Returns the number of splats.
uint fill(uint first, uint end, uint bit, uint tail) {
    const uint at = first + entries * (gl_SubgroupID * gl_SubgroupSize + gl_SubgroupInvocationID);
    uint found[entries], place = 0, count = 0;
    for (uint i = 0; i < entries; ++i) {
        found[i] = at + i < end ? splats[at + i] : 0;
        const uvec4 all = subgroupBallot((found[i] & bit) != 0);
        place += subgroupBallotExclusiveBitCount(all);
        count += subgroupBallotBitCount(all);
    }
    if (subgroupElect()) {
        subgroup_counts[gl_SubgroupID] = count;
    }
    barrier();
    uint total = 0;
    for (uint i = 0; i < gl_NumSubgroups; ++i) {
        place += i < gl_SubgroupID ? subgroup_counts[i] : 0;
        total += subgroup_counts[i];
    }
    for (uint i = 0; i < entries; ++i) {
        if ((found[i] & bit) != 0) {
            queue[(tail + place) % queue.length()] = found[i] & (1u << pair_index_bits) - 1;
            ++place;
        }
    }
    barrier();
    return total;
}

void subgroup_barrier() {
    if (!is_lockstep) {
        subgroupMemoryBarrierShared();
        subgroupBarrier();
    }
}

void main() {
    const uint first_of_subgroup = gl_SubgroupID * gl_SubgroupSize;
    const uint invocation = first_of_subgroup + gl_SubgroupInvocationID;
    const uvec2 corner = gl_WorkGroupID.xy * tile, inner = pixel_of(invocation);
    const vec2 at = vec2(inner) + 0.5;
    const uvec2 rectangle = pixel_of(first_of_subgroup) / rectangle_size();
    const uint own_rectangle = rectangle.y * (tile / rectangle_size().x) + rectangle.x;

    const uvec2 in_block = gl_WorkGroupID.xy % 2, blocks = gl_WorkGroupID.xy / 2;
    const uint tile_bit = 1u << pair_index_bits + 2 * in_block.y + in_block.x;
    const uint number = blocks.y * columns + blocks.x, end = ranges[number + 1];
    uint next = ranges[number], head = 0, queued = 0; // next pair, begin and size of the queue
    if (invocation == 0) {
        finished = 0;
    }
    vec3 color = vec3(0.0);
    float transmittance = 1.0;
    bool is_finished = false;
#if DEPTH
    float depth_sum = 0.0;
#endif
#if MESH
    const float hidden = mesh_depth(corner + inner);
#endif
    while (true) {
        barrier(); // all subgroups have finished the previous batch
        if (finished == gl_NumSubgroups) {
            break;
        }
        for (; queued < batch_size && next < end; next += entries * workgroup) {
            queued += fill(next, end, tile_bit, head + queued);
        }
        const uint count = min(queued, batch_size);
        if (count == 0) {
            break;
        }
        if (invocation < count) {
            load(invocation, queue[(head + invocation) % queue.length()], vec2(corner));
        }
        head += count;
        queued -= count;
        barrier();
        if (is_finished) {
            continue;
        }
        for (uint base = 0; base < count && !is_finished; base += gl_SubgroupSize) {
            const uint mine = base + gl_SubgroupInvocationID;
            const bool is_touching = mine < count && (origins[mine].w >> 16 + own_rectangle & 1) != 0;
            const uvec4 all_touching = subgroupBallot(is_touching);
            if (is_touching) {
                touching[first_of_subgroup + subgroupBallotExclusiveBitCount(all_touching)] = mine;
            }
            subgroup_barrier();
            const uint past = first_of_subgroup + subgroupBallotBitCount(all_touching);
            for (uint k = first_of_subgroup; k < past; ++k) {
                const uint i = touching[k];
                const vec4 axis = axes[i];
                const uvec4 words = origins[i];
                const vec2 origin = uintBitsToFloat(words.xy);
                const float u = axis.x * at.x + (origin.x - axis.y * at.y), v = axis.z * at.y + origin.y;
                const float power = axis.w - u * u - v * v;
#if MESH
                const float shown = batch_depths[i] <= hidden ? power : -8.0;
#else
                const float shown = power;
#endif
                const float alpha = shown >= -7.9943534 ? min(exp2(power), 0.99) : 0.0, weight = alpha * transmittance;
#if DEPTH
                depth_sum += weight * batch_depths[i];
#endif
                color += weight * vec3(unpackHalf2x16(words.z), unpackHalf2x16(words.w).x);
                transmittance -= weight;
            }
            subgroup_barrier();
#if MESH
            is_finished = subgroupAll(transmittance < opaque || batch_depths[min(base + gl_SubgroupSize, count) - 1] > hidden);
#else
            is_finished = subgroupAll(transmittance < opaque);
#endif
        }
        if (is_finished && subgroupElect()) {
            atomicAdd(finished, 1);
        }
    }
    const uvec2 pixel = corner + inner;
    if (pixel.x < width && pixel.y < height) {
        color += transmittance * vec3(background[0], background[1], background[2]);
        imageStore(picture, ivec2(pixel), vec4(color, 1.0 - transmittance + transmittance * background[3]));
#if DEPTH
        const float opacity = 1.0 - transmittance;
        imageStore(expected_depth, ivec2(pixel), vec4(opacity > 0.0 ? depth_sum / opacity : 0.0));
#endif
    }
}
