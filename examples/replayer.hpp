#pragma once

// Replays the commands of a program with plain Vulkan, as an application with a rendering layer of its own would. It
// includes only the data of Weir.

#include <volk.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include <weir/graph/commands.hpp>

/// Memory, pipelines and descriptors for the commands of one program. Imports must be bound when it is created.
class Replayer {
public:
    using List = weir::CommandList;
    /// Records a command pass of the application. The layout of its images is in the uses.
    using RecordPass = std::function<void(VkCommandBuffer commands, const List::Command& command)>;

    /// `memory`: memory properties of the physical device. `check`: called with each result of Vulkan.
    Replayer(VkDevice device, const VolkDeviceTable& vk, const VkPhysicalDeviceMemoryProperties& memory, List list,
             std::function<void(VkResult)> check)
        : device_(device), vk_(vk), memory_types_(memory), list_(std::move(list)), check_(std::move(check)) {
        make_resources();
        make_pipelines();
        make_descriptors();
    }
    ~Replayer() {
        vk_.vkDestroyDescriptorPool(device_, pool_, nullptr);
        for (const Kernel& kernel : kernels_) {
            vk_.vkDestroyPipeline(device_, kernel.pipeline, nullptr);
            vk_.vkDestroyPipelineLayout(device_, kernel.layout, nullptr);
            vk_.vkDestroyDescriptorSetLayout(device_, kernel.set_layout, nullptr);
        }
        for (const VkImageView view : views_) {
            vk_.vkDestroyImageView(device_, view, nullptr);
        }
        for (const VkImage image : images_) {
            vk_.vkDestroyImage(device_, image, nullptr);
        }
        for (const VkBuffer buffer : buffers_) {
            vk_.vkDestroyBuffer(device_, buffer, nullptr);
        }
        for (const VkDeviceMemory memory : memory_) {
            vk_.vkFreeMemory(device_, memory, nullptr);
        }
    }
    Replayer(const Replayer&) = delete;
    Replayer& operator=(const Replayer&) = delete;

    /// Takes new values of parameters, switches and data from a list of the same program.
    void set_values(List list) { list_ = std::move(list); }

    /// Returns the bytes of a buffer, and of a history those of the latest execution.
    [[nodiscard]] weir::BufferView buffer(std::uint32_t resource) const {
        const List::Resource& node = list_.resources[resource];
        const bool is_part = node.part_of != List::none;
        const Place& place = place_of(is_part ? node.part_of : resource, (executions_ + 1) % 2);
        return {place.buffer, place.offset + (is_part ? node.offset : 0), node.bytes};
    }
    /// Returns the image of an image or a part.
    [[nodiscard]] VkImage image(std::uint32_t resource) const {
        const std::uint32_t whole = list_.resources[resource].part_of;
        return place_of(whole != List::none ? whole : resource, 0).image;
    }

    // [clear]
    /// Records what happens once, before the first execution.
    void clear(VkCommandBuffer commands) const {
        for (std::uint32_t i = 0; i < list_.resources.size(); ++i) {
            const List::Resource& node = list_.resources[i];
            if (node.starts_zero && node.image) {
                clear_image(commands, places_[i].image, node.initial_layout);
            } else if (node.starts_zero) {
                vk_.vkCmdFillBuffer(commands, places_[i].buffer, places_[i].offset, node.bytes, 0);
            }
        }
        List::Barrier barrier;
        barrier.memory = {{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2}};
        barrier.memory[0].srcStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
        barrier.memory[0].srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
        barrier.memory[0].dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        barrier.memory[0].dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
        run(commands, barrier, 0);
    }
    // [/clear]

    // [record]
    /// Records one execution.
    void record(VkCommandBuffer commands, const RecordPass& record_pass = {}) {
        const std::uint32_t turn = executions_++ % 2; // histories exchange their memory
        for (std::size_t i = 0; i < list_.commands.size(); ++i) {
            const List::Command& command = list_.commands[i];
            if (!command.is_on) {
                continue;
            }
            if (const auto* barrier = std::get_if<List::Barrier>(&command.work)) {
                run(commands, *barrier, turn);
            } else if (const auto* dispatch = std::get_if<List::Dispatch>(&command.work)) {
                run(commands, *dispatch, sets_[turn][i], turn);
            } else if (std::holds_alternative<List::CommandPassWork>(command.work)) {
                record_pass(commands, command);
            } else {
                run_transfer(commands, command.work, turn);
            }
        }
    }
    // [/record]

private:
    struct Place {
        VkBuffer buffer = VK_NULL_HANDLE;
        VkDeviceSize offset = 0;
        VkImage image = VK_NULL_HANDLE;
    };
    struct Kernel {
        VkDescriptorSetLayout set_layout = VK_NULL_HANDLE;
        VkPipelineLayout layout = VK_NULL_HANDLE;
        VkPipeline pipeline = VK_NULL_HANDLE;
    };

    /// Returns the place of a resource. In every other execution, the two resources of a history have each other's.
    [[nodiscard]] const Place& place_of(std::uint32_t resource, std::uint32_t turn) const {
        for (const auto& [current, previous] : list_.histories) {
            if (turn == 1 && (resource == current || resource == previous)) {
                return places_[resource == current ? previous : current];
            }
        }
        return places_[resource];
    }
    [[nodiscard]] VkDeviceSize offset_of(const List::BufferRange& range, std::uint32_t turn) const {
        return place_of(range.resource, turn).offset + range.offset;
    }

    /// Creates a buffer for each allocation, and the images in its memory.
    void make_resources() {
        places_.resize(list_.resources.size());
        buffers_.resize(list_.allocations.size());
        for (std::uint32_t a = 0; a < list_.allocations.size(); ++a) {
            const List::Allocation& allocation = list_.allocations[a];
            VkMemoryRequirements needs{allocation.bytes, 1, ~0U};
            const auto add_needs = [&](const VkMemoryRequirements& more) {
                needs.memoryTypeBits &= more.memoryTypeBits;
                return more.size;
            };
            if (allocation.usage != 0) {
                VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
                info.size = allocation.bytes;
                info.usage = allocation.usage;
                check_(vk_.vkCreateBuffer(device_, &info, nullptr, &buffers_[a]));
                VkMemoryRequirements of_buffer{};
                vk_.vkGetBufferMemoryRequirements(device_, buffers_[a], &of_buffer);
                needs.size = std::max(needs.size, add_needs(of_buffer));
            }
            for (std::uint32_t i = 0; i < places_.size(); ++i) {
                const List::Resource& node = list_.resources[i];
                if (node.allocation == a && node.image) {
                    places_[i].image = make_image(node);
                    VkMemoryRequirements of_image{};
                    vk_.vkGetImageMemoryRequirements(device_, places_[i].image, &of_image);
                    needs.size = std::max(needs.size, node.offset + add_needs(of_image));
                } else if (node.allocation == a) {
                    places_[i] = {buffers_[a], node.offset};
                }
            }
            allocate(needs, allocation);
            if (allocation.usage != 0) {
                check_(vk_.vkBindBufferMemory(device_, buffers_[a], memory_.back(), 0));
            }
            for (std::uint32_t i = 0; i < places_.size(); ++i) {
                if (list_.resources[i].allocation == a && places_[i].image != VK_NULL_HANDLE) {
                    check_(vk_.vkBindImageMemory(device_, places_[i].image, memory_.back(), list_.resources[i].offset));
                }
            }
        }
        for (std::uint32_t i = 0; i < places_.size(); ++i) {
            const List::Resource& node = list_.resources[i];
            if (node.lifetime == weir::GraphDescription::Lifetime::import) {
                places_[i] = {node.bound.buffer, node.bound.offset, node.bound_image.image};
            }
        }
    }

    void allocate(const VkMemoryRequirements& needs, const List::Allocation& allocation) {
        VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
        flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
        VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
        info.pNext = (allocation.usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT) != 0 ? &flags : nullptr;
        info.allocationSize = needs.size;
        const auto is_usable = [&](std::uint32_t type) { return (needs.memoryTypeBits >> type & 1) != 0; };
        while (!is_usable(info.memoryTypeIndex) || (memory_types_.memoryTypes[info.memoryTypeIndex].propertyFlags &
                                                    VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT) == 0) {
            ++info.memoryTypeIndex; // Vulkan guarantees a device-local type
        }
        check_(vk_.vkAllocateMemory(device_, &info, nullptr, &memory_.emplace_back()));
    }

    VkImage make_image(const List::Resource& node) {
        VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
        info.flags = node.flags;
        info.imageType = node.image->extent.depth > 1 ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D;
        info.format = node.image->format;
        info.extent = node.image->extent;
        info.mipLevels = node.image->mips;
        info.arrayLayers = node.image->layers;
        info.samples = node.image->samples;
        info.usage = node.usage;
        check_(vk_.vkCreateImage(device_, &info, nullptr, &images_.emplace_back()));
        return images_.back();
    }

    void make_pipelines() {
        for (const List::Pipeline& pipeline : list_.pipelines) {
            Kernel& made = kernels_.emplace_back();
            std::vector<VkDescriptorSetLayoutBinding> bindings;
            for (const VkDescriptorType type : pipeline.bindings) {
                bindings.push_back({static_cast<std::uint32_t>(bindings.size()), type, 1, VK_SHADER_STAGE_COMPUTE_BIT});
            }
            VkDescriptorSetLayoutCreateInfo set{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
            set.bindingCount = static_cast<std::uint32_t>(bindings.size());
            set.pBindings = bindings.data();
            check_(vk_.vkCreateDescriptorSetLayout(device_, &set, nullptr, &made.set_layout));
            std::vector<VkDescriptorSetLayout> sets{made.set_layout};
            for (const std::uint32_t own : pipeline.sets) {
                sets.push_back(list_.sets[own].layout);
            }
            const VkPushConstantRange push{VK_SHADER_STAGE_COMPUTE_BIT, 0, pipeline.push_bytes};
            VkPipelineLayoutCreateInfo layout{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
            layout.setLayoutCount = static_cast<std::uint32_t>(sets.size());
            layout.pSetLayouts = sets.data();
            layout.pushConstantRangeCount = push.size != 0 ? 1 : 0;
            layout.pPushConstantRanges = &push;
            check_(vk_.vkCreatePipelineLayout(device_, &layout, nullptr, &made.layout));

            const std::vector<std::uint32_t>& words = list_.shaders[pipeline.shader];
            VkShaderModuleCreateInfo module_info{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
            module_info.codeSize = words.size() * sizeof words[0];
            module_info.pCode = words.data();
            VkShaderModule module = VK_NULL_HANDLE;
            check_(vk_.vkCreateShaderModule(device_, &module_info, nullptr, &module));
            std::vector<VkSpecializationMapEntry> entries;
            for (const List::Constant& constant : pipeline.constants) {
                const std::size_t at = entries.size() * sizeof constant + offsetof(List::Constant, value);
                entries.push_back({constant.id, static_cast<std::uint32_t>(at), sizeof constant.value});
            }
            const VkSpecializationInfo constants{static_cast<std::uint32_t>(entries.size()), entries.data(),
                                                 entries.size() * sizeof(List::Constant), pipeline.constants.data()};
            VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup{
                VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO};
            subgroup.requiredSubgroupSize = pipeline.subgroup_size;
            VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
            info.layout = made.layout;
            info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
            info.stage.pNext = pipeline.subgroup_size != 0 ? &subgroup : nullptr;
            info.stage.flags = pipeline.full_subgroups ? VK_PIPELINE_SHADER_STAGE_CREATE_REQUIRE_FULL_SUBGROUPS_BIT : 0;
            info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
            info.stage.module = module;
            info.stage.pName = "main";
            info.stage.pSpecializationInfo = &constants;
            check_(vk_.vkCreateComputePipelines(device_, VK_NULL_HANDLE, 1, &info, nullptr, &made.pipeline));
            vk_.vkDestroyShaderModule(device_, module, nullptr);
        }
    }

    /// Writes a descriptor set for each dispatch, and a second one for every other execution if there are histories.
    void make_descriptors() {
        const std::uint32_t turns = list_.histories.empty() ? 1 : 2;
        std::vector<VkDescriptorPoolSize> sizes{{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1}}; // a pool must not be empty
        VkDescriptorPoolCreateInfo pool{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
        pool.maxSets = 1;
        for (const List::Command& command : list_.commands) {
            if (const auto* dispatch = std::get_if<List::Dispatch>(&command.work)) {
                pool.maxSets += turns;
                for (const List::Descriptor& descriptor : dispatch->descriptors) {
                    sizes.push_back({descriptor.type, turns});
                }
            }
        }
        pool.poolSizeCount = static_cast<std::uint32_t>(sizes.size());
        pool.pPoolSizes = sizes.data();
        check_(vk_.vkCreateDescriptorPool(device_, &pool, nullptr, &pool_));
        for (std::uint32_t turn = 0; turn < turns; ++turn) {
            for (const List::Command& command : list_.commands) {
                const auto* dispatch = std::get_if<List::Dispatch>(&command.work);
                sets_[turn].push_back(dispatch != nullptr ? make_set(*dispatch, turn) : VK_NULL_HANDLE);
            }
        }
        sets_[1] = turns == 1 ? sets_[0] : sets_[1];
    }

    VkDescriptorSet make_set(const List::Dispatch& dispatch, std::uint32_t turn) {
        VkDescriptorSetAllocateInfo allocate{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
        allocate.descriptorPool = pool_;
        allocate.descriptorSetCount = 1;
        allocate.pSetLayouts = &kernels_[dispatch.pipeline].set_layout;
        VkDescriptorSet set = VK_NULL_HANDLE;
        check_(vk_.vkAllocateDescriptorSets(device_, &allocate, &set));
        for (std::uint32_t i = 0; i < dispatch.descriptors.size(); ++i) {
            const List::Descriptor& descriptor = dispatch.descriptors[i];
            VkDescriptorBufferInfo buffer{};
            VkDescriptorImageInfo image{descriptor.sampler, VK_NULL_HANDLE, descriptor.layout};
            VkWriteDescriptorSet write{VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
            write.dstSet = set;
            write.dstBinding = i;
            write.descriptorCount = 1;
            write.descriptorType = descriptor.type;
            if (descriptor.image != List::none) {
                VkImageViewCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
                info.image = place_of(descriptor.image, turn).image;
                info.viewType = descriptor.view_type;
                info.format = list_.resources[descriptor.image].image->format;
                info.subresourceRange = descriptor.range;
                check_(vk_.vkCreateImageView(device_, &info, nullptr, &views_.emplace_back()));
                image.imageView = views_.back();
            } else if (descriptor.buffer.resource != List::none) {
                buffer = {place_of(descriptor.buffer.resource, turn).buffer, offset_of(descriptor.buffer, turn),
                          descriptor.buffer.bytes};
            }
            write.pBufferInfo = &buffer;
            write.pImageInfo = &image;
            vk_.vkUpdateDescriptorSets(device_, 1, &write, 0, nullptr);
        }
        return set;
    }

    void run(VkCommandBuffer commands, const List::Barrier& barrier, std::uint32_t turn) const {
        std::vector<VkImageMemoryBarrier2> images;
        for (const List::ImageTransition& change : barrier.transitions) {
            VkImageMemoryBarrier2& made = images.emplace_back();
            made = {VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
            made.srcStageMask = change.source.stages;
            made.srcAccessMask = change.source.access;
            made.dstStageMask = change.destination.stages;
            made.dstAccessMask = change.destination.access;
            made.oldLayout = change.old_layout;
            made.newLayout = change.new_layout;
            made.srcQueueFamilyIndex = made.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
            made.image = place_of(change.resource, turn).image;
            made.subresourceRange = change.range;
        }
        VkDependencyInfo info{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
        info.memoryBarrierCount = static_cast<std::uint32_t>(barrier.memory.size());
        info.pMemoryBarriers = barrier.memory.data();
        info.imageMemoryBarrierCount = static_cast<std::uint32_t>(images.size());
        info.pImageMemoryBarriers = images.data();
        vk_.vkCmdPipelineBarrier2(commands, &info);
    }

    void run(VkCommandBuffer commands, const List::Dispatch& dispatch, VkDescriptorSet set, std::uint32_t turn) const {
        const Kernel& kernel = kernels_[dispatch.pipeline];
        vk_.vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.pipeline);
        std::vector<VkDescriptorSet> sets{set};
        for (const std::uint32_t own : list_.pipelines[dispatch.pipeline].sets) {
            sets.push_back(list_.sets[own].bound);
        }
        vk_.vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, kernel.layout, 0,
                                    static_cast<std::uint32_t>(sets.size()), sets.data(), 0, nullptr);
        std::vector<std::uint32_t> push = dispatch.push;
        for (const List::PushField& field : dispatch.fields) {
            if (field.source == List::PushField::Source::address) {
                VkBufferDeviceAddressInfo info{VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO};
                info.buffer = place_of(field.buffer.resource, turn).buffer;
                const VkDeviceAddress address =
                    vk_.vkGetBufferDeviceAddress(device_, &info) + offset_of(field.buffer, turn);
                push[field.word] = static_cast<std::uint32_t>(address);
                push[field.word + 1] = static_cast<std::uint32_t>(address >> 32);
            }
        }
        if (!push.empty()) {
            vk_.vkCmdPushConstants(commands, kernel.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                                   static_cast<std::uint32_t>(push.size() * sizeof push[0]), push.data());
        }
        if (dispatch.indirect) {
            vk_.vkCmdDispatchIndirect(commands, place_of(dispatch.indirect->resource, turn).buffer,
                                      offset_of(*dispatch.indirect, turn));
        } else {
            vk_.vkCmdDispatch(commands, dispatch.groups[0], dispatch.groups[1], dispatch.groups[2]);
        }
    }

    /// Records fills, updates, copies, blits and clears.
    void run_transfer(VkCommandBuffer commands, const List::Command::Work& work, std::uint32_t turn) const {
        const auto buffer_of = [&](const List::BufferRange& range) { return place_of(range.resource, turn).buffer; };
        const auto image_of = [&](const List::ImageTarget& target) { return place_of(target.resource, turn).image; };
        const auto corner = [](const VkExtent3D& extent) {
            return VkOffset3D{static_cast<std::int32_t>(extent.width), static_cast<std::int32_t>(extent.height),
                              static_cast<std::int32_t>(extent.depth)};
        };
        if (const auto* fill = std::get_if<List::Fill>(&work)) {
            vk_.vkCmdFillBuffer(commands, buffer_of(fill->range), offset_of(fill->range, turn), fill->range.bytes,
                                fill->value);
        } else if (const auto* update = std::get_if<List::Update>(&work)) {
            vk_.vkCmdUpdateBuffer(commands, buffer_of(update->range), offset_of(update->range, turn),
                                  update->range.bytes, list_.data[update->data].words.data());
        } else if (const auto* copy = std::get_if<List::CopyBuffer>(&work)) {
            const VkBufferCopy region{offset_of(copy->source, turn), offset_of(copy->destination, turn),
                                      copy->source.bytes};
            vk_.vkCmdCopyBuffer(commands, buffer_of(copy->source), buffer_of(copy->destination), 1, &region);
        } else if (const auto* read = std::get_if<List::CopyImageToBuffer>(&work)) {
            const VkBufferImageCopy region{
                offset_of(read->destination, turn), 0, 0, read->source.layers, {}, read->source.extent};
            vk_.vkCmdCopyImageToBuffer(commands, image_of(read->source), read->source.layout,
                                       buffer_of(read->destination), 1, &region);
        } else if (const auto* write = std::get_if<List::CopyBufferToImage>(&work)) {
            const VkBufferImageCopy region{offset_of(write->source, turn), 0,  0,
                                           write->destination.layers,      {}, write->destination.extent};
            vk_.vkCmdCopyBufferToImage(commands, buffer_of(write->source), image_of(write->destination),
                                       write->destination.layout, 1, &region);
        } else if (const auto* both = std::get_if<List::CopyImage>(&work)) {
            const VkImageCopy region{both->source.layers, {}, both->destination.layers, {}, both->source.extent};
            vk_.vkCmdCopyImage(commands, image_of(both->source), both->source.layout, image_of(both->destination),
                               both->destination.layout, 1, &region);
        } else if (const auto* blit = std::get_if<List::BlitImage>(&work)) {
            const VkImageBlit region{blit->source.layers,
                                     {{}, corner(blit->source.extent)},
                                     blit->destination.layers,
                                     {{}, corner(blit->destination.extent)}};
            vk_.vkCmdBlitImage(commands, image_of(blit->source), blit->source.layout, image_of(blit->destination),
                               blit->destination.layout, 1, &region, blit->filter);
        } else if (const auto* clear = std::get_if<List::ClearImage>(&work)) {
            const VkImageSubresourceLayers& layers = clear->target.layers;
            const VkImageSubresourceRange range{layers.aspectMask, layers.mipLevel, 1, layers.baseArrayLayer,
                                                layers.layerCount};
            if (range.aspectMask == VK_IMAGE_ASPECT_COLOR_BIT) {
                vk_.vkCmdClearColorImage(commands, image_of(clear->target), clear->target.layout, &clear->value.color,
                                         1, &range);
            } else {
                vk_.vkCmdClearDepthStencilImage(commands, image_of(clear->target), clear->target.layout,
                                                &clear->value.depthStencil, 1, &range);
            }
        }
    }

    /// Clears a color image of a history, and leaves it in `layout`.
    void clear_image(VkCommandBuffer commands, VkImage image, VkImageLayout layout) const {
        VkImageMemoryBarrier2 barrier{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
        barrier.srcStageMask = barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_TRANSFER_BIT;
        barrier.dstAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
        barrier.newLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
        barrier.srcQueueFamilyIndex = barrier.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
        barrier.image = image;
        barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, VK_REMAINING_MIP_LEVELS, 0,
                                    VK_REMAINING_ARRAY_LAYERS};
        VkDependencyInfo info{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
        info.imageMemoryBarrierCount = 1;
        info.pImageMemoryBarriers = &barrier;
        vk_.vkCmdPipelineBarrier2(commands, &info);
        const VkClearColorValue zero{};
        vk_.vkCmdClearColorImage(commands, image, barrier.newLayout, &zero, 1, &barrier.subresourceRange);
        barrier.srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
        barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        barrier.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
        barrier.oldLayout = std::exchange(barrier.newLayout, layout);
        vk_.vkCmdPipelineBarrier2(commands, &info);
    }

    VkDevice device_;
    const VolkDeviceTable& vk_;
    VkPhysicalDeviceMemoryProperties memory_types_;
    List list_;
    std::function<void(VkResult)> check_;
    std::vector<Place> places_; ///< per resource
    std::vector<VkDeviceMemory> memory_;
    std::vector<VkBuffer> buffers_; ///< per allocation
    std::vector<VkImage> images_;
    std::vector<VkImageView> views_;
    std::vector<Kernel> kernels_; ///< per pipeline
    VkDescriptorPool pool_ = VK_NULL_HANDLE;
    std::vector<VkDescriptorSet> sets_[2]; ///< per command
    std::uint32_t executions_ = 0;
};
