#include "culling/frames.hpp"

#include <cstdio>
#include <cstring>
#include <utility>

#include "common/propagate.hpp"
#include "common/stopwatch.hpp"

namespace samples::culling {

using weir::Result;

std::string to_text(const Report& counts) {
    const auto sum = [](const uint(&parts)[3]) { return parts[0] + parts[1] + parts[2]; };
    char line[160];
    std::snprintf(line, sizeof(line),
                  "%u instances in the view, %u drawn (%u late, %u transparent), %u commands, %u triangles",
                  counts.inside, sum(counts.instances), counts.instances[1], counts.instances[2], sum(counts.draws),
                  sum(counts.triangles));
    return line;
}

Result<std::unique_ptr<Frames>> Frames::create(const weir::Context& gpu, DrawFeatures features, Scene scene,
                                               const FrameOptions& options) {
    std::unique_ptr<Frames> made(new Frames(gpu, std::move(scene), options));
    auto pipelines = Pipelines::create(gpu, features);
    SAMPLES_PROPAGATE(pipelines);
    made->pipelines_ = std::move(*pipelines);
    const auto done =
        made->upload_scene().and_then([&] { return made->create_slots(); }).and_then([&] { return made->build(); });
    SAMPLES_PROPAGATE(done);
    return made;
}

Frames::~Frames() {
    vk_.vkDeviceWaitIdle(gpu_.device());
    for (const Slot& slot : slots_) {
        vk_.vkDestroyFence(gpu_.device(), slot.fence, nullptr);
        vk_.vkDestroyCommandPool(gpu_.device(), slot.pool, nullptr);
    }
}

Result<> Frames::upload_scene() {
    const auto upload = [&](weir::Buffer& buffer, std::span<const std::byte> bytes, VkBufferUsageFlags usage) {
        constexpr std::size_t least = sizeof(Instance); // minimum size, for a scene without instances
        return gpu_.create_buffer(std::max(bytes.size(), least), {.usage = usage})
            .and_then([&](weir::Buffer made) -> Result<> {
                buffer = std::move(made);
                return bytes.empty() ? Result<>() : gpu_.upload(buffer, bytes);
            });
    };
    const Meshes& meshes = scene_.meshes;
    return upload(instances_, weir::bytes_of(scene_.instances), 0)
        .and_then([&] { return upload(meshes_, weir::bytes_of(meshes.meshes), 0); })
        .and_then([&] { return upload(vertices_, weir::bytes_of(meshes.vertices), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT); })
        .and_then([&] { return upload(indices_, weir::bytes_of(meshes.indices), VK_BUFFER_USAGE_INDEX_BUFFER_BIT); });
}

Result<> Frames::create_slots() {
    for (Slot& slot : slots_) {
        VkCommandPoolCreateInfo pool{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
        pool.queueFamilyIndex = gpu_.queue_family();
        VkCommandBufferAllocateInfo allocate{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
        allocate.commandBufferCount = 1;
        const VkFenceCreateInfo fence{VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
        auto done =
            checked(vk_.vkCreateCommandPool(gpu_.device(), &pool, nullptr, &slot.pool), "making a command pool");
        done = done.and_then([&] {
            allocate.commandPool = slot.pool;
            return checked(vk_.vkAllocateCommandBuffers(gpu_.device(), &allocate, &slot.commands),
                           "making a command buffer");
        });
        done = done.and_then(
            [&] { return checked(vk_.vkCreateFence(gpu_.device(), &fence, nullptr, &slot.fence), "making a fence"); });
        done = done.and_then([&] { return gpu_.create_buffer(sizeof(Report), weir::MemoryKind::download); })
                   .map([&](weir::Buffer made) { slot.report = std::move(made); });
        SAMPLES_PROPAGATE(done);
    }
    return {};
}

/// Compiles the program for the current size.
Result<> Frames::build() {
    const FrameShape shape{.width = options_.width,
                           .height = options_.height,
                           .instances = static_cast<std::uint32_t>(scene_.instances.size()),
                           .transparent = scene_.transparent,
                           .vertices = static_cast<std::uint32_t>(scene_.meshes.vertices.size()),
                           .indices = static_cast<std::uint32_t>(scene_.meshes.indices.size()),
                           .is_inspected = options_.is_inspected,
                           .image = options_.image};
    auto graph = make_frame_graph(gpu_, pipelines_, shape);
    SAMPLES_PROPAGATE(graph);
    auto program = program_ ? program_->resized((*graph)->graph)
                            : weir::compile(gpu_, (*graph)->graph, {.frames_in_flight = in_flight});
    SAMPLES_PROPAGATE(program);
    graph_ = std::move(*graph);
    program_ = std::move(*program);
    for (Slot& slot : slots_) {
        if (!options_.image) {
            auto picture = gpu_.create_buffer(VkDeviceSize{4} * options_.width * options_.height);
            SAMPLES_PROPAGATE(picture);
            slot.picture = std::move(*picture);
        }
        if (options_.times && gpu_.capabilities().timestamp_bits != 0) {
            SAMPLES_PROPAGATE(program_->reserve(slot.timestamps));
        }
    }
    const std::pair<weir::BufferId, const weir::Buffer*> imports[] = {{graph_->instances, &instances_},
                                                                      {graph_->meshes, &meshes_},
                                                                      {graph_->vertices, &vertices_},
                                                                      {graph_->indices, &indices_}};
    for (const auto& [import, buffer] : imports) {
        SAMPLES_PROPAGATE(program_->bind(import, *buffer));
    }
    return {};
}

Result<> Frames::resize(std::uint32_t width, std::uint32_t height) {
    options_.width = width;
    options_.height = height;
    return wait().and_then([&] { return build(); });
}

/// Waits for the frame of a slot and reads its results.
Result<> Frames::finish(Slot& slot) {
    if (!slot.pending || options_.image) { // the application waits for the frames it submits
        return read(slot);
    }
    return checked(vk_.vkWaitForFences(gpu_.device(), 1, &slot.fence, VK_TRUE, UINT64_MAX), "waiting for a frame")
        .and_then([&] { return checked(vk_.vkResetFences(gpu_.device(), 1, &slot.fence), "resetting a fence"); })
        .and_then([&] { return read(slot); });
}

/// Reads the results of a slot's frame, which must be complete.
Result<> Frames::read(Slot& slot) {
    if (!slot.pending) {
        return {};
    }
    done_.emplace();
    done_->frame = *slot.pending;
    slot.pending.reset();
    std::memcpy(&done_->counts, slot.report.mapped(), sizeof(Report));
    if (slot.timestamps) {
        auto times = program_->profile(*slot.timestamps);
        SAMPLES_PROPAGATE(times);
        done_->times = std::move(*times);
    }
    return {};
}

Result<> Frames::wait() {
    for (std::uint64_t i = 0; i < in_flight; ++i) {
        SAMPLES_PROPAGATE(finish(slots_[(frame_ + i) % in_flight]));
    }
    return {};
}

void Frames::look(const Camera& camera, const Switches& switches) {
    view_ =
        view_of(camera, options_.width, options_.height, switches, static_cast<std::uint32_t>(scene_.instances.size()));
}

Result<> Frames::bind(const Slot& slot, weir::ImageView picture) {
    return (options_.image ? program_->bind(graph_->image, picture) : program_->bind(graph_->picture, slot.picture))
        .and_then([&] { return program_->bind(graph_->report, slot.report); })
        .and_then([&] { return program_->set(graph_->view, view_); })
        .and_then([&] { return program_->set(graph_->occlusion, (view_.switches & cull_occluded) != 0); });
}

Result<> Frames::record_into(VkCommandBuffer commands, const Slot& slot) {
    return slot.timestamps ? program_->record(commands, *slot.timestamps) : program_->record(commands);
}

/// Records the frame as the only content of the slot's command buffer.
Result<> Frames::record_alone(const Slot& slot) {
    VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    return checked(vk_.vkResetCommandPool(gpu_.device(), slot.pool, 0), "resetting a command pool")
        .and_then([&] { return checked(vk_.vkBeginCommandBuffer(slot.commands, &begin), "beginning commands"); })
        .and_then([&] { return record_into(slot.commands, slot); })
        .and_then([&] { return checked(vk_.vkEndCommandBuffer(slot.commands), "ending commands"); });
}

Result<> Frames::draw(const Camera& camera, const Switches& switches) {
    Slot& slot = slots_[frame_ % in_flight];
    look(camera, switches);
    SAMPLES_PROPAGATE(finish(slot));
    const Stopwatch watch;
    VkSubmitInfo submit{VK_STRUCTURE_TYPE_SUBMIT_INFO};
    submit.commandBufferCount = 1;
    submit.pCommandBuffers = &slot.commands;
    auto done = bind(slot).and_then([&] { return record_alone(slot); }).and_then([&] {
        return checked(vk_.vkQueueSubmit(gpu_.queue(), 1, &submit, slot.fence), "submitting a frame");
    });
    cpu_ms_ = watch.ms();
    if (done) {
        slot.pending = frame_++;
    }
    return done;
}

Result<> Frames::record(VkCommandBuffer commands, const Camera& camera, const Switches& switches,
                        weir::ImageView picture) {
    Slot& slot = slots_[frame_ % in_flight];
    look(camera, switches);
    SAMPLES_PROPAGATE(read(slot));
    const Stopwatch watch;
    auto done = bind(slot, picture).and_then([&] { return record_into(commands, slot); });
    cpu_ms_ = watch.ms();
    if (done) {
        slot.pending = frame_++;
    }
    return done;
}

Result<std::vector<std::uint32_t>> Frames::picture() const {
    const Slot& slot = slots_[(frame_ + in_flight - 1) % in_flight];
    return gpu_.download<std::uint32_t>(slot.picture, std::size_t{options_.width} * options_.height);
}

} // namespace samples::culling
