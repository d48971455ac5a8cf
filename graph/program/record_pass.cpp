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

CommandList::ImageTarget Program::Impl::target_of(const PlanGroup& group, const GraphDescription::PassUse& use,
                                                  const ImageRegion& region) const {
    const std::uint32_t image = use.named();
    const ImageInfo& info = *graph.resources[image].image;
    const ImagePart range = range_of(graph, image);
    const auto halved = [&](std::uint32_t texels) { return std::max(texels >> region.mip, 1U); };
    return {root_of(graph, image),
            {aspects_of(info.format), range.mip + region.mip, range.layer + region.layer, region.layers},
            {halved(info.extent.width), halved(info.extent.height), halved(info.extent.depth)},
            group.layout(use.resource)};
}

void Program::Impl::Recorder::record_image_work(VkCommandBuffer commands, const PlanGroup& group,
                                                const GraphDescription::PassNode& node,
                                                const GraphDescription::ImageWork& work) const {
    using Kind = GraphDescription::ImageWork::Kind;
    using Target = CommandList::ImageTarget;
    const auto& vk = program_.device.vk();
    const auto& first = node.uses.front();
    const auto& last = node.uses.back();
    const auto image_of = [&](const Target& target) { return program_.resources.images[target.resource].image; };
    const auto source = [&] { return program_.target_of(group, first, work.source); };
    const auto destination = [&] { return program_.target_of(group, last, work.destination); };
    switch (work.kind) {
    case Kind::to_buffer: {
        const Target from = source();
        const BufferView& view = program_.resources.views[last.named()];
        const VkBufferImageCopy region{view.offset, 0, 0, from.layers, {}, from.extent};
        vk.vkCmdCopyImageToBuffer(commands, image_of(from), from.layout, view.buffer, 1, &region);
        break;
    }
    case Kind::from_buffer: {
        const Target to = destination();
        const BufferView& view = program_.resources.views[first.named()];
        const VkBufferImageCopy region{view.offset, 0, 0, to.layers, {}, to.extent};
        vk.vkCmdCopyBufferToImage(commands, view.buffer, image_of(to), to.layout, 1, &region);
        break;
    }
    case Kind::copy: {
        const Target from = source(), to = destination();
        const VkImageCopy region{from.layers, {}, to.layers, {}, from.extent};
        vk.vkCmdCopyImage(commands, image_of(from), from.layout, image_of(to), to.layout, 1, &region);
        break;
    }
    case Kind::blit: {
        const Target from = source(), to = destination();
        const auto corner_of = [](const VkExtent3D& extent) {
            return VkOffset3D{static_cast<std::int32_t>(extent.width), static_cast<std::int32_t>(extent.height),
                              static_cast<std::int32_t>(extent.depth)};
        };
        const VkImageBlit region{from.layers, {{}, corner_of(from.extent)}, to.layers, {{}, corner_of(to.extent)}};
        vk.vkCmdBlitImage(commands, image_of(from), from.layout, image_of(to), to.layout, 1, &region, work.filter);
        break;
    }
    case Kind::clear: {
        const Target to = destination();
        const VkImageSubresourceRange range{to.layers.aspectMask, to.layers.mipLevel, 1, to.layers.baseArrayLayer,
                                            to.layers.layerCount};
        if (range.aspectMask == VK_IMAGE_ASPECT_COLOR_BIT) {
            vk.vkCmdClearColorImage(commands, image_of(to), to.layout, &work.value.color, 1, &range);
        } else {
            vk.vkCmdClearDepthStencilImage(commands, image_of(to), to.layout, &work.value.depthStencil, 1, &range);
        }
        break;
    }
    }
}

void Program::Impl::Recorder::record_dispatch(VkCommandBuffer commands, std::uint32_t index) {
    const auto& vk = program_.device.vk();
    const auto& pass = *program_.graph.passes[index].compute_pass();
    const Dispatch& dispatch = pass.dispatch;
    const GroupCount groups = program_.groups_of(dispatch);
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

std::uint32_t* Program::Impl::write_push_constants(const Pass& pass, std::uint32_t* words) const {
    for (const Binding& binding : pass.addressed) {
        const VkDeviceAddress address = resources.addresses[binding.resource.index];
        std::memcpy(words, &address, sizeof address);
        words += 2;
    }
    for (const PushWord& word : pass.push) {
        if (const auto* set = std::get_if<HostData>(&word)) {
            words = std::copy(data[set->index].begin(), data[set->index].end(), words);
            continue;
        }
        const auto* count = std::get_if<Count>(&word);
        *words++ = count != nullptr ? value(*count) : std::get<std::uint32_t>(word);
    }
    return words;
}

void Program::Impl::Recorder::push_constants(VkCommandBuffer commands, const Pass& pass, const Pipeline& pipeline) {
    const std::uint32_t* end = program_.write_push_constants(pass, push_.data());
    if (const auto words = static_cast<std::uint32_t>(end - push_.data()); words != 0) {
        program_.device.vk().vkCmdPushConstants(commands, pipeline.layout(), VK_SHADER_STAGE_COMPUTE_BIT, 0, words * 4,
                                                push_.data());
    }
}

} // namespace weir
