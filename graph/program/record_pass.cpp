#include <algorithm>
#include <cstring>
#include <string>

#include <weir/graph/command_pass.hpp>

#include "engine/base/host_callback.hpp"
#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"
#include "graph/plan/contents.hpp"
#include "graph/plan/resources.hpp"
#include "graph/program/recorder.hpp"

namespace weir {

/// The resources that a command pass may access.
class Program::Impl::PassContext final : public CommandPassContext {
public:
    PassContext(const Impl& program, const PlanGroup& group, const GraphDescription::PassNode& pass)
        : program_(program), group_(group), pass_(pass) {}

    [[nodiscard]] BufferView buffer(BufferId buffer) const override {
        return uses(buffer) ? program_.resources.views[buffer.index] : BufferView{};
    }
    [[nodiscard]] BoundImage image(ImageId image) const override {
        if (!uses(image)) {
            return {};
        }
        const ImageView& view = program_.resources.images[image.index];
        const auto uses = pass_.accesses();
        const bool is_read = std::any_of(uses.begin(), uses.end(),
                                         [&](const auto& use) { return use.named() == image.index && use.reads(); });
        return {.image = view.image,
                .view = view.view,
                .layout = program_.layout_in(group_, image.index),
                .extent = program_.graph.resources[image.index].image->extent,
                .range = range_of(program_.graph, image.index),
                .contents = contents(image),
                .is_read = is_read};
    }
    [[nodiscard]] Contents contents(ResourceId resource) const override {
        Contents found{false, false};
        bool is_written = false;
        for (const auto& use : pass_.accesses()) {
            if (resource.graph != program_.graph.identity.get() || use.named() != resource.index) {
                continue;
            }
            is_written = is_written || use.writes();
            found.before =
                found.before || use.concurrent || !program_.starts_empty(use.resource) ||
                is_written_before(program_.graph, use, [&](std::uint32_t pass) { return program_.is_on(pass); });
            found.needed_after = found.needed_after || use.needed_after;
        }
        return is_written ? found : Contents{};
    }

private:
    [[nodiscard]] bool uses(ResourceId resource) const {
        return resource.graph == program_.graph.identity.get() &&
               std::any_of(pass_.uses.begin(), pass_.uses.end(),
                           [&](const auto& use) { return use.named() == resource.index; });
    }

    const Impl& program_;
    const PlanGroup& group_;
    const GraphDescription::PassNode& pass_;
};

Result<> Program::Impl::Recorder::record_pass(VkCommandBuffer commands, const PlanGroup& group, std::uint32_t index) {
    const auto& vk = program_.device.vk();
    const auto& node = program_.graph.passes[index];
    const bool can_compute = group.queue != QueueKind::transfer; // labels need such a queue, too
    Result<> result;
    if (can_compute) {
        program_.device.begin_label(commands, node.name.c_str());
    }
    if (const auto* fill = std::get_if<GraphDescription::Fill>(&node.work)) {
        const BufferView& view = program_.resources.views[node.uses.front().named()];
        vk.vkCmdFillBuffer(commands, view.buffer, view.offset, std::min(fill->bytes, view.size), fill->value);
    } else if (const auto* copied = std::get_if<GraphDescription::Copy>(&node.work)) {
        const BufferView& from = program_.resources.views[node.uses.front().named()];
        const BufferView& to = program_.resources.views[node.uses.back().named()];
        const VkBufferCopy region{from.offset, to.offset, std::min({copied->bytes, from.size, to.size})};
        vk.vkCmdCopyBuffer(commands, from.buffer, to.buffer, 1, &region);
    } else if (const auto* update = std::get_if<GraphDescription::Update>(&node.work)) {
        const BufferView& view = program_.resources.views[node.uses.front().named()];
        vk.vkCmdUpdateBuffer(commands, view.buffer, view.offset, update->data.bytes,
                             program_.data[update->data.index].data());
    } else if (const auto* image_work = std::get_if<GraphDescription::ImageWork>(&node.work)) {
        record_image_work(commands, group, node, *image_work);
    } else if (const auto* host = node.command_pass()) {
        result = call_host([&] { host->record(commands, PassContext(program_, group, node)); },
                           [&] { return concat("record: the function of command pass '", node.name, "'"); });
        if (can_compute) {
            program_.descriptors->begin(commands, bound_); // the function may have bound its own
        }
    } else {
        record_dispatch(commands, index);
    }
    if (can_compute) {
        program_.device.end_label(commands);
    }
    return result;
}

void Program::Impl::Recorder::record_image_work(VkCommandBuffer commands, const PlanGroup& group,
                                                const GraphDescription::PassNode& node,
                                                const GraphDescription::ImageWork& work) const {
    using Kind = GraphDescription::ImageWork::Kind;
    const auto& vk = program_.device.vk();
    const std::uint32_t source = node.uses.front().named(), destination = node.uses.back().named();
    const auto layers_of = [&](std::uint32_t image, const ImageRegion& region) {
        const ImagePart range = range_of(program_.graph, image);
        return VkImageSubresourceLayers{aspects_of(program_.graph.resources[image].image->format),
                                        range.mip + region.mip, range.layer + region.layer, region.layers};
    };
    const auto extent_of = [&](std::uint32_t image, const ImageRegion& region) {
        const VkExtent3D& full = program_.graph.resources[image].image->extent;
        const auto halved = [&](std::uint32_t texels) { return std::max(texels >> region.mip, 1U); };
        return VkExtent3D{halved(full.width), halved(full.height), halved(full.depth)};
    };
    const auto image_of = [&](std::uint32_t image) { return program_.resources.images[image].image; };
    const VkImageLayout from = group.layout(node.uses.front().resource), to = group.layout(node.uses.back().resource);
    switch (work.kind) {
    case Kind::to_buffer: {
        const BufferView& view = program_.resources.views[destination];
        const VkBufferImageCopy region{
            view.offset, 0, 0, layers_of(source, work.source), {}, extent_of(source, work.source)};
        vk.vkCmdCopyImageToBuffer(commands, image_of(source), from, view.buffer, 1, &region);
        break;
    }
    case Kind::from_buffer: {
        const BufferView& view = program_.resources.views[source];
        const VkBufferImageCopy region{
            view.offset, 0, 0, layers_of(destination, work.destination), {}, extent_of(destination, work.destination)};
        vk.vkCmdCopyBufferToImage(commands, view.buffer, image_of(destination), to, 1, &region);
        break;
    }
    case Kind::copy: {
        const VkImageCopy region{layers_of(source, work.source),
                                 {},
                                 layers_of(destination, work.destination),
                                 {},
                                 extent_of(source, work.source)};
        vk.vkCmdCopyImage(commands, image_of(source), from, image_of(destination), to, 1, &region);
        break;
    }
    case Kind::blit: {
        const auto corner_of = [](const VkExtent3D& extent) {
            return VkOffset3D{static_cast<std::int32_t>(extent.width), static_cast<std::int32_t>(extent.height),
                              static_cast<std::int32_t>(extent.depth)};
        };
        const VkImageBlit region{layers_of(source, work.source),
                                 {{}, corner_of(extent_of(source, work.source))},
                                 layers_of(destination, work.destination),
                                 {{}, corner_of(extent_of(destination, work.destination))}};
        vk.vkCmdBlitImage(commands, image_of(source), from, image_of(destination), to, 1, &region, work.filter);
        break;
    }
    case Kind::clear: {
        const VkImageAspectFlags aspects = aspects_of(program_.graph.resources[destination].image->format);
        const VkImageSubresourceLayers layers = layers_of(destination, work.destination);
        const VkImageSubresourceRange range{aspects, layers.mipLevel, 1, layers.baseArrayLayer, layers.layerCount};
        if (aspects == VK_IMAGE_ASPECT_COLOR_BIT) {
            vk.vkCmdClearColorImage(commands, image_of(destination), to, &work.value.color, 1, &range);
        } else {
            vk.vkCmdClearDepthStencilImage(commands, image_of(destination), to, &work.value.depthStencil, 1, &range);
        }
        break;
    }
    }
}

void Program::Impl::Recorder::record_dispatch(VkCommandBuffer commands, std::uint32_t index) {
    const auto& vk = program_.device.vk();
    const auto& pass = *program_.graph.passes[index].compute_pass();
    const Dispatch& dispatch = pass.dispatch;
    GroupCount groups{dispatch.x, dispatch.y, dispatch.z};
    if (dispatch.kind == Dispatch::Kind::elements) {
        groups =
            group_count(program_.value(dispatch.count), dispatch, program_.graph.capabilities.max_workgroup_count_x);
    }
    if (dispatch.kind != Dispatch::Kind::indirect && (groups.x == 0 || groups.y == 0 || groups.z == 0)) {
        return;
    }
    const Pipeline& pipeline = *program_.pipelines[index];
    vk.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.handle());
    program_.descriptors->bind(commands, bound_, program_.copies.current(), index);
    bind_sets(commands, pass, pipeline);
    push_constants(commands, pass, pipeline);
    if (dispatch.kind == Dispatch::Kind::indirect) {
        const BufferView& arguments = program_.resources.views[dispatch.arguments.index];
        vk.vkCmdDispatchIndirect(commands, arguments.buffer, arguments.offset + dispatch.word * 4ULL);
    } else {
        vk.vkCmdDispatch(commands, groups.x, groups.y, groups.z);
    }
}

void Program::Impl::Recorder::bind_sets(VkCommandBuffer commands, const Pass& pass, const Pipeline& pipeline) {
    if (pass.sets.empty()) {
        return;
    }
    std::transform(pass.sets.begin(), pass.sets.end(), sets_.begin(),
                   [&](DescriptorSetId set) { return program_.sets[set.index]; });
    program_.device.vk().vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline.layout(), 1,
                                                 static_cast<std::uint32_t>(pass.sets.size()), sets_.data(), 0,
                                                 nullptr);
}

void Program::Impl::Recorder::push_constants(VkCommandBuffer commands, const Pass& pass, const Pipeline& pipeline) {
    std::uint32_t* next = push_.data();
    for (const Binding& binding : pass.addressed) {
        const VkDeviceAddress address = program_.resources.addresses[binding.resource.index];
        std::memcpy(next, &address, sizeof address);
        next += 2;
    }
    for (const PushWord& word : pass.push) {
        if (const auto* set = std::get_if<HostData>(&word)) {
            next = std::copy(program_.data[set->index].begin(), program_.data[set->index].end(), next);
            continue;
        }
        const auto* count = std::get_if<Count>(&word);
        *next++ = count != nullptr ? program_.value(*count) : std::get<std::uint32_t>(word);
    }
    if (const auto words = static_cast<std::uint32_t>(next - push_.data()); words != 0) {
        program_.device.vk().vkCmdPushConstants(commands, pipeline.layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0, words * 4,
                                                push_.data());
    }
}

} // namespace weir
