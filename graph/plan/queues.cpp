#include "graph/plan/queues.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "engine/base/strings.hpp"
#include "engine/memory/image.hpp"
#include "graph/plan/resources.hpp"
#include "graph/plan/stages.hpp"

namespace weir {

namespace {

using Lifetime = GraphDescription::Lifetime;
using Resource = GraphDescription::Resource;

/// Returns what the pass does that the queue does not support, as a verb phrase for an error; empty if it supports all.
std::string unfit(const GraphDescription& graph, const Queues& queues, const GraphDescription::PassNode& pass,
                  QueueKind queue) {
    if (queue == QueueKind::transfer && pass.compute_pass() != nullptr) {
        return "computes";
    }
    if (const auto* work = std::get_if<GraphDescription::ImageWork>(&pass.work)) {
        const bool draws = queue == QueueKind::main && queues.main_draws;
        const ImageInfo& info = *graph.resources[pass.uses.back().resource].image;
        if (work->kind == GraphDescription::ImageWork::Kind::blit && !draws) {
            return "scales an image";
        }
        if (work->kind == GraphDescription::ImageWork::Kind::clear && !draws &&
            (queue == QueueKind::transfer || aspects_of(info.format) != VK_IMAGE_ASPECT_COLOR_BIT)) {
            return "clears an image";
        }
    }
    for (const auto& use : pass.accesses()) {
        const Scope scope = use.meaning().scope;
        const VkPipelineStageFlags2 stages = queues.scope_on(queue, scope).stages;
        if (use.access != Access::none && (use.raw ? stages != scope.stages : stages == 0)) {
            const Resource& node = graph.resources[use.resource];
            return concat("uses ", kind_of(node), " '", node.name, "' for ", use.access_name());
        }
    }
    return "";
}

} // namespace

Scope Queues::scope_on(QueueKind queue, Scope scope) const {
    constexpr VkPipelineStageFlags2 transfers =
        VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | VK_PIPELINE_STAGE_2_HOST_BIT | VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    constexpr VkPipelineStageFlags2 computes =
        transfers | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT |
        VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR |
        VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_COPY_BIT_KHR | VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR |
        VK_PIPELINE_STAGE_2_COMMAND_PREPROCESS_BIT_NV | VK_PIPELINE_STAGE_2_CONDITIONAL_RENDERING_BIT_EXT;
    if (queue != QueueKind::main || !main_draws) {
        scope.stages &= queue == QueueKind::transfer ? transfers : computes;
    }
    return scope.stages != 0 ? scope : Scope{};
}

bool Queues::has_stages(QueueKind queue, const Accesses& accesses) const {
    return std::any_of(accesses.scopes().begin(), accesses.scopes().end(),
                       [&](const UseScope& use) { return scope_on(queue, use.scope).stages != 0; });
}

Result<std::vector<QueueKind>> assign_queues(const GraphDescription& graph, const Queues& queues) {
    const auto refuse = [](std::string why) { return tl::unexpected(Error{ErrorCode::invalid_graph, std::move(why)}); };
    std::vector<QueueKind> assigned;
    for (const auto& pass : graph.passes) {
        for (const QueueKind queue : {pass.queue, queues.on(pass.queue)}) {
            if (const std::string why = unfit(graph, queues, pass, queue); !why.empty()) {
                return refuse(concat("pass '", pass.name, "' ", why, ", which the ", to_string(queue),
                                     " queue does not support", to_string(pass.where)));
            }
        }
        assigned.push_back(queues.on(pass.queue));
    }
    for (const Resource& node : graph.resources) {
        const bool is_set =
            node.queues.arrives != QueueKind::main || node.queues.leaves != QueueKind::main || node.queues.concurrent;
        if (is_set && node.lifetime != Lifetime::import && !node.exported) {
            return refuse(concat("set_queues: ", kind_of(node), " '", node.name, "' is neither imported nor exported",
                                 to_string(node.where)));
        }
        const std::tuple<const char*, QueueKind, const Accesses&> ends[] = {
            {" arrives", node.queues.arrives, node.arrives}, {" leaves", node.queues.leaves, node.leaves}};
        for (const auto& [does, queue, accesses] : ends) {
            for (const QueueKind on : {queue, queues.on(queue)}) {
                const auto is_unfit = [&, on = on](const UseScope& use) {
                    return use.scope.stages != 0 && queues.scope_on(on, use.scope).stages == 0;
                };
                const auto unfit = std::find_if(accesses.begin(), accesses.end(),
                                                [&](Access access) { return is_unfit(use_scope(access)); });
                const auto raw =
                    std::find_if(accesses.raw().begin(), accesses.raw().end(), [&, on = on](const UseScope& use) {
                        return queues.scope_on(on, use.scope).stages != use.scope.stages;
                    });
                if (unfit != accesses.end() || raw != accesses.raw().end()) {
                    return refuse(concat(kind_of(node), " '", node.name, "'", does, " on the ", to_string(on),
                                         " queue for ", unfit != accesses.end() ? to_string(*unfit) : to_string(*raw),
                                         ", which that queue does not support", to_string(node.where)));
                }
            }
        }
    }
    return assigned;
}

std::vector<std::uint32_t> families_of(const GraphDescription& graph, const Queues& queues) {
    std::vector<std::uint32_t> families{queues.family(QueueKind::main)};
    const auto add = [&](QueueKind kind) {
        const std::uint32_t family = queues.family(queues.on(kind));
        if (std::find(families.begin(), families.end(), family) == families.end()) {
            families.push_back(family);
        }
    };
    for (const auto& pass : graph.passes) {
        add(pass.queue);
    }
    for (const Resource& node : graph.resources) {
        add(node.exported ? node.queues.leaves : QueueKind::main);
    }
    return families;
}

} // namespace weir
