#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/descriptors/descriptor_buffers.hpp"
#include "tests/support/buffers.hpp"
#include "tests/support/descriptor_modes.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/kernel.hpp"

namespace weir::tests::descriptors_test {
namespace {

const char* const source = R"(#version 460
layout(local_size_x = 1) in;
layout(set = 0, binding = 0) readonly buffer In { uint x; };
layout(set = 0, binding = 1) buffer Out { uint y; };
layout(push_constant) uniform Push { uint extra; };
void main() { y = x + extra; })";

std::shared_ptr<const Pipeline> adding(Device& device, DescriptorMode mode) {
    PipelineInfo info{.shader = ok(device.shader(ShaderSource::glsl(source, "add"))),
                      .bindings = {VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER},
                      .descriptors = mode,
                      .push_bytes = 4,
                      .full_subgroups = false,
                      .name = "add"};
    return ok(device.pipeline(info));
}

DescriptorView view_of(const Buffer& buffer) {
    const Device& device = *ContextAccess::device(test_context());
    return {buffer, device.capabilities().buffer_address ? device.memory().address(buffer.handle()) : 0};
}

TEST(Descriptors, CopiesAreIndependent) {
    const std::shared_ptr<Device>& device = ContextAccess::device(test_context());
    for (const DescriptorMode mode : descriptor_modes(device->capabilities())) {
        SCOPED_TRACE(to_string(mode));
        const auto pipeline = adding(*device, mode);
        const std::vector<VkDescriptorType> two(2, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
        const DescriptorPass passes[] = {{pipeline, two}, {nullptr, {}}, {pipeline, two}};
        const auto descriptors = ok(make_descriptors(mode, device, device->descriptor_buffers(), passes, 2));
        const Buffer x = buffer_of(std::vector<std::uint32_t>{30});
        const Buffer results[] = {poisoned_buffer(1), poisoned_buffer(1), poisoned_buffer(1), poisoned_buffer(1)};
        for (std::uint32_t copy = 0; copy < 2; ++copy) {
            for (const std::uint32_t pass : {0U, 1U, 2U}) {
                const DescriptorView views[] = {view_of(x), view_of(results[copy * 2 + pass / 2])};
                descriptors->write(copy, pass, pass == 1 ? std::span<const DescriptorView>() : views);
            }
        }
        ok(test_context().submit([&](VkCommandBuffer commands) -> Result<> {
            device->begin_label(commands, "four dispatches");
            device->vk().vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline->handle());
            DescriptorBinding bound;
            descriptors->begin(commands, bound);
            for (std::uint32_t copy = 0; copy < 2; ++copy) {
                for (const std::uint32_t pass : {0U, 1U, 2U}) {
                    const std::uint32_t push = copy * 2 + pass / 2;
                    descriptors->bind(commands, bound, copy, pass);
                    if (pass != 1) {
                        device->vk().vkCmdPushConstants(commands, pipeline->layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0, 4,
                                                        &push);
                        device->vk().vkCmdDispatch(commands, 1, 1, 1);
                    }
                }
            }
            device->end_label(commands);
            return {};
        }));
        for (std::uint32_t i = 0; i < 4; ++i) {
            EXPECT_EQ(contents(results[i], 1)[0], 30 + i);
        }
    }
}

/// A descriptor buffer is shared by several programs, and is created before their queues are known.
TEST(Descriptors, BuffersAreSharedByAllFamilies) {
    constexpr std::uint32_t none = Capabilities::no_queue;
    Capabilities capabilities;
    const auto families = [&](std::array<std::uint32_t, queue_kinds> of) {
        capabilities.queue_families = of;
        return queue_families_of(capabilities);
    };
    EXPECT_EQ(families({3, none, none}), std::vector<std::uint32_t>{3});
    EXPECT_EQ(families({3, 3, none}), std::vector<std::uint32_t>{3});
    EXPECT_EQ(families({1, 0, 1}), (std::vector<std::uint32_t>{1, 0}));
    EXPECT_EQ(families({0, 2, 5}), (std::vector<std::uint32_t>{0, 2, 5}));
}

TEST(Descriptors, NoBindings) {
    const std::shared_ptr<Device>& device = ContextAccess::device(test_context());
    for (const DescriptorMode mode : descriptor_modes(device->capabilities())) {
        EXPECT_TRUE(make_descriptors(mode, device, device->descriptor_buffers(), {}, 1));
        const DescriptorPass none[] = {{nullptr, {}}};
        EXPECT_TRUE(make_descriptors(mode, device, device->descriptor_buffers(), none, 3));
    }
}

TEST(Descriptors, ModesHaveNames) {
    EXPECT_STREQ(to_string(DescriptorMode::automatic), "automatic");
    EXPECT_STREQ(to_string(DescriptorMode::sets), "sets");
    EXPECT_STREQ(to_string(DescriptorMode::push), "push");
    EXPECT_STREQ(to_string(DescriptorMode::buffer), "buffer");
    EXPECT_STREQ(to_string(DescriptorMode{99}), "?");
}

TEST(Descriptors, UnsupportedModeIsAnError) {
    Capabilities device;
    for (const DescriptorMode mode : {DescriptorMode::push, DescriptorMode::buffer}) {
        EXPECT_THAT(choose_descriptors(mode, device, 1), FailsWith(ErrorCode::unsupported, testing::_))
            << to_string(mode);
    }
    device.max_push_descriptors = 32;
    EXPECT_EQ(choose_descriptors(DescriptorMode::push, device, 32), DescriptorMode::push);
    EXPECT_THAT(choose_descriptors(DescriptorMode::push, device, 33),
                FailsWith(ErrorCode::unsupported, testing::HasSubstr("33 bindings; the device supports at most 32")));
    EXPECT_NE(choose_descriptors(DescriptorMode::automatic, device, 33), DescriptorMode::automatic);
}

} // namespace
} // namespace weir::tests::descriptors_test
