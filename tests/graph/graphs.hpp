#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <weir/graph/description.hpp>
#include <weir/graph/graph.hpp>
#include <weir/graph/plan.hpp>

#include "tests/support/place.hpp"

// Graphs for a fictitious device, for tests of the compiler.

namespace weir::tests {

using testing::HasSubstr;
using WordRef = BufferRef<std::uint32_t>;

inline Capabilities some_device() {
    Capabilities device;
    device.device_name = "made up";
    device.max_workgroup_count_x = 65535;
    device.max_workgroup_count_y = 65535;
    device.max_workgroup_count_z = 65535;
    device.max_storage_range = 1U << 27;
    return device;
}

constexpr std::uint32_t no_queue = Capabilities::no_queue;
constexpr auto on_main = QueueKind::main, on_compute = QueueKind::compute, on_transfer = QueueKind::transfer;

/// Returns a device with queues of these families, next to the main queue of family 0.
inline Capabilities device_with(std::uint32_t compute, std::uint32_t transfer = no_queue) {
    Capabilities device = some_device();
    device.timeline_semaphores = true;
    device.queue_families = {0, compute, transfer};
    return device;
}

/// A pass, of one workgroup by default, whose shader is never compiled.
inline Pass pass(std::string name, std::vector<Binding> bindings, const Dispatch& dispatch = Dispatch::groups(1)) {
    Pass made;
    made.name = std::move(name);
    made.shader = ShaderSource::glsl("");
    made.bindings = std::move(bindings);
    made.dispatch = dispatch;
    return made;
}

constexpr VkImageLayout undefined = VK_IMAGE_LAYOUT_UNDEFINED, general = VK_IMAGE_LAYOUT_GENERAL,
                        for_sampling = VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL,
                        for_color = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                        for_depth = VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL,
                        for_testing = VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL,
                        for_copies = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                        for_present = VK_IMAGE_LAYOUT_PRESENT_SRC_KHR;
constexpr VkPipelineStageFlags2 compute = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
constexpr VkPipelineStageFlags2 fragment = VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT;
constexpr VkPipelineStageFlags2 indirect = VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT;

/// Images of 64 x 64 texels of 4 bytes: color, and depth.
inline ImageInfo some_image() {
    return {.format = VK_FORMAT_R8G8B8A8_UNORM, .extent = {64, 64, 1}};
}
inline ImageInfo some_depth() {
    return {.format = VK_FORMAT_D32_SFLOAT, .extent = {64, 64, 1}};
}

/// A pass that is never recorded.
inline CommandPass command_pass(std::string name, std::vector<Use> uses) {
    CommandPass made;
    made.name = std::move(name);
    made.uses = std::move(uses);
    made.record = [](VkCommandBuffer, const CommandPassContext&) {};
    return made;
}
/// A pass that is never recorded, and not culled.
inline CommandPass kept_pass(std::string name, std::vector<Use> uses) {
    CommandPass made = command_pass(std::move(name), std::move(uses));
    made.keep = true;
    return made;
}

/// A graph with the buffers and images that most tests need.
struct SomeGraph : Graph {
    explicit SomeGraph(const Capabilities& device = some_device()) : Graph(device) {}

    WordRef import(const std::string& name, const Accesses& arrives = Access::none,
                   SourceLocation where = SourceLocation::current()) {
        return import_buffer<std::uint32_t>(name, 64, {}, arrives, where);
    }
    WordRef transient(const std::string& name, std::uint32_t words = 64,
                      SourceLocation where = SourceLocation::current()) {
        return transient_buffer<std::uint32_t>(name, words, {}, where);
    }
    WordRef state(const std::string& name, SourceLocation where = SourceLocation::current()) {
        return state_buffer<std::uint32_t>(name, 64, where);
    }
    ImageId image(const std::string& name, const ImageInfo& info = some_image(),
                  SourceLocation where = SourceLocation::current()) {
        return transient_image(name, info, where);
    }
    void add_pass_on(QueueKind queue, Pass pass, SourceLocation where = SourceLocation::current()) {
        const auto scope = on_queue(queue);
        add_pass(std::move(pass), where);
    }

    template <class Condition>
    void add_pass_if(const Condition& condition, Pass pass, SourceLocation where = SourceLocation::current()) {
        const auto scope = only_if(condition);
        add_pass(std::move(pass), where);
    }

    /// Returns the plan. If the compiler fails, returns an empty plan and fails the test.
    [[nodiscard]] Plan plan(const PlanOptions& options = {}) const {
        auto made = make_plan(description(), options);
        EXPECT_TRUE(made) << made.error().message;
        return made ? *made : Plan{};
    }
    /// Returns the compiler's error message, or "no mistake".
    [[nodiscard]] std::string whole_mistake() const {
        const auto made = make_plan(description());
        if (made) {
            return "no mistake";
        }
        EXPECT_EQ(made.error().code, ErrorCode::invalid_graph) << made.error().message;
        return made.error().message;
    }
    /// Returns the compiler's error message without the place at the end (see without_place), or "no mistake".
    [[nodiscard]] std::string mistake(SourceLocation before = SourceLocation::current()) const {
        const std::string message = whole_mistake();
        return message == "no mistake" ? message : without_place(message, before);
    }

    /// Returns the names of the plan's passes, by group. Groups without passes are omitted.
    [[nodiscard]] std::vector<std::vector<std::string>> groups() const {
        std::vector<std::vector<std::string>> names;
        for (const PlanGroup& group : plan().groups) {
            if (!group.passes.empty()) {
                names.push_back(names_of(group.passes));
            }
        }
        return names;
    }
    [[nodiscard]] std::vector<std::string> culled() const { return names_of(plan().culled); }

private:
    [[nodiscard]] std::vector<std::string> names_of(const std::vector<std::uint32_t>& passes) const {
        std::vector<std::string> names;
        for (const std::uint32_t index : passes) {
            names.push_back(description().passes[index].name);
        }
        return names;
    }
};

/// Checks the compiler's error message for a graph that `build` makes, without the place at the end. The place must be
/// in the test that calls this.
template <class Build>
void expect_mistake(const testing::Matcher<std::string>& message, const Build& build,
                    const Capabilities& device = some_device(), SourceLocation where = SourceLocation::current()) {
    const testing::ScopedTrace trace(where.file, static_cast<int>(where.line), "this graph");
    SomeGraph graph(device);
    build(graph);
    constexpr std::uint32_t longest_test = 100; // lines
    EXPECT_THAT(graph.mistake({where.file, where.line + longest_test}), message);
}

/// Returns the memory barriers before a group.
inline const std::vector<VkMemoryBarrier2>& barriers(const Plan& plan, std::size_t group) {
    return plan.groups.at(group).barriers;
}
/// Returns the memory barriers of the last group, which leads to the leaving accesses.
inline const std::vector<VkMemoryBarrier2>& leaving(const Plan& plan) {
    return plan.groups.back().barriers;
}

} // namespace weir::tests
