// Moves particles, and sums the energies of each workgroup. For examples/hlsl.cpp, which compiles it with shaderc.
//
// To compile it with another compiler, add -I and the folder of Weir's shaders to its command:
//     dxc -spirv -fspv-target-env=vulkan1.1 -T cs_6_0 -E move -Fo particles.spv particles.hlsl
//     glslang -D -V -S comp -e move --target-env vulkan1.1 -o particles.spv particles.hlsl
//     slangc -target spirv -stage compute -entry move -o particles.spv particles.hlsl
#define WEIR_WORKGROUP 64
#include <weir/weir_workgroup_scan.hlsl>

float add(float a, float b) { return a + b; }
WEIR_WORKGROUP_REDUCE(energy, float, add, 0.0)

struct Particle { // 32 bytes, in the layout of every compiler
    float3 position;
    float mass;
    float3 velocity;
    float energy;
};
struct Settings {
    float step;
    uint count;
};
[[vk::push_constant]] ConstantBuffer<Settings> settings;
StructuredBuffer<Particle> before : register(t0);
RWStructuredBuffer<Particle> after : register(u1);
RWStructuredBuffer<float> energies : register(u2);

[numthreads(WEIR_WORKGROUP, 1, 1)]
void move(uint3 group : SV_GroupID) {
    weir_begin();
    const uint i = group.x * WEIR_WORKGROUP + weir_invocation();
    float own = 0;
    if (i < settings.count) {
        Particle particle = before[i];
        particle.position += settings.step * particle.velocity;
        own = particle.energy = 0.5 * particle.mass * dot(particle.velocity, particle.velocity);
        after[i] = particle;
    }
    const float sum = energy_reduce(own);
    if (weir_invocation() == 0) {
        energies[group.x] = sum;
    }
}
