#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include <nlohmann/json.hpp>

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

Json json_of(const PlanGroup& group) {
    Json barriers = Json::array(), image_barriers = Json::array();
    for (const VkMemoryBarrier2& barrier : group.barriers) {
        barriers.push_back({{"source", json_of(Scope{barrier.srcStageMask, barrier.srcAccessMask})},
                            {"destination", json_of(Scope{barrier.dstStageMask, barrier.dstAccessMask})}});
    }
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
            {"barriers", std::move(barriers)},
            {"image_barriers", std::move(image_barriers)},
            {"dependencies", json_of(group.dependencies)},
            {"acquired", json_of(group.acquired)},
            {"released", json_of(group.released)}};
}

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
