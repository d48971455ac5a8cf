#include "engine/pipeline/pipeline.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstddef>
#include <optional>

#include "engine/base/device_handle.hpp"
#include "engine/base/hash.hpp"
#include "engine/base/log.hpp"
#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"
#include "engine/device/features.hpp"
#include "engine/shader/compiled_shader.hpp"
#include "engine/spirv/reflection.hpp"
#include "engine/spirv/spirv.hpp"
#include "engine/spirv/spirv_support.hpp"
#include "engine/spirv/subgroup_arithmetic.hpp"
#include "engine/spirv/subgroup_size.hpp"

namespace weir {

namespace {

/// Returns the subgroup size to require; 0 if `size` is 0, or the only size that the device has.
std::uint32_t effective_subgroup_size(std::uint32_t size, const Capabilities& capabilities) {
    const bool only_one = capabilities.subgroup_size_min == capabilities.subgroup_size_max;
    return only_one && size == capabilities.subgroup_size_min ? 0 : size;
}

/// Returns the size that subgroups will have; 0 if the driver chooses it.
std::uint32_t known_subgroup_size(std::uint32_t required, const Capabilities& capabilities) {
    const bool only_one = capabilities.subgroup_size_min == capabilities.subgroup_size_max;
    return only_one ? capabilities.subgroup_size_min : required;
}

Result<> check(const PipelineInfo& info, const Capabilities& capabilities) {
    const auto fail = [&](ErrorCode code, const std::string& why) {
        return tl::unexpected(Error{code, concat("the pipeline '", info.name, "' ", why)});
    };
    const struct {
        VkDescriptorType type;
        std::uint32_t limit;
        const char* name;
    } kinds[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, capabilities.max_storage_buffers, "storage"},
                 {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, capabilities.max_uniform_buffers, "uniform"}};
    for (const auto& kind : kinds) {
        const auto buffers = std::count(info.bindings.begin(), info.bindings.end(), kind.type);
        if (buffers > kind.limit) {
            return fail(ErrorCode::limit_exceeded,
                        concat("has ", buffers, " ", kind.name, " buffers; the device's limit is ", kind.limit));
        }
    }
    if (info.push_bytes > capabilities.max_push_constants) {
        return fail(ErrorCode::limit_exceeded,
                    concat("has ", info.push_bytes, " bytes of push constants; the device's limit is ",
                           capabilities.max_push_constants));
    }
    if (info.push_bytes % 4 != 0) {
        return fail(ErrorCode::invalid_argument,
                    concat("has ", info.push_bytes, " bytes of push constants; the number must be a multiple of 4"));
    }
    const std::uint32_t size = effective_subgroup_size(info.subgroup_size, capabilities);
    if (size != 0 && (!capabilities.subgroup_size_selectable || !std::has_single_bit(size) ||
                      size < capabilities.subgroup_size_min || size > capabilities.subgroup_size_max)) {
        return fail(
            ErrorCode::unsupported,
            concat("requires subgroups of ", size, " invocations; the device has ", capabilities.subgroup_size_min,
                   " to ", capabilities.subgroup_size_max,
                   capabilities.subgroup_size_selectable ? "" : " and cannot select one (subgroupSizeControl)"));
    }
    return {};
}

std::string to_text(const VkPipelineExecutableStatisticKHR& statistic) {
    const auto& value = statistic.value;
    switch (statistic.format) {
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_BOOL32_KHR: return value.b32 != VK_FALSE ? "yes" : "no";
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR: return concat(value.i64);
    case VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR: return concat(value.u64);
    default: break;
    }
    std::array<char, 400> text{}; // the largest double has 309 digits
    const auto end = std::to_chars(text.data(), text.data() + text.size(), value.f64, std::chars_format::fixed, 6);
    return {text.data(), end.ptr};
}

/// Returns the driver's statistics of the first executable of `pipeline`: registers, workgroup memory, and so on.
std::string statistics_of(const DeviceHandle& device, VkPipeline pipeline) {
    VkPipelineExecutableInfoKHR info{VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR};
    info.pipeline = pipeline;
    std::uint32_t count = 0;
    device.vk().vkGetPipelineExecutableStatisticsKHR(device.handle(), &info, &count, nullptr);
    std::vector<VkPipelineExecutableStatisticKHR> list(count);
    for (VkPipelineExecutableStatisticKHR& statistic : list) {
        statistic.sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
    }
    device.vk().vkGetPipelineExecutableStatisticsKHR(device.handle(), &info, &count, list.data());
    std::string text;
    for (const VkPipelineExecutableStatisticKHR& statistic : list) {
        text += concat(text.empty() ? "" : ", ", statistic.name, " ", to_text(statistic));
    }
    return text;
}

} // namespace

PipelineKey::PipelineKey(const PipelineInfo& info, const Capabilities& capabilities)
    : shader(info.shader), constants(info.constants), bindings(info.bindings), descriptors(info.descriptors),
      push_bytes(info.push_bytes), subgroup_size(effective_subgroup_size(info.subgroup_size, capabilities)),
      full_subgroups(info.full_subgroups) {}

bool PipelineKey::operator==(const PipelineKey& other) const {
    return *shader == *other.shader && constants == other.constants && bindings == other.bindings &&
           descriptors == other.descriptors && push_bytes == other.push_bytes && subgroup_size == other.subgroup_size &&
           full_subgroups == other.full_subgroups;
}

std::size_t PipelineKeyHash::operator()(const PipelineKey& key) const {
    const std::uint32_t scalars[] = {static_cast<std::uint32_t>(key.descriptors), key.push_bytes, key.subgroup_size,
                                     key.full_subgroups ? 1U : 0U};
    std::uint64_t hash = hash_bytes(std::as_bytes(std::span(key.bindings)), key.shader->hash());
    hash = hash_bytes(std::as_bytes(std::span(key.constants)), hash);
    return static_cast<std::size_t>(hash_bytes(std::as_bytes(std::span(scalars)), hash));
}

Result<std::unique_ptr<Pipeline>> Pipeline::create(DeviceHandle& device, const PipelineOptions& options,
                                                   const PipelineInfo& info) {
    WEIR_PROPAGATE(check(info, device.capabilities()));
    std::unique_ptr<Pipeline> pipeline(new Pipeline(device));
    WEIR_PROPAGATE(pipeline->create_layouts(info));
    WEIR_PROPAGATE(pipeline->create_pipeline(options, info));
    return pipeline;
}

Result<> Pipeline::create_layouts(const PipelineInfo& info) {
    const auto count = static_cast<std::uint32_t>(info.bindings.size());
    std::vector<VkDescriptorSetLayoutBinding> bindings(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        bindings[i].binding = i;
        bindings[i].descriptorType = info.bindings[i];
        bindings[i].descriptorCount = 1;
        bindings[i].stageFlags = VK_SHADER_STAGE_COMPUTE_BIT;
    }
    VkDescriptorSetLayoutCreateInfo set{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    if (info.descriptors == DescriptorMode::push) {
        set.flags |= VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR;
    } else if (info.descriptors == DescriptorMode::buffer) {
        set.flags |= VK_DESCRIPTOR_SET_LAYOUT_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
    }
    set.bindingCount = count;
    set.pBindings = bindings.data();
    VkResult status =
        device_.vk().vkCreateDescriptorSetLayout(device_.handle(), &set, device_.callbacks(), &set_layout_);
    if (status == VK_SUCCESS) {
        std::vector<VkDescriptorSetLayout> layouts{set_layout_};
        layouts.insert(layouts.end(), info.sets.begin(), info.sets.end());
        const VkPushConstantRange push{VK_SHADER_STAGE_COMPUTE_BIT, 0, info.push_bytes};
        VkPipelineLayoutCreateInfo layout{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
        layout.setLayoutCount = static_cast<std::uint32_t>(layouts.size());
        layout.pSetLayouts = layouts.data();
        layout.pushConstantRangeCount = info.push_bytes != 0 ? 1 : 0;
        layout.pPushConstantRanges = &push;
        status = device_.vk().vkCreatePipelineLayout(device_.handle(), &layout, device_.callbacks(), &layout_);
    }
    if (status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, "creating the layout of the pipeline '" + info.name + "'"));
    }
    device_.set_name(VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, reinterpret_cast<std::uint64_t>(set_layout_), info.name);
    device_.set_name(VK_OBJECT_TYPE_PIPELINE_LAYOUT, reinterpret_cast<std::uint64_t>(layout_), info.name);
    return {};
}

std::span<const std::uint32_t> ShaderStage::words() const {
    return changed.empty() ? shader->words() : std::span<const std::uint32_t>(changed);
}

Result<ShaderStage> ShaderStage::create(const DeviceHandle& device, const PipelineInfo& info) {
    ShaderStage stage{.shader = info.shader};
    std::span<const std::uint32_t> words = info.shader->words();
    std::vector<std::uint32_t>& changed = stage.changed;
    const bool full_subgroups = info.full_subgroups || info.shader->uses_layers();
    const Capabilities& capabilities = device.capabilities();
    const std::uint32_t known_size = known_subgroup_size(info.subgroup_size, capabilities);
    if (!capabilities.subgroup_arithmetic) {
        if (!full_subgroups && has_subgroup_arithmetic(words)) {
            return tl::unexpected(
                Error{ErrorCode::unsupported,
                      concat("the pipeline '", info.name,
                             "' uses subgroup arithmetic, which the device does not support; Weir emulates it with "
                             "shuffles only if Pass::full_subgroups is set")});
        }
        auto without = without_subgroup_arithmetic(words, known_size != 0 ? known_size : capabilities.subgroup_size_max,
                                                   capabilities.shuffles_need_barriers());
        if (!without) {
            return tl::unexpected(
                Error{without.error().code, concat("the pipeline '", info.name, "' has ", without.error().message)});
        }
        words = changed = std::move(*without);
    }
    if (full_subgroups && known_size == 0 && hides_subgroup_size(capabilities, device.api_version())) {
        std::uint32_t invocations = 1;
        for (const std::optional<std::uint32_t>& size : reflect(words, info.constants).workgroup_size) {
            invocations *= size.value_or(0);
        }
        if (invocations == 0) {
            return tl::unexpected(
                Error{ErrorCode::unsupported, concat("the pipeline '", info.name,
                                                     "' requires full subgroups, whose size this device hides without "
                                                     "the feature computeFullSubgroups, and its workgroup size is "
                                                     "unknown before it runs")});
        }
        words = changed = with_actual_subgroup_size(words, invocations);
    }
    if (full_subgroups && capabilities.uniform_control_flow) {
        words = changed = with_uniform_control_flow(words);
    }
    // Mesa's lavapipe treats each coherent load or store of workgroup memory as a barrier of the workgroup, and all of
    // them are coherent in GLSL. With these, compiling and running a kernel took twice as long.
    if (capabilities.kind == DeviceKind::cpu) {
        words = changed = without_workgroup_coherence(words);
    }
    // Before SPIR-V 1.6, the subgroup size that a shader reads may not be the actual one, unless the pipeline requires
    // a size or full subgroups.
    if (full_subgroups && !capabilities.full_subgroups && known_size == 0 && words[1] < spirv_1_6 &&
        device.api_version() >= VK_API_VERSION_1_3) {
        return tl::unexpected(
            Error{ErrorCode::unsupported,
                  concat("the pipeline '", info.name,
                         "' requires full subgroups; without the feature computeFullSubgroups its SPIR-V must have "
                         "version 1.6, because subgroups have ",
                         capabilities.subgroup_size_min, " to ", capabilities.subgroup_size_max, " invocations")});
    }
    if (auto unique = without_repetitions(words)) {
        words = changed = std::move(*unique);
    }
    if (has_hlsl_decorations(words)) {
        words = changed = without_hlsl_decorations(words);
    }
    const SpirvSupport support{.version = device.api_version() >= VK_API_VERSION_1_3 ? spirv_1_6 : spirv_1_5,
                               .size_from_constants = capabilities.maintenance4,
                               .memory_model = capabilities.memory_model,
                               .device_scope = capabilities.memory_model_device_scope};
    if (support != SpirvSupport{}) {
        auto supported = supported_spirv(words, support);
        if (!supported) {
            return tl::unexpected(
                Error{supported.error().code, concat("the pipeline '", info.name, "' ", supported.error().message)});
        }
        words = changed = std::move(*supported);
    }
    for (std::uint32_t i = 0; i < info.constants.size(); ++i) {
        stage.constants.push_back({i, info.constants[i]});
    }
    if (info.shader->uses_layers()) {
        stage.constants.push_back({subgroup_constant, known_size});
        stage.constants.push_back({hlsl_subgroup_constant, known_size});
        stage.constants.push_back({barriers_constant, capabilities.shuffles_need_barriers() ? 1U : 0U});
        stage.constants.push_back({order_constant, capabilities.workgroups_start_in_order ? 1U : 0U});
    }
    stage.subgroup_size = effective_subgroup_size(info.subgroup_size, capabilities);
    stage.full_subgroups = full_subgroups && capabilities.full_subgroups;
    return stage;
}

Result<> Pipeline::create_pipeline(const PipelineOptions& options, const PipelineInfo& info) {
    const auto stage = ShaderStage::create(device_, info);
    WEIR_PROPAGATE(stage);
    const std::span<const std::uint32_t> words = stage->words();
    VkShaderModuleCreateInfo module_info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    module_info.codeSize = words.size_bytes();
    module_info.pCode = words.data();
    VkShaderModule module = VK_NULL_HANDLE;
    VkResult status = device_.vk().vkCreateShaderModule(device_.handle(), &module_info, device_.callbacks(), &module);
    if (status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, "creating the shader module of the pipeline '" + info.name + "'"));
    }
    device_.set_name(VK_OBJECT_TYPE_SHADER_MODULE, reinterpret_cast<std::uint64_t>(module), info.name);

    std::vector<VkSpecializationMapEntry> entries;
    for (const ShaderStage::Constant& constant : stage->constants) {
        const std::size_t offset = entries.size() * sizeof constant + offsetof(ShaderStage::Constant, value);
        entries.push_back({constant.id, static_cast<std::uint32_t>(offset), sizeof constant.value});
    }
    VkSpecializationInfo specialization{};
    specialization.mapEntryCount = static_cast<std::uint32_t>(entries.size());
    specialization.pMapEntries = entries.data();
    specialization.dataSize = stage->constants.size() * sizeof(ShaderStage::Constant);
    specialization.pData = stage->constants.data();
    VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup{
        VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO};
    subgroup.requiredSubgroupSize = stage->subgroup_size;

    VkComputePipelineCreateInfo create{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
    if (options.statistics) {
        create.flags |= VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
    }
    if (info.descriptors == DescriptorMode::buffer) {
        create.flags |= VK_PIPELINE_CREATE_DESCRIPTOR_BUFFER_BIT_EXT;
    }
    create.layout = layout_;
    create.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    create.stage.pNext = subgroup.requiredSubgroupSize != 0 ? &subgroup : nullptr;
    if (stage->full_subgroups) {
        create.stage.flags = VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT;
    }
    create.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
    create.stage.module = module;
    create.stage.pName = "main";
    create.stage.pSpecializationInfo = &specialization;
    status = device_.vk().vkCreateComputePipelines(device_.handle(), options.cache, 1, &create, device_.callbacks(),
                                                   &pipeline_);
    device_.vk().vkDestroyShaderModule(device_.handle(), module, device_.callbacks());
    if (status != VK_SUCCESS) {
        return tl::unexpected(vulkan_error(status, "creating the pipeline '" + info.name + "'"));
    }
    device_.set_name(VK_OBJECT_TYPE_PIPELINE, reinterpret_cast<std::uint64_t>(pipeline_), info.name);
    if (options.statistics) {
        statistics_ = statistics_of(device_, pipeline_);
        device_.log().tell(LogLevel::debug, concat("pipeline '", info.name, "': ", statistics_));
    }
    return {};
}

Pipeline::~Pipeline() {
    device_.vk().vkDestroyPipeline(device_.handle(), pipeline_, device_.callbacks());
    device_.vk().vkDestroyPipelineLayout(device_.handle(), layout_, device_.callbacks());
    device_.vk().vkDestroyDescriptorSetLayout(device_.handle(), set_layout_, device_.callbacks());
}

} // namespace weir
