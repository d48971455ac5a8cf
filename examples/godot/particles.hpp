#pragma once

// Particles that are simulated, culled and sorted by depth, written as instances of a MultiMesh of Godot. All numbers
// are integers, so that the CPU computes the same.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <weir/weir.hpp>

#include "godot_class.hpp"
#include "submissions.hpp"

class Particles {
public:
    /// A camera in units of 1/1024.
    struct Camera {
        std::array<std::int32_t, 4> eye{}, right{}, up{}, forward{}; ///< the last element is not used
        std::int32_t width = 0, height = 0;                          ///< half the size of the picture at distance 1

        Camera() = default;
        Camera(const godot::Transform& view, double tan_x, double tan_y) : width(units(tan_x)), height(units(tan_y)) {
            for (std::size_t i = 0; i < 3; ++i) {
                eye[i] = units(view.origin[i]);
                right[i] = units(view.basis[i][0]);
                up[i] = units(view.basis[i][1]);
                forward[i] = -units(view.basis[i][2]);
            }
        }
        static std::int32_t units(double value) { return static_cast<std::int32_t>(std::lround(value * 1024)); }
    };
    struct Particle {
        std::array<std::int32_t, 4> place{};  ///< x, y, z in 1/1024; number of steps of its life
        std::array<std::int32_t, 4> motion{}; ///< change of the place in a step; state of its random numbers
    };
    struct Instance {
        std::array<std::array<float, 4>, 3> transform; ///< rows
        std::array<float, 4> color;
        friend bool operator==(const Instance&, const Instance&) = default;
    };

    /// Compiles the program. `instances` and `arguments`: buffers of Godot for `count` instances and one indirect draw.
    static weir::Result<Particles> create(const weir::Context& gpu, std::uint32_t count, VkBuffer instances,
                                          VkBuffer arguments) {
        Particles particles(gpu, count, instances, arguments);
        return particles.compile().map([&] { return std::move(particles); });
    }

    /// Records a step of the simulation. Writes the instances that this camera sees, farthest first, and their number.
    weir::Result<> record(VkCommandBuffer commands, const Camera& camera) {
        last_ = camera;
        ++steps_;
        // [frame]
        return program_->set(camera_, camera).and_then([&] { return program_->record(commands); });
        // [/frame]
    }

    /// Compares the instances in Godot's buffer with the CPU's. Returns their number, or -1 if they differ.
    weir::Result<std::int64_t> check() {
        const std::vector<Instance> expected = on_cpu();
        const auto arguments = gpu_.download<std::uint32_t>({arguments_, 0, 20}, 5);
        const auto instances = gpu_.download<Instance>({instances_, 0, count_ * sizeof(Instance)}, expected.size());
        if (!arguments || !instances) {
            return tl::unexpected(arguments ? instances.error() : arguments.error());
        }
        return (*arguments)[1] == expected.size() && *instances == expected ? static_cast<std::int64_t>(expected.size())
                                                                            : -1;
    }

private:
    static constexpr const char* common = R"(#version 460
        #include <weir/dispatch.glsl>
        layout(local_size_x = 64) in;
        struct Particle { ivec4 place, motion; };
        )";
    static constexpr const char* move = R"(
        layout(binding = 0) readonly buffer Before { Particle before[]; };
        layout(binding = 1) writeonly buffer After { Particle after[]; };
        layout(binding = 2) writeonly buffer Depths { int depths[]; };
        layout(push_constant) uniform Push { ivec4 eye, right, up, forward; int width, height; uint count; };
        int random(inout int state, int range) {
            state = int(uint(state) * 747796405u + 2891336453u);
            return int((uint(state) >> 16) % uint(2 * range + 1)) - range;
        }
        int along(ivec4 axis, ivec3 place) {
            return axis.x * place.x + axis.y * place.y + axis.z * place.z >> 10;
        }
        void main() {
            const uint i = weir_workgroup_index() * 64 + gl_LocalInvocationID.x;
            if (i >= count) {
                return;
            }
            Particle p = before[i];
            if (p.place.w == 0) { // starts at the fountain; the first lives have all lengths
                const bool is_first = p.motion.w == 0;
                int state = is_first ? int(i * 2654435761u | 1u) : p.motion.w;
                const int x = random(state, 28), y = 150 + random(state, 30), z = random(state, 28);
                const int life = is_first ? 1 + int(i % 97u) : 90 + random(state, 30);
                p = Particle(ivec4(0, 1, 0, life), ivec4(x, y, z, state));
            }
            p.motion.y -= 4;
            p.place.xyz += p.motion.xyz;
            p.motion.y = p.place.y < 0 ? -p.motion.y / 2 : p.motion.y;
            p.place.y = max(p.place.y, 0);
            p.place.w -= 1;
            after[i] = p;
            const ivec3 from_eye = p.place.xyz - eye.xyz;
            const int depth = along(forward, from_eye);
            const bool visible = depth > 100 && abs(along(right, from_eye)) <= depth * width >> 10 &&
                                 abs(along(up, from_eye)) <= depth * height >> 10;
            depths[i] = visible ? depth : 0;
        })";
    static constexpr const char* write = R"(
        layout(binding = 0) readonly buffer Particles { Particle particles[]; };
        layout(binding = 1) readonly buffer Order { uint order[]; };
        layout(binding = 2) readonly buffer Visible { uint visible; };
        struct Instance { vec4 x, y, z, color; };
        layout(binding = 3) writeonly buffer Instances { Instance instances[]; };
        void main() {
            const uint i = weir_workgroup_index() * 64 + gl_LocalInvocationID.x;
            if (i < visible) {
                const ivec4 at = particles[order[i]].place;
                instances[i] = Instance(vec4(1, 0, 0, at.x / 1024.0), vec4(0, 1, 0, at.y / 1024.0),
                                        vec4(0, 0, 1, at.z / 1024.0), vec4(order[i] % 4u / 4.0, at.w / 128.0, 1, 0.5));
            }
        })";
    static constexpr const char* number = R"(#version 460
        layout(local_size_x = 1) in;
        layout(binding = 0) readonly buffer Visible { uint visible; };
        layout(binding = 1) buffer Arguments { uint arguments[5]; };
        void main() { arguments[1] = visible; })";

    Particles(const weir::Context& gpu, std::uint32_t count, VkBuffer instances, VkBuffer arguments)
        : gpu_(gpu), count_(count), instances_(instances), arguments_(arguments), cpu_(count) {}

    weir::Result<> compile() {
        // [graph]
        weir::Graph graph(gpu_);
        camera_ = graph.host_data("camera", sizeof(Camera));
        const auto particles = graph.history_buffer<Particle>("particles", count_);
        const auto instances = graph.import_buffer<Instance>("instances", count_, {}, weir::Access::vertex_shader_read);
        const auto arguments = graph.import_buffer<std::uint32_t>("arguments", 5, {}, weir::Access::indirect_read);
        const auto depths = graph.transient_buffer<std::int32_t>("depths", count_);
        graph.add_pass({.name = "move and cull",
                        .shader = weir::ShaderSource::glsl(std::string(common) + move),
                        .bindings = {read(particles.previous), weir::write(particles.current), weir::write(depths)},
                        .push = {camera_, count_},
                        .dispatch = weir::Dispatch::elements(count_, 64)});
        const auto visible = weir::select_if(graph, depths, "x != 0", {.want_indices = true});
        const auto sorted =
            weir::radix_sort(graph, visible.items, visible.indices, {.descending = true, .end_bit = 24});
        graph.add_pass(
            {.name = "write the instances",
             .shader = weir::ShaderSource::glsl(std::string(common) + write),
             .bindings = {read(particles.current), read(sorted.values), read(visible.count), weir::write(instances)},
             .dispatch = weir::Dispatch::elements(visible.items.count, 64)});
        graph.add_pass({.name = "write their number",
                        .shader = weir::ShaderSource::glsl(number),
                        .bindings = {read(visible.count), read_write(arguments)},
                        .dispatch = weir::Dispatch::groups(1)});
        graph.export_buffer(instances, weir::Access::vertex_shader_read);
        graph.export_buffer(arguments, weir::Access::indirect_read);
        auto program = weir::compile(gpu_, graph, {.frames_in_flight = Submissions::in_flight});
        if (!program) {
            return tl::unexpected(program.error());
        }
        program_ = std::move(*program);
        return program_->bind(instances, {instances_, 0, count_ * sizeof(Instance)}).and_then([&] {
            return program_->bind(arguments, {arguments_, 0, 20});
        });
        // [/graph]
    }

    static int random(std::int32_t& state, int range) {
        state = static_cast<std::int32_t>(static_cast<std::uint32_t>(state) * 747796405U + 2891336453U);
        return static_cast<int>((static_cast<std::uint32_t>(state) >> 16U) %
                                static_cast<std::uint32_t>(2 * range + 1)) -
               range;
    }
    /// Simulates the steps that the CPU has not simulated yet. Returns the instances of the last one.
    std::vector<Instance> on_cpu() {
        for (; cpu_steps_ < steps_; ++cpu_steps_) {
            for (std::uint32_t i = 0; i < count_; ++i) {
                Particle& p = cpu_[i];
                if (p.place[3] == 0) {
                    const bool is_first = p.motion[3] == 0;
                    std::int32_t state = is_first ? static_cast<std::int32_t>(i * 2654435761U | 1U) : p.motion[3];
                    const int x = random(state, 28), y = 150 + random(state, 30), z = random(state, 28);
                    const int life = is_first ? 1 + static_cast<int>(i % 97) : 90 + random(state, 30);
                    p = {{0, 1, 0, life}, {x, y, z, state}};
                }
                p.motion[1] -= 4;
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    p.place[axis] += p.motion[axis];
                }
                p.motion[1] = p.place[1] < 0 ? -p.motion[1] / 2 : p.motion[1];
                p.place[1] = std::max(p.place[1], 0);
                p.place[3] -= 1;
            }
        }
        const auto along = [](const std::array<std::int32_t, 4>& axis, const std::array<std::int32_t, 3>& place) {
            return (axis[0] * place[0] + axis[1] * place[1] + axis[2] * place[2]) >> 10;
        };
        std::vector<std::pair<std::int32_t, std::uint32_t>> visible; // depths and indices
        for (std::uint32_t i = 0; i < count_; ++i) {
            const auto& at = cpu_[i].place;
            const std::array<std::int32_t, 3> from_eye{at[0] - last_.eye[0], at[1] - last_.eye[1],
                                                       at[2] - last_.eye[2]};
            const std::int32_t depth = along(last_.forward, from_eye);
            if (depth > 100 && std::abs(along(last_.right, from_eye)) <= (depth * last_.width) >> 10 &&
                std::abs(along(last_.up, from_eye)) <= (depth * last_.height) >> 10) {
                visible.emplace_back(depth, i);
            }
        }
        std::ranges::stable_sort(visible, [](const auto& a, const auto& b) { return a.first > b.first; });
        std::vector<Instance> instances;
        for (const auto& [depth, i] : visible) {
            const auto& at = cpu_[i].place;
            const auto meters = [&](std::size_t axis) { return static_cast<float>(at[axis]) / 1024; };
            instances.push_back({{{{1, 0, 0, meters(0)}, {0, 1, 0, meters(1)}, {0, 0, 1, meters(2)}}},
                                 {static_cast<float>(i % 4) / 4, static_cast<float>(at[3]) / 128, 1, 0.5F}});
        }
        return instances;
    }

    weir::Context gpu_;
    std::uint32_t count_;
    VkBuffer instances_, arguments_;
    weir::HostData camera_;
    std::optional<weir::Program> program_;
    Camera last_;
    std::uint32_t steps_ = 0, cpu_steps_ = 0;
    std::vector<Particle> cpu_;
};
