// Replay: waits, barriers, releases and acquisitions of a group.

#include <algorithm>

#include "tests/graph/hazards.hpp"
#include "tests/graph/meanings.hpp"

namespace weir::tests {

void Replay::wait(const PlanGroup& group, std::size_t index, const std::string& when) {
    Command command;
    for (const GroupWait& wait : group.waits) {
        const auto report = [&](const char* what) {
            hazards_.push_back("group " + std::to_string(index) + when + " waits for group " +
                               std::to_string(wait.group) + " of " + std::to_string(wait.executions_ago) +
                               " executions ago, " + what);
        };
        const bool is_group = wait.group < plan_->groups.size();
        if (!is_group || (wait.executions_ago == 0 && wait.group >= index)) {
            report("which does not come before it");
            continue;
        }
        const QueueKind other = plan_->groups[wait.group].queue;
        if (other == group.queue) {
            report("which is on its own queue");
        }
        if (std::any_of(command.begin(), command.end(), [&](const Barrier& each) { return each.other == other; })) {
            report("in addition to another group of that queue");
        }
        if (wait.executions_ago >= execution_) {
            continue; // no such execution
        }
        Barrier semaphore;
        semaphore.source = semaphore.waits_for = semaphore.destination = semaphore.holds_back = device_stages;
        semaphore.flushes = semaphore.shows = ~VkAccessFlags2{0};
        semaphore.queue = group.queue;
        semaphore.is_wait = true;
        semaphore.other = other;
        semaphore.commands = ends_.at(execution_ - 1 - wait.executions_ago).at(wait.group);
        command.push_back(semaphore);
    }
    if (!command.empty()) {
        commands_.push_back(std::move(command));
        waits_ = true;
    }
}

void Replay::barrier(const PlanGroup& group, std::size_t index, const std::string& when) {
    const std::string before = " before group " + std::to_string(index) + when;
    Command command;
    const auto add = [&](const Scope& first, const Scope& second, std::uint32_t image) {
        const VkPipelineStageFlags2 source = single_stages(first.stages), destination = single_stages(second.stages);
        check_masks(first, before);
        check_masks(second, before);
        Barrier& barrier = command.emplace_back();
        barrier = {source,
                   with_earlier(source),
                   destination,
                   with_later(destination),
                   single_accesses(first.access),
                   single_accesses(second.access),
                   image};
        barrier.queue = queue_;
    };
    for (const VkMemoryBarrier2& barrier : group.barriers) {
        add({barrier.srcStageMask, barrier.srcAccessMask}, {barrier.dstStageMask, barrier.dstAccessMask}, all);
    }
    for (const ImageBarrier& image : group.image_barriers) {
        add(image.source, image.destination, image.resource);
    }
    for (const OwnershipTransfer& handover : group.acquired) {
        add({VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, 0}, handover.scope, handover.resource);
    }
    ++command_;
    auto made = command.begin() + static_cast<std::ptrdiff_t>(group.barriers.size());
    for (const ImageBarrier& image : group.image_barriers) {
        const std::string who = "layout change of '" + graph_.resources[image.resource].name + "'" + when;
        own(image.resource, who);
        change(image.resource, *made++, command, "layout change", when);
        change_layout(image.resource, image.old_layout, image.new_layout, who);
    }
    for (const OwnershipTransfer& handover : group.acquired) {
        const std::string who = "acquisition of '" + graph_.resources[handover.resource].name + "'" + before;
        Custody& custody = custody_[handover.resource];
        check_handover(handover, who);
        if (handover.to != queue_) {
            hazards_.push_back(who + " on the wrong queue");
        }
        if (!custody.released) {
            hazards_.push_back(who + " without a release");
        } else if (const OwnershipTransfer& other = *custody.released;
                   other.from != handover.from || other.to != handover.to || other.old_layout != handover.old_layout ||
                   other.new_layout != handover.new_layout) {
            hazards_.push_back(who + " is not what was released");
        }
        custody.family = family(queue_);
        custody.released.reset();
        change(handover.resource, *made++, command, "acquisition", before);
        if (graph_.resources[handover.resource].image) {
            change_layout(handover.resource, handover.old_layout, handover.new_layout, who);
        }
    }
    commands_.push_back(std::move(command));
}

void Replay::release(const PlanGroup& group, const std::string& when) {
    Command command;
    for (const OwnershipTransfer& handover : group.released) {
        check_masks(handover.scope, when);
        Barrier& barrier = command.emplace_back();
        barrier.source = single_stages(handover.scope.stages);
        barrier.waits_for = with_earlier(barrier.source);
        barrier.flushes = single_accesses(handover.scope.access);
        barrier.image = handover.resource;
        barrier.queue = queue_;
    }
    if (command.empty()) {
        return;
    }
    ++command_;
    for (std::size_t i = 0; i < command.size(); ++i) {
        const OwnershipTransfer& handover = group.released[i];
        const std::string who = "release of '" + graph_.resources[handover.resource].name + "'" + when;
        check_handover(handover, who);
        if (handover.from != queue_) {
            hazards_.push_back(who + " on the wrong queue");
        }
        const VkImageLayout layout = layouts_[handover.resource];
        if (handover.old_layout != VK_IMAGE_LAYOUT_UNDEFINED && handover.old_layout != layout) {
            hazards_.push_back(who + " from a layout other than the current one");
        }
        own(handover.resource, who);
        change(handover.resource, command[i], command, "release", when);
        custody_[handover.resource].released = handover;
    }
    commands_.push_back(std::move(command));
}

void Replay::check_masks(const Scope& scope, const std::string& where) {
    const VkPipelineStageFlags2 everything = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    const VkPipelineStageFlags2 moves = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT | everything;
    const VkPipelineStageFlags2 traces =
        VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR | VK_PIPELINE_STAGE_2_RAY_TRACING_SHADER_BIT_KHR;
    const VkPipelineStageFlags2 generates = VK_PIPELINE_STAGE_2_COMMAND_PREPROCESS_BIT_NV;
    const VkPipelineStageFlags2 computes = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT | everything | traces;
    const VkPipelineStageFlags2 shaders = computes & ~VK_PIPELINE_STAGE_2_ACCELERATION_STRUCTURE_BUILD_BIT_KHR;
    struct Kind {
        VkAccessFlags2 access;
        VkPipelineStageFlags2 stages; ///< stages that have it; one of them is required
    };
    const Kind kinds[] = {
        {VK_ACCESS_2_TRANSFER_READ_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT, moves},
        {VK_ACCESS_2_HOST_READ_BIT | VK_ACCESS_2_HOST_WRITE_BIT, VK_PIPELINE_STAGE_2_HOST_BIT},
        {VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT, ~VkPipelineStageFlags2{0}},
        {VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT, VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT | everything},
        {VK_ACCESS_2_SHADER_WRITE_BIT | VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT |
             VK_ACCESS_2_SHADER_SAMPLED_READ_BIT | VK_ACCESS_2_UNIFORM_READ_BIT,
         shaders},
        {VK_ACCESS_2_SHADER_READ_BIT, computes},
        {VK_ACCESS_2_ACCELERATION_STRUCTURE_READ_BIT_KHR | VK_ACCESS_2_ACCELERATION_STRUCTURE_WRITE_BIT_KHR, computes},
        {VK_ACCESS_2_COMMAND_PREPROCESS_READ_BIT_NV | VK_ACCESS_2_COMMAND_PREPROCESS_WRITE_BIT_NV,
         generates | everything},
    };
    if (draws(graph_.capabilities, queue_)) {
        return;
    }
    VkPipelineStageFlags2 known = moves | VK_PIPELINE_STAGE_2_HOST_BIT;
    if (queue_ != QueueKind::transfer) {
        known |= computes | generates | VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT;
    }
    VkAccessFlags2 accesses = 0;
    for (const Kind& kind : kinds) {
        accesses |= (scope.stages & known & kind.stages) != 0 ? kind.access : 0;
    }
    if (queue_ == QueueKind::transfer) {
        accesses &= kinds[0].access | kinds[1].access | kinds[2].access;
    }
    if ((scope.stages & ~known) != 0 || (scope.access & ~accesses) != 0) {
        hazards_.push_back("a barrier" + where + " has stages or accesses that the " + to_string(queue_) +
                           " queue does not support");
    }
}

void Replay::check_handover(const OwnershipTransfer& handover, const std::string& who) {
    if (!is_exclusive(handover.resource) || on(handover.from) != handover.from || on(handover.to) != handover.to ||
        family(handover.from) == family(handover.to)) {
        hazards_.push_back(who + " between queues that need no transfer of ownership");
    }
    if ((handover.scope.stages & VK_PIPELINE_STAGE_2_HOST_BIT) != 0) {
        hazards_.push_back(who + " with the host stage"); // VUID-VkBufferMemoryBarrier2-srcStageMask-03851
    }
    if (graph_.resources[handover.resource].image ? handover.new_layout == VK_IMAGE_LAYOUT_UNDEFINED
                                                  : handover.old_layout != handover.new_layout) {
        hazards_.push_back(who + " with an invalid new layout");
    }
}

void Replay::own(std::uint32_t resource, const std::string& who) {
    Custody& custody = custody_[resource];
    custody.is_used = true;
    if (!is_exclusive(resource)) {
        return;
    }
    if (custody.released) {
        hazards_.push_back("'" + graph_.resources[resource].name + "' is released: " + who);
    } else if (custody.family.value_or(family(queue_)) != family(queue_)) {
        hazards_.push_back("'" + graph_.resources[resource].name + "' belongs to another queue family: " + who);
    }
    custody.family = custody.family.value_or(family(queue_));
}

} // namespace weir::tests
