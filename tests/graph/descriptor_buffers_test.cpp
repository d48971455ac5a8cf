// The descriptor buffer that programs of a context share.

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

#include "tests/graph/programs.hpp"
#include "tests/support/host_device.hpp"
#include "tests/support/own_set.hpp"
#include "tests/support/replaced_functions.hpp"
#include "tests/support/turns.hpp"

#include "engine/descriptors/descriptor_buffers.hpp"

namespace weir::tests::descriptor_buffers_test {
namespace {

const OnEveryDriver on_every_driver{"DescriptorBuffers.*", "NoDescriptorBuffers.*"};

using testing::AllOf;
using testing::HasSubstr;

constexpr std::uint32_t items = 64;

/// Skips tests on devices without descriptor buffers.
class DescriptorBuffers : public testing::Test {
protected:
    void SetUp() override {
        if (!test_context().capabilities().descriptor_buffer) {
            GTEST_SKIP() << "the device has no descriptor buffers"; // Mesa 25 has the extension
        }
    }
};

/// Addresses of the descriptor buffers that were bound, in order.
struct Bound {
    std::mutex mutex;
    std::vector<VkDeviceAddress> addresses;
    PFN_vkCmdBindDescriptorBuffersEXT real = nullptr;
} bound;

void VKAPI_CALL bind_buffers(VkCommandBuffer commands, std::uint32_t count,
                             const VkDescriptorBufferBindingInfoEXT* infos) {
    const std::lock_guard lock(bound.mutex);
    for (std::uint32_t i = 0; i < count; ++i) {
        bound.addresses.push_back(infos[i].address);
    }
    bound.real(commands, count, infos);
}

PFN_vkVoidFunction watch(std::string_view name, PFN_vkVoidFunction real) {
    return name == "vkCmdBindDescriptorBuffersEXT" ? ReplacedFunctions::take(real, bound.real, bind_buffers) : real;
}

/// A host device with descriptor buffers, which records the addresses that Weir binds.
struct Host {
    Host()
        : device([this](HostFeatures& features) {
              descriptor_buffer.descriptorBuffer = VK_TRUE;
              features.vulkan13.pNext = &descriptor_buffer;
          }),
          adopted(device.adopted()), replaced(adopted, watch) {
        bound.addresses.clear();
    }
    VkPhysicalDeviceDescriptorBufferFeaturesEXT descriptor_buffer{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_BUFFER_FEATURES_EXT};
    HostDevice device;
    AdoptedDevice adopted;
    ReplacedFunctions replaced;
};

/// A graph of two passes: data[i] += 2.
struct Incrementing {
    explicit Incrementing(const Context& on) : graph(on) {
        data = graph.import("data", items);
        for (const char* name : {"one", "another"}) {
            graph.add_pass(increment(data, name));
        }
    }
    WordGraph graph;
    WordRef data;
};

constexpr auto mode = DescriptorMode::buffer;

/// Three programs in one command buffer: each binds the descriptor buffer, or the application does once for all.
TEST_F(DescriptorBuffers, BoundByProgramsOrByApplication) {
    Host host;
    const Context context = ok(Context::adopt(host.adopted));
    const DescriptorBuffer shared = ok(context.descriptor_buffer());
    EXPECT_NE(shared.address, 0U);
    EXPECT_EQ(shared.size, 1U << 20U);
    const Incrementing incrementing(context);
    const Buffer own = ok(context.create_buffer(
        4096, {.kind = MemoryKind::upload, .usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT}));
    const VkDeviceAddress address_of_own = ContextAccess::device(context)->memory().address(own.handle());
    for (const auto& number : {std::optional<std::uint32_t>(), std::optional(0U), std::optional(1U)}) {
        std::vector<Program> programs;
        std::vector<Buffer> words;
        for (std::uint32_t i = 0; i < 3; ++i) {
            programs.push_back(
                ok(compile(context, incrementing.graph, {.descriptors = mode, .bound_descriptor_buffer = number})));
            words.push_back(buffer_on(context, Values(items, i * 100)));
            ok(programs.back().bind(incrementing.data, words.back()));
        }
        bound.addresses.clear();
        ok(context.submit([&](VkCommandBuffer commands) -> Result<> {
            VkDescriptorBufferBindingInfoEXT infos[2] = {{VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT},
                                                         {VK_STRUCTURE_TYPE_DESCRIPTOR_BUFFER_BINDING_INFO_EXT}};
            infos[0].address = address_of_own;
            infos[0].usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT;
            infos[number.value_or(0)].address = shared.address;
            infos[number.value_or(0)].usage = shared.usage;
            if (number) { // not through Weir's functions, therefore not recorded
                host.device.vk().vkCmdBindDescriptorBuffersEXT(commands, *number + 1, infos);
            }
            for (Program& program : programs) {
                ok(program.record(commands));
            }
            return {};
        }));
        EXPECT_EQ(bound.addresses, std::vector<VkDeviceAddress>(number ? 0 : 3, shared.address));
        for (std::uint32_t i = 0; i < 3; ++i) {
            EXPECT_EQ(ok(context.download<std::uint32_t>(words[i], items)), Values(items, i * 100 + 2));
        }
    }
}

/// Passes with and without sets of the application in turn. Binding sets ends the use of the descriptor buffer. It is
/// bound again before the next pass that needs it.
TEST_F(DescriptorBuffers, BoundAgainAfterDescriptorSets) {
    Host host;
    const Context context = ok(Context::adopt(host.adopted));
    const OwnSet own({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}}, {}, context);
    const Buffer words = buffer_on(context, Values(items, 0));
    own.write(0, 0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, words);
    WordGraph graph(context);
    const DescriptorSetId set = graph.import_set("set", own.layout());
    const WordRef data = graph.import("data", items);
    for (const bool through_set : {true, false, false, true, true, false, true}) {
        graph.add_pass(through_set ? increment_through(set, data) : increment(data));
    }
    Program program = ok(compile(context, graph, {.descriptors = mode}));
    ok(program.bind(data, words));
    ok(program.bind(set, own.set()));
    for (std::uint32_t run = 1; run < 3; ++run) {
        bound.addresses.clear();
        ok(program.run());
        EXPECT_EQ(bound.addresses.size(), 2U);
        EXPECT_EQ(ok(context.download<std::uint32_t>(words, items)), Values(items, run * 7));
    }
}

/// Several threads create, run and destroy programs in any order, with a small descriptor buffer.
TEST_F(DescriptorBuffers, DestroyedProgramsFreeTheirParts) {
    ContextOptions options = validated();
    options.descriptor_buffer_bytes = 16384;
    const Context context = ok(Context::create(options));
    const Incrementing incrementing(context);
    const auto compiled = [&](std::optional<std::uint32_t> number) {
        return compile(context, incrementing.graph, {.descriptors = mode, .bound_descriptor_buffer = number});
    };
    std::atomic<int> right = 0;
    std::vector<std::thread> threads;
    for (std::uint32_t seed = 0; seed < 3; ++seed) {
        threads.emplace_back([&, seed] {
            Random random(seed);
            std::vector<Program> programs;
            const Buffer words = buffer_on(context, Values(items, 0));
            std::uint32_t expected = 0;
            for (int turn = 0; turn < 40; ++turn) {
                if (programs.size() < 8) {
                    programs.push_back(ok(compiled({})));
                    ok(programs.back().bind(incrementing.data, words));
                } else {
                    programs.erase(programs.begin() + random.uniform(0, 7));
                }
                if (turn % 4 == 0) {
                    for (Program& program : programs) {
                        ok(program.run());
                        expected += 2;
                    }
                    right += ok(context.download<std::uint32_t>(words, items)) == Values(items, expected) ? 1 : 0;
                }
            }
        });
    }
    for (std::thread& thread : threads) {
        thread.join();
    }
    EXPECT_EQ(right, 30);
    // The whole first buffer is free again: each round fits the same number of programs.
    std::size_t fitting = 0;
    for (int round = 0; round < 3; ++round) {
        std::vector<Program> held;
        auto next = compiled(0);
        for (; next && held.size() < 1000; next = compiled(0)) {
            held.push_back(ok(std::move(next)));
        }
        expect_error(next, ErrorCode::limit_exceeded,
                     HasSubstr("the descriptor buffer of the context, of 16384 bytes, has no free range of "));
        ASSERT_GT(held.size(), 3U);
        EXPECT_TRUE(round == 0 || held.size() == fitting) << held.size();
        fitting = held.size();
        // Programs that bind by themselves get another buffer. A destroyed program frees its part.
        Program other = ok(compiled({}));
        const Buffer words = buffer_on(context, Values(items, 5));
        run_with(other, {{incrementing.data, words}});
        EXPECT_EQ(ok(context.download<std::uint32_t>(words, items)), Values(items, 7));
        held.erase(held.begin() + 1);
        EXPECT_TRUE(compiled(0));
    }
}

/// A program that does not fit into a buffer of this size gets a buffer of its own.
TEST_F(DescriptorBuffers, ProgramLargerThanBuffer) {
    ContextOptions options = validated();
    options.descriptor_buffer_bytes = 256;
    const Context context = ok(Context::create(options));
    WordGraph graph(context);
    const WordRef data = graph.import("data", items);
    for (int i = 0; i < 40; ++i) {
        graph.add_pass(increment(data));
    }
    for (int i = 0; i < 2; ++i) {
        Program program = ok(compile(context, graph, {.descriptors = mode}));
        const Buffer words = buffer_on(context, Values(items, 0));
        run_with(program, {{data, words}});
        EXPECT_EQ(ok(context.download<std::uint32_t>(words, items)), Values(items, 40));
    }
}

/// Programs take parts of a range of the application's buffer. The rest of this buffer does not change.
TEST_F(DescriptorBuffers, BufferOfApplication) {
    Host host;
    // Another context creates the buffer, so the adopted one does not own it.
    const Context maker = ok(Context::adopt(host.adopted));
    constexpr std::size_t before = 4096, size = 8192, all = 16384;
    constexpr VkBufferUsageFlags usage =
        VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT | VK_BUFFER_USAGE_SAMPLER_DESCRIPTOR_BUFFER_BIT_EXT;
    const Buffer own = ok(maker.create_buffer(all, {.kind = MemoryKind::upload, .usage = usage}));
    std::fill(own.mapped(), own.mapped() + all, std::byte{0x5A});
    host.adopted.descriptor_buffer = {ContextAccess::device(maker)->memory().address(own.handle()), usage, own.mapped(),
                                      before, size};
    const Context context = ok(Context::adopt(host.adopted));
    EXPECT_EQ(ok(context.descriptor_buffer()).address, host.adopted.descriptor_buffer.address);
    const Incrementing incrementing(context);
    std::vector<Program> programs;
    auto next = compile(context, incrementing.graph, {.descriptors = mode});
    bound.addresses.clear();
    for (; next && programs.size() < 1000; next = compile(context, incrementing.graph, {.descriptors = mode})) {
        programs.push_back(ok(std::move(next)));
        const Buffer words = buffer_on(context, Values(items, 1));
        ok(programs.back().bind(incrementing.data, words));
        ok(programs.back().run());
        EXPECT_EQ(ok(context.download<std::uint32_t>(words, items)), Values(items, 3));
    }
    EXPECT_GT(programs.size(), 2U);
    EXPECT_EQ(bound.addresses, std::vector<VkDeviceAddress>(programs.size(), host.adopted.descriptor_buffer.address));
    expect_error(next, ErrorCode::limit_exceeded,
                 HasSubstr("the descriptor buffer of the application, of 8192 bytes, has no free range of "));
    const auto is_poison = [](std::byte byte) { return byte == std::byte{0x5A}; };
    EXPECT_TRUE(std::all_of(own.mapped(), own.mapped() + before, is_poison));
    EXPECT_FALSE(std::all_of(own.mapped() + before, own.mapped() + before + size, is_poison));
    EXPECT_TRUE(std::all_of(own.mapped() + before + size, own.mapped() + all, is_poison));
}

TEST(NoDescriptorBuffers, AreRefused) {
    if (test_context().capabilities().descriptor_buffer) {
        GTEST_SKIP() << "the device has descriptor buffers";
    }
    const HostDevice device;
    AdoptedDevice adopted = device.adopted();
    adopted.descriptor_buffer.address = 4096;
    expect_error(Context::adopt(adopted), ErrorCode::invalid_argument,
                 HasSubstr("adopt: descriptor_buffer is set, but VK_EXT_descriptor_buffer and bufferDeviceAddress are "
                           "not enabled"));
    expect_error(test_context().descriptor_buffer(), ErrorCode::unsupported, HasSubstr("VK_EXT_descriptor_buffer"));
}

TEST_F(DescriptorBuffers, Mistakes) {
    Host host;
    std::byte some{};
    const auto adopted_with = [&](const DescriptorBuffer& buffer) {
        host.adopted.descriptor_buffer = buffer;
        return Context::adopt(host.adopted);
    };
    constexpr VkBufferUsageFlags usage = VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT;
    const auto refused = [&](const DescriptorBuffer& buffer, const std::string& why) {
        expect_error(adopted_with(buffer), ErrorCode::invalid_argument, HasSubstr("adopt: descriptor_buffer " + why));
    };
    refused({1U << 20U, usage, nullptr, 0, 1}, "is not mapped");
    refused({1U << 20U, usage, &some, 0, 0}, "has a size of 0");
    refused({1U << 20U, 0, &some, 0, 1}, "lacks VK_BUFFER_USAGE_RESOURCE_DESCRIPTOR_BUFFER_BIT_EXT in its usage");
    refused({1U << 20U, usage, &some, ~VkDeviceSize{0} / 4096 * 4096, 1}, "ends ");
    if (ContextAccess::device(test_context())->descriptor_buffers()->properties().descriptorBufferOffsetAlignment > 1) {
        refused({1U << 20U, usage, &some, 1, 1}, "has offset 1, which is not a multiple of ");
    }
    // A buffer without the usage for samplers is accepted.
    const Context plain = ok(adopted_with({1U << 20U, usage, &some, 0, 1}));
    const OwnSet own({{0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, nullptr}});
    WordGraph graph;
    const WordRef data = graph.import("data", items);
    Pass pass = increment(data, "through a set");
    pass.sets = {graph.import_set("set", own.layout())};
    graph.add_pass(pass);
    expect_error(compile(test_context(), graph, {.descriptors = mode, .bound_descriptor_buffer = 0}),
                 ErrorCode::unsupported,
                 AllOf(HasSubstr("pass 'through a set': descriptor sets of the application are not supported"),
                       HasSubstr("CompileOptions::bound_descriptor_buffer")));
    EXPECT_TRUE(compile(test_context(), graph, {.descriptors = mode}));
    EXPECT_TRUE(compile(test_context(), graph, {.descriptors = DescriptorMode::sets, .bound_descriptor_buffer = 0}));
}

} // namespace
} // namespace weir::tests::descriptor_buffers_test
