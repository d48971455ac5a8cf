#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

#include <weir/graph/commands.hpp>
#include <weir/graph/plan.hpp>
#include <weir/graph/profile.hpp>

#include "engine/base/strings.hpp"
#include "graph/describe/dispatch.hpp"
#include "graph/inspect/names.hpp"

// All JSON of Weir is written in this file, because nlohmann-json takes seconds to compile.

namespace weir {

namespace {

using Json = nlohmann::ordered_json;

template <std::size_t count>
using FlagNames = std::array<std::pair<std::uint64_t, const char*>, count>;

constexpr FlagNames<19> stage_names{
    {{VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, "DRAW_INDIRECT"},
     {VK_PIPELINE_STAGE_2_VERTEX_INPUT_BIT, "VERTEX_INPUT"},
     {VK_PIPELINE_STAGE_2_PRE_RASTERIZATION_SHADERS_BIT, "PRE_RASTERIZATION_SHADERS"},
     {VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT, "EARLY_FRAGMENT_TESTS"},
     {VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT, "FRAGMENT_SHADER"},
     {VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT, "LATE_FRAGMENT_TESTS"},
     {VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, "COLOR_ATTACHMENT_OUTPUT"},
     {VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT, "COMPUTE_SHADER"},
     {VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT, "ALL_TRANSFER"},
     {VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR, "ACCELERATION_STRUCTURE_BUILD"},
     {VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR, "ACCELERATION_STRUCTURE_COPY"},
     {VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR, "RAY_TRACING_SHADER"},
     {VK_PIPELINE_STAGE_2_FRAGMENT_SHADING_RATE_ATTACHMENT_BIT_KHR, "FRAGMENT_SHADING_RATE_ATTACHMENT"},
     {VK_PIPELINE_STAGE_2_FRAGMENT_DENSITY_PROCESS_BIT_EXT, "FRAGMENT_DENSITY_PROCESS"},
     {VK_PIPELINE_STAGE_2_COMMAND_PREPROCESS_BIT_NV, "COMMAND_PREPROCESS"},
     {VK_PIPELINE_STAGE_2_TRANSFORM_FEEDBACK_BIT_EXT, "TRANSFORM_FEEDBACK"},
     {VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT, "CONDITIONAL_RENDERING"},
     {VK_PIPELINE_STAGE_2_HOST_BIT, "HOST"},
     {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, "ALL_COMMANDS"}}};
constexpr FlagNames<29> access_names{
    {{VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT, "INDIRECT_COMMAND_READ"},
     {VK_ACCESS_2_INDEX_READ_BIT, "INDEX_READ"},
     {VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT, "VERTEX_ATTRIBUTE_READ"},
     {VK_ACCESS_2_UNIFORM_READ_BIT, "UNIFORM_READ"},
     {VK_ACCESS_2_SHADER_READ_BIT, "SHADER_READ"},
     {VK_ACCESS_2_SHADER_SAMPLED_READ_BIT, "SHADER_SAMPLED_READ"},
     {VK_ACCESS_2_SHADER_STORAGE_READ_BIT, "SHADER_STORAGE_READ"},
     {VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT, "SHADER_STORAGE_WRITE"},
     {VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT, "COLOR_ATTACHMENT_READ"},
     {VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT, "COLOR_ATTACHMENT_WRITE"},
     {VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT, "DEPTH_STENCIL_ATTACHMENT_READ"},
     {VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT, "DEPTH_STENCIL_ATTACHMENT_WRITE"},
     {VK_ACCESS_2_TRANSFER_READ_BIT, "TRANSFER_READ"},
     {VK_ACCESS_2_TRANSFER_WRITE_BIT, "TRANSFER_WRITE"},
     {VK_ACCESS_2_INPUT_ATTACHMENT_READ_BIT, "INPUT_ATTACHMENT_READ"},
     {VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR, "ACCELERATION_STRUCTURE_READ"},
     {VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR, "ACCELERATION_STRUCTURE_WRITE"},
     {VK_ACCESS_2_SHADER_BINDING_TABLE_READ_BIT_KHR, "SHADER_BINDING_TABLE_READ"},
     {VK_ACCESS_2_COMMAND_PREPROCESS_READ_BIT_NV, "COMMAND_PREPROCESS_READ"},
     {VK_ACCESS_2_COMMAND_PREPROCESS_WRITE_BIT_NV, "COMMAND_PREPROCESS_WRITE"},
     {VK_ACCESS_2_CONDITIONAL_RENDERING_READ_BIT_EXT, "CONDITIONAL_RENDERING_READ"},
     {VK_ACCESS_2_FRAGMENT_SHADING_RATE_ATTACHMENT_READ_BIT_KHR, "FRAGMENT_SHADING_RATE_ATTACHMENT_READ"},
     {VK_ACCESS_2_TRANSFORM_FEEDBACK_WRITE_BIT_EXT, "TRANSFORM_FEEDBACK_WRITE"},
     {VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_READ_BIT_EXT, "TRANSFORM_FEEDBACK_COUNTER_READ"},
     {VK_ACCESS_2_TRANSFORM_FEEDBACK_COUNTER_WRITE_BIT_EXT, "TRANSFORM_FEEDBACK_COUNTER_WRITE"},
     {VK_ACCESS_2_HOST_READ_BIT, "HOST_READ"},
     {VK_ACCESS_2_HOST_WRITE_BIT, "HOST_WRITE"},
     {VK_ACCESS_2_MEMORY_READ_BIT, "MEMORY_READ"},
     {VK_ACCESS_2_MEMORY_WRITE_BIT, "MEMORY_WRITE"}}};

/// Returns the names of the bits, without the prefix and suffix that all have in common. Bits without a name are one
/// number.
template <std::size_t count>
Json names_of(std::uint64_t bits, const FlagNames<count>& names) {
    Json out = Json::array();
    for (const auto& [bit, name] : names) {
        if ((bits & bit) != 0) {
            out.push_back(name);
            bits &= ~bit;
        }
    }
    if (bits != 0) {
        out.push_back("0x" + hex(bits, 16));
    }
    return out;
}

Json pass_or_outside(std::uint32_t pass) {
    return pass == Dependency::outside ? Json() : Json(pass);
}

Json json_of(const Scope& scope) {
    return {{"stages", names_of(scope.stages, stage_names)}, {"access", names_of(scope.access, access_names)}};
}

Json json_of(const std::vector<Dependency>& reasons) {
    Json out = Json::array();
    for (const Dependency& needed : reasons) {
        out.push_back({{"resource", needed.resource},
                       {"reason", to_string(needed.reason)},
                       {"from", pass_or_outside(needed.from)},
                       {"to", pass_or_outside(needed.to)},
                       {"source", json_of(needed.source)},
                       {"destination", json_of(needed.destination)}});
    }
    return out;
}

Json json_of(const std::vector<OwnershipTransfer>& handovers) {
    Json out = Json::array();
    for (const OwnershipTransfer& handover : handovers) {
        out.push_back({{"resource", handover.resource},
                       {"from", to_string(handover.from)},
                       {"to", to_string(handover.to)},
                       {"scope", json_of(handover.scope)},
                       {"old_layout", name_of(handover.old_layout)},
                       {"new_layout", name_of(handover.new_layout)}});
    }
    return out;
}

/// Returns a number for a constant, otherwise an object with the source of the count and its maximum.
Json json_of(const Count& count, const GraphDescription& graph) {
    switch (count.kind) {
    case Count::Kind::parameter: return {{"parameter", graph.parameters[count.parameter].name}, {"max", count.max}};
    case Count::Kind::gpu: return {{"resource", count.buffer.index}, {"word", count.word}, {"max", count.max}};
    default: return count.max;
    }
}

/// Describes a dispatch. "max_groups" has the maximum numbers of workgroups in x, y and z; null if only the GPU knows
/// them.
Json json_of(const Dispatch& dispatch, const GraphDescription& graph) {
    const GroupCount max = max_groups(dispatch, graph.capabilities);
    const Json groups = {max.x, max.y, max.z};
    switch (dispatch.kind) {
    case Dispatch::Kind::elements:
        return {{"kind", "elements"},
                {"count", json_of(dispatch.count, graph)},
                {"per_group", dispatch.per_group},
                {"at_least", dispatch.at_least},
                {"max_groups", groups}};
    case Dispatch::Kind::indirect:
        return {{"kind", "indirect"},
                {"arguments", dispatch.arguments.index},
                {"word", dispatch.word},
                {"max_groups", dispatch.x == 0 ? Json() : groups}};
    default: return {{"kind", "groups"}, {"max_groups", groups}};
    }
}

Json json_of(const std::vector<VkMemoryBarrier2>& barriers) {
    Json out = Json::array();
    for (const VkMemoryBarrier2& barrier : barriers) {
        out.push_back({{"source", json_of(Scope{barrier.srcStageMask, barrier.srcAccessMask})},
                       {"destination", json_of(Scope{barrier.dstStageMask, barrier.dstAccessMask})}});
    }
    return out;
}

Json json_of(const PlanGroup& group) {
    Json image_barriers = Json::array();
    for (const ImageBarrier& barrier : group.image_barriers) {
        Json& made = image_barriers.emplace_back(Json{{"resource", barrier.resource},
                                                      {"source", json_of(barrier.source)},
                                                      {"destination", json_of(barrier.destination)},
                                                      {"old_layout", name_of(barrier.old_layout)},
                                                      {"new_layout", name_of(barrier.new_layout)}});
        if (!barrier.pieces.empty()) {
            made["pieces"] = barrier.pieces;
        }
    }
    Json waits = Json::array();
    for (const GroupWait& wait : group.waits) {
        waits.push_back(
            {{"group", wait.group}, {"executions_ago", wait.executions_ago}, {"dependencies", json_of(wait.reasons)}});
    }
    return {{"queue", to_string(group.queue)},
            {"waits", std::move(waits)},
            {"passes", group.passes},
            {"barriers", json_of(group.barriers)},
            {"image_barriers", std::move(image_barriers)},
            {"dependencies", json_of(group.dependencies)},
            {"acquired", json_of(group.acquired)},
            {"released", json_of(group.released)}};
}

// The commands of a program.

/// Returns the index, or null for `none`.
Json index_or_null(std::uint32_t index) {
    return index == CommandList::none ? Json() : Json(index);
}

/// Returns the bytes of a SPIR-V file as hexadecimal digits.
std::string digits_of(std::span<const std::uint32_t> words) {
    std::string digits;
    digits.reserve(words.size() * 8);
    for (const std::uint32_t word : words) {
        for (const std::uint32_t byte : {word & 0xFF, word >> 8 & 0xFF, word >> 16 & 0xFF, word >> 24}) {
            digits += hex(byte, 2);
        }
    }
    return digits;
}

Json json_of(const VkExtent3D& extent) {
    return {extent.width, extent.height, extent.depth};
}

Json json_of(const CommandList::BufferRange& range) {
    return {{"resource", range.resource}, {"offset", range.offset}, {"bytes", range.bytes}};
}

Json json_of(const CommandList::ImageTarget& target) {
    return {{"resource", target.resource},        {"aspects", target.layers.aspectMask},
            {"mip", target.layers.mipLevel},      {"first_layer", target.layers.baseArrayLayer},
            {"layers", target.layers.layerCount}, {"extent", json_of(target.extent)},
            {"layout", name_of(target.layout)}};
}

Json json_of(const VkImageSubresourceRange& range) {
    return {{"aspects", range.aspectMask},
            {"first_mip", range.baseMipLevel},
            {"mips", range.levelCount},
            {"first_layer", range.baseArrayLayer},
            {"layers", range.layerCount}};
}

Json json_of(const CommandList::Descriptor& descriptor) {
    Json out{{"type", static_cast<int>(descriptor.type)}};
    if (descriptor.buffer.resource != CommandList::none) {
        out["buffer"] = json_of(descriptor.buffer);
    }
    if (descriptor.image != CommandList::none) {
        out.update({{"image", descriptor.image},
                    {"view_type", static_cast<int>(descriptor.view_type)},
                    {"range", json_of(descriptor.range)},
                    {"layout", name_of(descriptor.layout)}});
    }
    out["has_sampler"] = descriptor.sampler != VK_NULL_HANDLE;
    return out;
}

Json json_of(const CommandList::PushField& field) {
    using Source = CommandList::PushField::Source;
    Json out{{"word", field.word}, {"words", field.words}};
    switch (field.source) {
    case Source::address: out["address"] = json_of(field.buffer); break;
    case Source::parameter: out["parameter"] = field.index; break;
    case Source::host_data: out["data"] = field.index; break;
    }
    return out;
}

Json json_of(const CommandList::Condition& condition) {
    using Kind = CommandList::Condition::Kind;
    switch (condition.kind) {
    case Kind::switch_on: return {{"switch", condition.index}, {"on", true}};
    case Kind::switch_off: return {{"switch", condition.index}, {"on", false}};
    default: return {{"parameter", condition.index}};
    }
}

Json json_of(const CommandList::Resource& node) {
    constexpr std::array lifetimes{"import", "transient", "state"}; // by GraphDescription::Lifetime
    Json out{{"name", node.name},
             {"lifetime", lifetimes.at(static_cast<std::size_t>(node.lifetime))},
             {"used", node.is_used},
             {"bytes", node.bytes},
             {"usage", node.usage},
             {"allocation", index_or_null(node.allocation)},
             {"offset", node.offset},
             {"part_of", index_or_null(node.part_of)},
             {"exported", node.is_exported},
             {"per_frame", node.per_frame},
             {"starts_zero", node.starts_zero},
             {"arrives", to_string(node.arrives)},
             {"leaves", to_string(node.leaves)}};
    if (node.image) {
        out.update({{"format", name_of(node.image->format)},
                    {"vk_format", static_cast<int>(node.image->format)},
                    {"extent", json_of(node.image->extent)},
                    {"mips", node.image->mips},
                    {"layers", node.image->layers},
                    {"samples", static_cast<int>(node.image->samples)},
                    {"flags", node.flags},
                    {"initial_layout", name_of(node.initial_layout)},
                    {"final_layout", name_of(node.final_layout)}});
        if (node.part_of != CommandList::none) {
            out.update({{"first_mip", node.part.mip}, {"first_layer", node.part.layer}});
        }
    }
    return out;
}

/// Returns the JSON of each kind of command.
struct CommandJson {
    Json operator()(const CommandList::Barrier& barrier) const {
        Json images = Json::array();
        for (const CommandList::ImageTransition& change : barrier.transitions) {
            images.push_back({{"resource", change.resource},
                              {"range", json_of(change.range)},
                              {"source", json_of(change.source)},
                              {"destination", json_of(change.destination)},
                              {"old_layout", name_of(change.old_layout)},
                              {"new_layout", name_of(change.new_layout)}});
        }
        return {{"kind", "barrier"}, {"memory", json_of(barrier.memory)}, {"images", std::move(images)}};
    }
    Json operator()(const CommandList::Dispatch& dispatch) const {
        Json out{{"kind", dispatch.indirect ? "dispatch_indirect" : "dispatch"}, {"pipeline", dispatch.pipeline}};
        out["descriptors"] = list_of(dispatch.descriptors);
        out["push"] = dispatch.push;
        out["fields"] = list_of(dispatch.fields);
        if (dispatch.indirect) {
            out["indirect"] = json_of(*dispatch.indirect);
            return out;
        }
        out["groups"] = dispatch.groups;
        if (const auto& elements = dispatch.elements) {
            out["elements"] = {{"parameter", elements->parameter},
                               {"per_group", elements->per_group},
                               {"at_least", elements->at_least},
                               {"max_x", elements->max_x}};
        }
        return out;
    }
    Json operator()(const CommandList::Fill& fill) const {
        return {{"kind", "fill"}, {"range", json_of(fill.range)}, {"value", fill.value}};
    }
    Json operator()(const CommandList::Update& update) const {
        return {{"kind", "update"}, {"range", json_of(update.range)}, {"data", update.data}};
    }
    Json operator()(const CommandList::CopyBuffer& copy) const { return pair("copy_buffer", copy); }
    Json operator()(const CommandList::CopyImageToBuffer& copy) const { return pair("copy_image_to_buffer", copy); }
    Json operator()(const CommandList::CopyBufferToImage& copy) const { return pair("copy_buffer_to_image", copy); }
    Json operator()(const CommandList::CopyImage& copy) const { return pair("copy_image", copy); }
    Json operator()(const CommandList::BlitImage& blit) const {
        Json out = pair("blit_image", blit);
        out["filter"] = static_cast<int>(blit.filter);
        return out;
    }
    Json operator()(const CommandList::ClearImage& clear) const { // the value as bits
        return {{"kind", "clear_image"}, {"target", json_of(clear.target)}, {"value", clear.value.color.uint32}};
    }
    Json operator()(const CommandList::CommandPassWork& work) const {
        Json uses = Json::array();
        for (const CommandList::CommandPassUse& use : work.uses) {
            uses.push_back({{"resource", use.resource},
                            {"scope", json_of(use.scope)},
                            {"reads", use.reads},
                            {"writes", use.writes},
                            {"layout", name_of(use.layout)}});
        }
        return {{"kind", "command_pass"}, {"uses", std::move(uses)}};
    }

    template <class T>
    static Json list_of(const std::vector<T>& items) {
        Json out = Json::array();
        std::transform(items.begin(), items.end(), std::back_inserter(out),
                       [](const T& item) { return json_of(item); });
        return out;
    }
    template <class Copy>
    static Json pair(const char* kind, const Copy& copy) {
        return {{"kind", kind}, {"source", json_of(copy.source)}, {"destination", json_of(copy.destination)}};
    }
};

/// Returns indented text. Names come from the application: U+FFFD replaces bytes that are not UTF-8.
std::string to_text(const Json& json) {
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

int track_of(QueueKind queue) {
    return 1 + static_cast<int>(queue);
}

} // namespace

std::string Plan::json() const {
    Json resources = Json::array(), passes = Json::array(), all_groups = Json::array(), all_batches = Json::array();
    for (std::size_t i = 0; i < graph->resources.size(); ++i) {
        const auto& node = graph->resources[i];
        const PlanMemory::Place& place = memory.places[i];
        resources.push_back(
            {{"name", node.name}, {"lifetime", lifetime_of(node)}, {"bytes", node.bytes}, {"used", bool{used[i]}}});
        if (node.image) {
            const auto& [format, extent, mips, layers, samples] = *node.image;
            resources.back().update({{"format", name_of(format)},
                                     {"extent", {extent.width, extent.height, extent.depth}},
                                     {"mips", mips},
                                     {"layers", layers},
                                     {"samples", static_cast<int>(samples)},
                                     {"final_layout", name_of(final_layouts[i])}});
        }
        if (node.part_of != ResourceId::none) {
            resources.back().update(
                node.image
                    ? Json{{"part_of", node.part_of}, {"first_mip", node.part.mip}, {"first_layer", node.part.layer}}
                    : Json{{"part_of", node.part_of}, {"first_byte", node.offset}});
        }
        if (!node.pieces.empty()) {
            resources.back()["pieces"] = node.pieces;
        }
        if (place.block != PlanMemory::none) {
            resources.back().update({{"block", place.block}, {"offset", place.offset}});
        }
    }
    for (std::uint32_t i = 0; i < graph->passes.size(); ++i) {
        const auto& pass = graph->passes[i];
        Json uses = Json::array();
        for (const auto& use : pass.accesses()) {
            uses.push_back({{"resource", use.resource},
                            {"access", use.access_name()},
                            {"written_by", pass_or_outside(use.written_by)},
                            {"needed_after", use.needed_after}});
        }
        constexpr std::array kinds{"shader", "fill",   "copy",
                                   "host",   "update", "image"}; // alternatives of PassNode::work
        static_assert(kinds.size() == std::variant_size_v<decltype(pass.work)>);
        passes.push_back({{"name", pass.name}, {"kind", kinds.at(pass.work.index())}, {"uses", std::move(uses)}});
        if (const auto* work = pass.compute_pass()) {
            passes.back()["dispatch"] = json_of(work->dispatch, *graph);
        }
        if (const std::vector<std::string> on = conditions_of(*graph, i); !on.empty()) {
            passes.back()["only_if"] = on;
        }
        if (const std::vector<std::string> off = switches_off_for(*graph, i); !off.empty()) {
            passes.back()["unless"] = off;
        }
    }
    for (const PlanGroup& group : groups) {
        all_groups.push_back(json_of(group));
    }
    for (const PlanBatch& batch : batches) {
        Json waits = Json::array();
        for (const PlanBatch::Wait& wait : batch.waits) {
            waits.push_back({{"batch", wait.batch}, {"executions_ago", wait.executions_ago}});
        }
        all_batches.push_back(
            {{"queue", to_string(batch.queue)}, {"groups", batch.groups}, {"waits", std::move(waits)}});
    }
    return to_text({{"resources", std::move(resources)},
                    {"passes", std::move(passes)},
                    {"groups", std::move(all_groups)},
                    {"batches", std::move(all_batches)},
                    {"culled", culled},
                    {"memory",
                     {{"blocks", memory.blocks},
                      {"bytes", memory.bytes()},
                      {"apart", memory.apart},
                      {"alive", memory.alive},
                      {"lower_bound", memory.lower_bound}}}});
}

std::string CommandList::json() const {
    Json made{{"queue", to_string(queue)}};
    for (const char* name : {"allocations", "resources", "shaders", "pipelines", "commands", "parameters", "switches",
                             "data", "sets", "histories"}) {
        made[name] = Json::array();
    }
    for (const Allocation& memory : allocations) {
        made["allocations"].push_back({{"name", memory.name},
                                       {"bytes", memory.bytes},
                                       {"alignment", memory.alignment},
                                       {"usage", memory.usage},
                                       {"has_images", memory.has_images}});
    }
    made["resources"] = CommandJson::list_of(resources);
    for (const std::vector<std::uint32_t>& words : shaders) {
        made["shaders"].push_back(digits_of(words));
    }
    for (const Pipeline& pipeline : pipelines) {
        Json constants = Json::array();
        for (const Constant& constant : pipeline.constants) {
            constants.push_back({{"id", constant.id}, {"value", constant.value}});
        }
        made["pipelines"].push_back({{"name", pipeline.name},
                                     {"shader", pipeline.shader},
                                     {"constants", std::move(constants)},
                                     {"subgroup_size", pipeline.subgroup_size},
                                     {"full_subgroups", pipeline.full_subgroups},
                                     {"bindings", pipeline.bindings},
                                     {"sets", pipeline.sets},
                                     {"push_bytes", pipeline.push_bytes}});
    }
    for (const Command& command : commands) {
        Json& out = made["commands"].emplace_back(std::visit(CommandJson(), command.work));
        out["group"] = command.group;
        if (command.pass != none) {
            out.update({{"pass", command.pass},
                        {"name", command.name},
                        {"is_on", command.is_on},
                        {"conditions", CommandJson::list_of(command.conditions)}});
        }
    }
    for (const Parameter& parameter : parameters) {
        made["parameters"].push_back({{"name", parameter.name}, {"max", parameter.max}, {"value", parameter.value}});
    }
    for (const Switch& one : switches) {
        made["switches"].push_back({{"name", one.name}, {"is_on", one.is_on}});
    }
    for (const HostData& one : data) {
        made["data"].push_back({{"name", one.name}, {"words", one.words}});
    }
    for (const DescriptorSet& set : sets) {
        made["sets"].push_back({{"name", set.name}});
    }
    for (const History& history : histories) {
        made["histories"].push_back({{"current", history.current}, {"previous", history.previous}});
    }
    return to_text(made);
}

std::string Profile::trace() const {
    Json events = Json::array();
    const auto metadata = [&](const char* what, int thread, const std::string& name) {
        events.push_back({{"name", what}, {"ph", "M"}, {"pid", 1}, {"tid", thread}, {"args", {{"name", name}}}});
    };
    metadata("process_name", 1, "weir");
    for (const QueueKind queue : {QueueKind::main, QueueKind::compute, QueueKind::transfer}) {
        if (queue == QueueKind::main ||
            std::any_of(passes.begin(), passes.end(), [&](const PassTime& time) { return time.queue == queue; })) {
            metadata("thread_name", track_of(queue),
                     queue == QueueKind::main ? "GPU" : std::string("GPU ") + to_string(queue) + " queue");
        }
    }
    for (const PassTime& time : passes) {
        events.push_back({{"name", graph->passes[time.pass].name},
                          {"ph", "X"},
                          {"pid", 1},
                          {"tid", track_of(time.queue)},
                          {"ts", time.begin_us},
                          {"dur", time.end_us - time.begin_us},
                          {"args", {{"pass", time.pass}, {"group", time.group}}}});
    }
    return to_text({{"displayTimeUnit", "ns"}, {"traceEvents", std::move(events)}});
}

} // namespace weir
