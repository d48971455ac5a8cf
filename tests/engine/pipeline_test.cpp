#include <atomic>
#include <cstring>
#include <sstream>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/shader/compiled_shader.hpp"
#include "tests/graph/programs.hpp"
#include "tests/support/altered_host.hpp"
#include "tests/support/buffers.hpp"
#include "tests/support/errors.hpp"
#include "tests/support/kernel.hpp"
#include "tests/support/threads.hpp"

namespace weir::tests::pipeline_test {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const char* const add_source = R"(#version 460
layout(local_size_x_id = 0) in;
layout(constant_id = 1) const uint factor = 1;
layout(set = 0, binding = 0) readonly buffer In { uint x[]; };
layout(set = 0, binding = 1) buffer Out { uint y[]; };
layout(push_constant) uniform Push { uint count; uint extra; };
void main() {
    if (gl_GlobalInvocationID.x < count) y[gl_GlobalInvocationID.x] = x[gl_GlobalInvocationID.x] * factor + extra;
})";

std::shared_ptr<const CompiledShader> add_shader(const Context& context = test_context()) {
    return ok(ContextAccess::device(context)->shader(ShaderSource::glsl(add_source, "add")));
}

std::vector<VkDescriptorType> storage_buffers(std::size_t count) {
    return std::vector<VkDescriptorType>(count, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER);
}

PipelineInfo add_info() {
    return {
        .shader = add_shader(), .constants = {64, 3}, .bindings = storage_buffers(2), .push_bytes = 8, .name = "add"};
}

TEST(Pipeline, RunsWithConstantsPushConstantsAndOffsets) {
    const Capabilities& device = test_context().capabilities();
    const std::size_t skip = std::max<std::size_t>(device.storage_offset_alignment / 4, 1);
    const std::vector<std::uint32_t> in = Random().vector(1000 + skip);
    const Buffer x = buffer_of(in);
    const Buffer y = poisoned_buffer(1001);
    const BufferView views[] = {{x.handle(), skip * 4, 4000}, y};
    run_kernel({.source = ShaderSource::glsl(add_source, "add"), .constants = {128, 5}, .push = {1000, 77}}, views,
               {8, 1, 1});
    const auto out = contents(y, 1001);
    for (std::size_t i = 0; i < 1000; ++i) {
        ASSERT_EQ(out[i], in[i + skip] * 5 + 77) << i;
    }
    EXPECT_EQ(out[1000], poisoned(1)[0]);
}

TEST(Pipeline, StatisticsAreLoggedAtDebugLevel) {
    for (const auto level : {LogLevel::debug, LogLevel::warning}) {
        std::string text;
        ContextOptions options = validated();
        options.log = [&](LogLevel, const char* message) { text += message; };
        options.log_level = level;
        const Context context = ok(Context::create(options));
        ok(ContextAccess::device(context)->pipeline(add_info()));
        if (level == LogLevel::debug && context.capabilities().pipeline_statistics) {
            EXPECT_THAT(text, HasSubstr("pipeline 'add': "));
        } else {
            EXPECT_EQ(text, "");
        }
    }
}

TEST(Pipeline, IsSharedByEqualInfos) {
    Device& device = *ContextAccess::device(test_context());
    PipelineInfo info = add_info();
    const auto first = ok(device.pipeline(info));
    const auto words = info.shader->words();
    info.shader = ok(CompiledShader::create({words.begin(), words.end()}, "a copy"));
    info.name = "another name";
    EXPECT_EQ(ok(device.pipeline(info)), first);
    info.constants = {64, 4};
    EXPECT_NE(ok(device.pipeline(info)), first);
    info = add_info();
    info.push_bytes = 12;
    EXPECT_NE(ok(device.pipeline(info)), first);
}

TEST(Pipeline, KeepsItsDeviceAlive) {
    std::shared_ptr<const Pipeline> pipeline;
    {
        const Context context = ok(Context::create(validated()));
        pipeline = ok(ContextAccess::device(context)->pipeline(add_info()));
    }
    EXPECT_NE(pipeline->handle(), VK_NULL_HANDLE);
}

TEST(Pipeline, RequestedByManyThreadsIsCreatedOnce) {
    const Context context = ok(Context::create(validated()));
    std::vector<std::shared_ptr<const Pipeline>> found(16);
    in_threads(4, [&](std::uint32_t thread) {
        for (std::uint32_t i = 0; i < 4; ++i) {
            PipelineInfo info = add_info();
            info.constants = {64, i};
            found[thread * 4 + i] = ok(ContextAccess::device(context)->pipeline(info));
        }
    });
    for (std::size_t i = 0; i < found.size(); ++i) {
        ASSERT_NE(found[i], nullptr);
        EXPECT_EQ(found[i], found[i % 4]);
    }
}

/// Checks that creating a pipeline is an error whose message has the number and the pipeline's name.
void expect_refused(const PipelineInfo& info, ErrorCode code, std::uint32_t number,
                    const Context& context = test_context()) {
    EXPECT_THAT(ContextAccess::device(context)->pipeline(info),
                FailsWith(code, AllOf(HasSubstr(std::to_string(number)), HasSubstr("'" + info.name + "'"))));
}

TEST(Pipeline, InvalidSpirvDoesNotReachDriver) {
    const auto shader_of_good = add_shader();
    const auto good = shader_of_good->words();
    const std::pair<std::vector<std::uint32_t>, std::string> bad[] = {
        {std::vector<std::uint32_t>(100), "0x07230203"},
        {{}, "0 words"},
        {{good.begin(), good.end() - 3}, "extends beyond the last word"},
    };
    for (const auto& [words, why] : bad) {
        EXPECT_THAT(ContextAccess::device(test_context())->shader(ShaderSource::spirv(words, "bad words")),
                    FailsWith(ErrorCode::invalid_argument, AllOf(HasSubstr(why), HasSubstr("bad words"))));
    }
}

TEST(Pipeline, ValuesAboveLimitsAreErrors) {
    const Capabilities& device = test_context().capabilities();
    PipelineInfo info = add_info();
    info.push_bytes = device.max_push_constants + 4;
    expect_refused(info, ErrorCode::limit_exceeded, device.max_push_constants);
    info.push_bytes = 6;
    expect_refused(info, ErrorCode::invalid_argument, 6);
    if (device.max_storage_buffers < UINT32_MAX) {
        info = add_info();
        info.bindings = storage_buffers(std::size_t{device.max_storage_buffers} + 1);
        expect_refused(info, ErrorCode::limit_exceeded, device.max_storage_buffers);
    }
}

TEST(Pipeline, SubgroupSizeAboveMaximumIsAnError) {
    const Capabilities& device = test_context().capabilities();
    PipelineInfo info = add_info();
    info.constants[0] = device.subgroup_size_max;
    info.subgroup_size = device.subgroup_size_max * 2;
    expect_refused(info, ErrorCode::unsupported, info.subgroup_size);
    if (device.subgroup_size_selectable || device.subgroup_size_min == device.subgroup_size_max) {
        info.subgroup_size = device.subgroup_size_max;
        EXPECT_TRUE(ContextAccess::device(test_context())->pipeline(info));
    }
}

/// The device reports that compute shaders can require a size, and a maximum size of twice the minimum.
TEST(Pipeline, UnsupportedSubgroupSizesAreErrors) {
    const AlteredHost host({.vulkan13 = [](auto& properties) {
        properties.maxSubgroupSize = 2 * properties.minSubgroupSize;
        properties.requiredSubgroupSizeStages = VK_SHADER_STAGE_COMPUTE_BIT;
    }});
    const Context context = ok(Context::adopt(host.adopted()));
    const Capabilities& device = context.capabilities();
    if (!device.subgroup_size_selectable) {
        GTEST_SKIP() << "the driver has no subgroupSizeControl";
    }
    PipelineInfo info = add_info();
    for (const std::uint32_t size :
         {device.subgroup_size_min / 2, device.subgroup_size_min + 1, device.subgroup_size_max * 2}) {
        info.subgroup_size = size;
        expect_refused(info, ErrorCode::unsupported, size, context);
    }
}

/// Before SPIR-V 1.6, shaders read the maximum size even if the device uses a smaller one.
TEST(Pipeline, FullSubgroupsOfUnknownSizeNeedSpirv16) {
    const AlteredHost host({.vulkan13 = [](auto& p) { p.maxSubgroupSize = 2 * p.minSubgroupSize; }},
                           [](HostFeatures& features) {
                               features.vulkan13.subgroupSizeControl = VK_FALSE;
                               features.vulkan13.computeFullSubgroups = VK_FALSE;
                           });
    const Context context = ok(Context::adopt(host.adopted()));
    const auto words = add_shader()->words();
    std::vector<std::uint32_t> older(words.begin(), words.end());
    older[1] = 0x00010500;
    PipelineInfo info = add_info();
    info.shader = ok(CompiledShader::create(std::move(older), "older"));
    info.full_subgroups = true;
    EXPECT_THAT(ContextAccess::device(context)->pipeline(info),
                FailsWith(ErrorCode::unsupported, HasSubstr("its SPIR-V must have version 1.6")));
    info.full_subgroups = false;
    EXPECT_TRUE(ContextAccess::device(context)->pipeline(info));
}

// Most CPU drivers report no statistics of pipelines. These functions report some instead.
PFN_vkCreateComputePipelines create_pipelines = nullptr;
int captured = 0; ///< pipelines made with statistics

VkResult VKAPI_CALL create_without_statistics(VkDevice device, VkPipelineCache cache, std::uint32_t count,
                                              const VkComputePipelineCreateInfo* infos,
                                              const VkAllocationCallbacks* callbacks, VkPipeline* pipelines) {
    std::vector<VkComputePipelineCreateInfo> made(infos, infos + count);
    for (VkComputePipelineCreateInfo& info : made) {
        captured += (info.flags & VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR) != 0 ? 1 : 0;
        info.flags &= ~VkPipelineCreateFlags{VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR};
    }
    return create_pipelines(device, cache, count, made.data(), callbacks, pipelines);
}

VkResult VKAPI_CALL say_statistics(VkDevice, const VkPipelineExecutableInfoKHR* info, std::uint32_t* count,
                                   VkPipelineExecutableStatisticKHR* out) {
    EXPECT_EQ(info->executableIndex, 0U);
    EXPECT_NE(info->pipeline, VK_NULL_HANDLE);
    *count = 4;
    if (out != nullptr) {
        constexpr const char* names[] = {"Spills", "Stack Delta", "Registers", "Occupancy"};
        constexpr VkPipelineExecutableStatisticFormatKHR formats[] = {
            VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR, VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR,
            VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR, VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_FLOAT64_KHR};
        for (std::size_t i = 0; i < 4; ++i) {
            EXPECT_EQ(out[i].sType, VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR);
            std::strcpy(out[i].name, names[i]);
            out[i].format = formats[i];
        }
        out[0].value.b32 = VK_TRUE;
        out[1].value.i64 = -5;
        out[2].value.u64 = std::uint64_t{1} << 40;
        out[3].value.f64 = 0.5;
    }
    return VK_SUCCESS;
}

PFN_vkVoidFunction with_statistics(std::string_view name, PFN_vkVoidFunction real) {
    return name == "vkGetPipelineExecutableStatisticsKHR" ? reinterpret_cast<PFN_vkVoidFunction>(&say_statistics)
           : name == "vkCreateComputePipelines"
               ? ReplacedFunctions::take(real, create_pipelines, &create_without_statistics)
               : real;
}

TEST(Pipeline, StatisticsComeFromDriver) {
    const HostDevice host;
    AdoptedDevice adopted = host.adopted();
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR feature{
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR, adopted.enabled_features->pNext,
        VK_TRUE};
    const VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &feature,
                                             adopted.enabled_features->features};
    adopted.enabled_features = &features;
    std::vector<const char*> extensions(adopted.enabled_extensions.begin(), adopted.enabled_extensions.end());
    extensions.push_back(VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
    adopted.enabled_extensions = extensions;
    const ReplacedFunctions replaced(adopted, with_statistics);
    const std::string said = "Spills yes, Stack Delta -5, Registers 1099511627776, Occupancy 0.500000";
    for (const bool for_profiles : {false, true}) {
        for (const LogLevel level : {LogLevel::warning, LogLevel::debug}) {
            std::string logged;
            adopted.log = [&](LogLevel, const char* message) { logged += message; };
            adopted.log_level = level;
            adopted.compiler.statistics = for_profiles;
            captured = 0;
            const Context context = ok(Context::adopt(adopted));
            ASSERT_TRUE(context.capabilities().pipeline_statistics);
            const bool wanted = for_profiles || level == LogLevel::debug;
            EXPECT_EQ(ok(ContextAccess::device(context)->pipeline(add_info()))->statistics(), wanted ? said : "");
            EXPECT_EQ(captured, wanted ? 1 : 0);
            EXPECT_EQ(logged, level == LogLevel::debug ? "pipeline 'add': " + said : "");
        }
    }
    adopted.log = {};
    adopted.log_level = LogLevel::warning;
    const Context context = ok(Context::adopt(adopted));
    if (context.capabilities().timestamp_bits == 0) {
        return;
    }
    Graph graph(context);
    const WordRef out = graph.transient_buffer<std::uint32_t>("out", 64);
    graph.add_fill("fill", out, 7);
    graph.add_pass(simple_pass("increment", increment_source, {read_write(out)}));
    graph.export_buffer(out);
    Program program = ok(compile(context, graph));
    const Profile profile = ok(program.profile());
    EXPECT_EQ(profile.statistics, (std::vector<std::string>{"", said})); // a fill has no pipeline
    EXPECT_THAT(profile.text(), HasSubstr("increment (" + said + ")"));
}

const char* const subgroup_source = R"(#version 460
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require
layout(local_size_x_id = 0) in;
layout(set = 0, binding = 0) buffer Out { uint y[]; };
void main() {
    y[gl_GlobalInvocationID.x] = subgroupAdd(1u);
})";

TEST(Pipeline, HasRequiredSubgroupSize) {
    const Capabilities& device = test_context().capabilities();
    for (std::uint32_t size = device.subgroup_size_min; size <= device.subgroup_size_max; size *= 2) {
        const bool can_choose = device.subgroup_size_selectable || device.subgroup_size_min == device.subgroup_size_max;
        const Buffer out = poisoned_buffer(device.subgroup_size_max);
        const BufferView views[] = {out};
        run_kernel({.source = ShaderSource::glsl(subgroup_source, "subgroup"),
                    .constants = {device.subgroup_size_max},
                    .subgroup_size = can_choose ? size : 0,
                    .full_subgroups = true},
                   views, {1, 1, 1});
        for (const std::uint32_t lanes : contents(out, device.subgroup_size_max)) {
            ASSERT_EQ(lanes, can_choose ? size : lanes);
        }
    }
}

} // namespace
} // namespace weir::tests::pipeline_test
