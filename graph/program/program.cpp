#include <weir/graph/program.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"
#include "engine/memory/deferred_destroy.hpp"
#include "engine/pipeline/pipelines.hpp"
#include "graph/plan/import_barriers.hpp"
#include "graph/plan/resources.hpp"
#include "graph/program/recorder.hpp"

namespace weir {

namespace {

using Lifetime = GraphDescription::Lifetime;

} // namespace

Program::Program(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Program::Program(Program&&) noexcept = default;
Program& Program::operator=(Program&&) noexcept = default;
Program::~Program() = default;

Result<> Program::retire(std::vector<TimelinePoint> until) && {
    DeferredDestroy& retired = ContextAccess::retired(impl_->context);
    WEIR_PROPAGATE(retired.check(until));
    if (impl_->frames != nullptr) {
        impl_->frames->add_pending(until);
    }
    // The retired objects must not include the context, which keeps them.
    retired.add(std::make_shared<Impl::DeviceObjects>(std::move(*impl_)), std::move(until));
    impl_.reset();
    return {};
}

const Plan& Program::plan() const {
    return impl_->plan;
}

const GraphDescription& Program::description() const {
    return impl_->graph;
}

std::uint64_t Program::memory() const {
    return impl_->plan.memory.bytes() + impl_->resources.memory();
}

DescriptorMode Program::descriptors() const {
    return impl_->mode;
}

BufferView Program::view(BufferId buffer) const {
    if (buffer.graph != impl_->graph.identity.get() || buffer.index >= impl_->graph.resources.size()) {
        return {};
    }
    const auto& node = impl_->graph.resources[buffer.index];
    return leaves(impl_->graph, buffer.index) || node.lifetime == Lifetime::import
               ? impl_->resources.views[buffer.index]
               : BufferView{};
}

ImageView Program::view(ImageId image) const {
    if (image.graph != impl_->graph.identity.get() || image.index >= impl_->graph.resources.size()) {
        return {};
    }
    const auto& node = impl_->graph.resources[image.index];
    return leaves(impl_->graph, image.index) || node.lifetime == Lifetime::import ? impl_->resources.images[image.index]
                                                                                  : ImageView{};
}

Program::Impl::Impl(const Context& on) : context(on), device(*ContextAccess::device(on)), resources(device) {}
Program::Impl::~Impl() = default;

Result<> Program::Impl::check_closed(const char* what) const {
    if (parts.empty()) {
        return {};
    }
    return tl::unexpected(
        Error{ErrorCode::invalid_argument, concat(what, ": a recording in parts is open; end it first")});
}

Result<> Program::Impl::check(const char* what, const void* of) const {
    WEIR_PROPAGATE(check_closed(what));
    if (of == nullptr || of == graph.identity.get()) {
        return {};
    }
    return tl::unexpected(Error{ErrorCode::invalid_argument, concat(what, " is of another graph than the program")});
}

Result<> Program::bind(BufferId import, BufferView view) {
    const auto& graph = impl_->graph;
    WEIR_PROPAGATE(impl_->check("bind: the buffer", import.graph));
    if (import.index >= graph.resources.size() || graph.resources[import.index].lifetime != Lifetime::import ||
        graph.resources[import.index].image) {
        return tl::unexpected(
            Error{ErrorCode::invalid_argument, "bind: the buffer is not an import of this program's graph"});
    }
    const auto& node = graph.resources[import.index];
    const auto refuse = [&](ErrorCode code, const std::string& why) {
        return tl::unexpected(Error{code, "bind '" + node.name + "': " + why});
    };
    if (node.part_of != ResourceId::none) {
        return refuse(ErrorCode::invalid_argument,
                      "it is a part; bind its buffer, '" + graph.resources[node.part_of].name + "'");
    }
    if (view.buffer == VK_NULL_HANDLE) {
        return refuse(ErrorCode::invalid_argument, "the buffer is null");
    }
    if (view.size < node.bytes && !node.can_be_smaller) {
        return refuse(ErrorCode::invalid_argument,
                      std::to_string(view.size) + " bytes; the graph requires " + std::to_string(node.bytes));
    }
    const std::uint32_t of_uniforms = impl_->is_uniform[import.index] ? graph.capabilities.uniform_offset_alignment : 1;
    for (const std::uint32_t alignment : {graph.capabilities.storage_offset_alignment, of_uniforms}) {
        if (view.offset % alignment != 0) {
            return refuse(ErrorCode::invalid_argument,
                          concat("offset ", view.offset, " is not a multiple of ", alignment));
        }
    }
    // Also for an equal handle: the handle of a destroyed buffer may be that of a new one.
    impl_->resources.bind(import.index, BufferView{view.buffer, view.offset, std::min(view.size, node.bytes)});
    impl_->rebound = true;
    return {};
}

Result<> Program::bind(ImageId import, ImageView view) {
    const auto& graph = impl_->graph;
    const auto refuse = [](const std::string& why) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, "bind" + why});
    };
    WEIR_PROPAGATE(impl_->check("bind: the image", import.graph));
    if (import.index >= graph.resources.size() || graph.resources[import.index].lifetime != Lifetime::import ||
        !graph.resources[import.index].image) {
        return refuse(": the image is not an import of this program's graph");
    }
    const std::string& name = graph.resources[import.index].name;
    if (view.image == VK_NULL_HANDLE) {
        return refuse(" '" + name + "': the image is null");
    }
    if (view.view == VK_NULL_HANDLE && impl_->needs_view[import.index]) {
        return refuse(" '" + name + "': the view is null, but a pass binds it");
    }
    if (const std::uint32_t whole = root_of(graph, import.index);
        whole != import.index && impl_->resources.images[whole].image != view.image) {
        return refuse(" '" + name + "': the view is not of the image that is bound to '" + graph.resources[whole].name +
                      "'; bind that image first");
    }
    impl_->resources.bind(graph, import.index, view);
    impl_->arrivals[import.index] = {};
    impl_->rebound = true;
    return {};
}

Result<> Program::bind(ImageId import, ImageView view, Access arrives) {
    const GraphDescription& graph = impl_->graph;
    const bool is_known = import.graph == graph.identity.get() && import.index < graph.resources.size();
    if (const auto* node = is_known ? &graph.resources[import.index] : nullptr; node != nullptr && node->image) {
        const auto refuse = [&](ErrorCode code, const std::string& why) {
            return tl::unexpected(Error{code, concat("bind '", node->name, "': ", why)});
        };
        if (arrives > Access::any || !is_for_images(arrives)) {
            return refuse(ErrorCode::invalid_argument,
                          concat("it arrives for ", to_string(arrives), ", which is not an access of images"));
        }
        if (node->part_of != ResourceId::none) {
            return refuse(ErrorCode::invalid_argument, "it is a part; set how its image arrives instead");
        }
        if (node->arrives.empty() && arrives != Access::none) {
            return refuse(ErrorCode::invalid_argument, concat("it arrives for ", to_string(arrives),
                                                              "; the graph declares that it arrives without contents"));
        }
        if (!can_arrive_otherwise(graph, {graph.capabilities, impl_->options.one_queue}, impl_->plan, import.index)) {
            return refuse(ErrorCode::unsupported,
                          "it must arrive for the declared access, because passes on several queues use it");
        }
    }
    return bind(import, view).map([&] {
        if (!graph.resources[import.index].arrives.empty()) {
            impl_->arrivals[import.index] = {arrives, 0};
        }
    });
}

Result<> Program::bind(DescriptorSetId import, VkDescriptorSet set) {
    WEIR_PROPAGATE(impl_->check("bind: the descriptor set", import.graph));
    if (import.index >= impl_->sets.size()) {
        return tl::unexpected(
            Error{ErrorCode::invalid_argument, "bind: the descriptor set is not an import of this program's graph"});
    }
    if (set == VK_NULL_HANDLE) {
        return tl::unexpected(Error{ErrorCode::invalid_argument,
                                    "bind '" + impl_->graph.sets[import.index].name + "': the descriptor set is null"});
    }
    impl_->sets[import.index] = set;
    return {};
}

Result<> Program::set(const Count& parameter, std::uint32_t value) {
    if (parameter.kind == Count::Kind::parameter) {
        WEIR_PROPAGATE(impl_->check("set: the parameter", parameter.buffer.graph));
    }
    if (parameter.kind != Count::Kind::parameter || parameter.parameter >= impl_->parameters.size()) {
        return tl::unexpected(
            Error{ErrorCode::invalid_argument, "set: the count is not a parameter of this program's graph"});
    }
    const auto& node = impl_->graph.parameters[parameter.parameter];
    if (value > node.max) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, "set '" + node.name + "': " + std::to_string(value) +
                                                                     " exceeds its maximum of " +
                                                                     std::to_string(node.max)});
    }
    impl_->parameters[parameter.parameter] = value;
    return {};
}

Result<> Program::set(HostData data, std::span<const std::byte> bytes) {
    WEIR_PROPAGATE(impl_->check("set: the data", data.graph));
    if (data.index >= impl_->data.size()) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, "set: the data is not of this program's graph"});
    }
    std::vector<std::uint32_t>& words = impl_->data[data.index];
    if (bytes.size() != words.size() * 4) {
        return tl::unexpected(
            Error{ErrorCode::invalid_argument, concat("set '", impl_->graph.data[data.index].name, "': ", bytes.size(),
                                                      " bytes; the data has ", words.size() * 4)});
    }
    std::memcpy(words.data(), bytes.data(), bytes.size());
    return {};
}

Result<> Program::set(Switch which, bool on) {
    WEIR_PROPAGATE(impl_->check("set: the switch", which.graph));
    if (which.index >= impl_->switches.size()) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, "set: the switch is not of this program's graph"});
    }
    impl_->switches[which.index] = on;
    return {};
}

Result<RecordingInParts> Program::begin_recording(std::uint32_t parts) {
    WEIR_PROPAGATE(impl_->begin_parts(parts));
    return RecordingInParts(*impl_);
}

RecordingInParts::RecordingInParts(RecordingInParts&& other) noexcept
    : program_(std::exchange(other.program_, nullptr)) {}
RecordingInParts& RecordingInParts::operator=(RecordingInParts&& other) noexcept {
    std::swap(program_, other.program_);
    return *this;
}
RecordingInParts::~RecordingInParts() {
    if (program_ != nullptr) {
        static_cast<void>(program_->end_parts());
    }
}
std::span<const RecordingPart> RecordingInParts::parts() const {
    return program_ != nullptr ? std::span<const RecordingPart>(program_->parts) : std::span<const RecordingPart>();
}
Result<> RecordingInParts::record(std::size_t part, VkCommandBuffer commands) {
    if (part >= parts().size()) {
        return tl::unexpected(
            Error{ErrorCode::invalid_argument, concat("record: part ", part, " of ", parts().size(), " parts")});
    }
    return program_->record_part(part, commands);
}
Result<> RecordingInParts::end() {
    if (program_ == nullptr) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, "end: the recording has already ended"});
    }
    return std::exchange(program_, nullptr)->end_parts();
}

Result<> Program::record(VkCommandBuffer commands) {
    return impl_->record({&commands, 1}, nullptr);
}

Result<> Program::record(std::span<const VkCommandBuffer> commands) {
    return impl_->record(commands, nullptr);
}

Result<> Program::record(VkCommandBuffer commands, const Timestamps& timestamps) {
    return record({&commands, 1}, timestamps);
}

Result<> Program::record(std::span<const VkCommandBuffer> commands, const Timestamps& timestamps) {
    if (timestamps.count() < impl_->timestamps_needed()) {
        return tl::unexpected(
            Error{ErrorCode::invalid_argument, concat("record: ", timestamps.count(),
                                                      " timestamps; the passes require ", impl_->timestamps_needed())});
    }
    return impl_->record(commands, &timestamps);
}

Result<> Program::reserve(std::optional<Timestamps>& timestamps) const {
    const std::uint32_t needed = impl_->timestamps_needed();
    if (timestamps && timestamps->count() >= needed) {
        return {};
    }
    auto created = Timestamps::create(impl_->context, needed);
    WEIR_PROPAGATE(created);
    timestamps = std::move(*created);
    return {};
}

Result<Profile> Program::profile(const Timestamps& timestamps) const {
    const auto times = timestamps.read(impl_->timestamps_needed());
    WEIR_PROPAGATE(times);
    Profile profile{.graph = impl_->plan.graph};
    if (impl_->device.pipelines().options().statistics) {
        for (const auto& pipeline : impl_->pipelines) {
            profile.statistics.push_back(pipeline != nullptr ? pipeline->statistics() : std::string());
        }
    }
    std::uint32_t slot = 0;
    for (const PlanBatch& batch : impl_->plan.batches) {
        if (!impl_->has_times(batch)) {
            continue;
        }
        for (const std::uint32_t group : batch.groups) {
            for (const std::uint32_t pass : impl_->plan.groups[group].passes) {
                profile.passes.push_back({pass, group, (*times)[slot] * 1e-3, (*times)[slot + 1] * 1e-3, batch.queue});
                ++slot;
            }
        }
        ++slot;
    }
    return profile;
}

Result<Profile> Program::profile() {
    const auto timestamps = Timestamps::create(impl_->context, impl_->timestamps_needed());
    WEIR_PROPAGATE(timestamps);
    const bool has_several = impl_->plan.batches.size() > 1;
    const auto record_with_times = [&](VkCommandBuffer commands) { return record(commands, *timestamps); };
    auto submitted = has_several ? impl_->submit({}, &*timestamps) : impl_->run(record_with_times);
    if (has_several) { // also if the submission failed: accepted batches use the timestamps
        const auto waited = wait();
        submitted = submitted ? waited : submitted;
    }
    WEIR_PROPAGATE(submitted);
    return profile(*timestamps);
}

Result<> Program::Impl::start_frames() {
    if (frames != nullptr) {
        return {};
    }
    auto made = FramesInFlight::create(ContextAccess::device(context), plan, copies.frames, resources.must_be_cleared(),
                                       options.name);
    WEIR_PROPAGATE(made);
    frames = std::move(*made);
    return {};
}

Result<std::span<const BatchSubmission>> Program::next_submission() {
    WEIR_PROPAGATE(impl_->start_frames());
    auto submission = impl_->frames->next();
    if (submission && impl_->undoable > 0) {
        ++impl_->latest[(impl_->recorded - 1) % impl_->latest.size()].executions;
    }
    return submission;
}

void Program::next_frame() {
    impl_->copies.begins_frame = true;
}

Result<> Program::discard() {
    WEIR_PROPAGATE(impl_->check_closed("discard"));
    return impl_->discard();
}

Result<> Program::Impl::submit(const SubmitOptions& options, const Timestamps* times) {
    WEIR_PROPAGATE(start_frames());
    const auto commands =
        copies.recordings == 1 ? frames->begin() : frames->begin(copies.frame + (copies.begins_frame ? 1 : 0));
    WEIR_PROPAGATE(commands);
    WEIR_PROPAGATE(record(*commands, times));
    auto submitted = frames->submit(options);
    settle(recorded - 1, submitted || frames->has_failed());
    return submitted;
}

/// Records with `record_all`, submits and waits.
Result<> Program::Impl::run(const std::function<Result<>(VkCommandBuffer)>& record_all) {
    const std::uint64_t before = recorded;
    bool submitted = false;
    auto done = device.submissions().run(record_all, &submitted);
    settle(before, submitted);
    return done;
}

Result<> Program::submit(const SubmitOptions& options) {
    return impl_->submit(options, nullptr);
}

Result<> Program::wait() {
    return impl_->frames != nullptr ? impl_->frames->wait() : Result<>();
}

Result<RunReport> Program::run() {
    Impl& impl = *impl_;
    if (impl.plan.batches.size() > 1) {
        return submit().and_then([&] { return wait(); }).map([] { return RunReport(); });
    }
    const bool timed = impl.graph.capabilities.timestamp_bits > 0;
    if (timed && !impl.timestamps) {
        auto made = Timestamps::create(impl.context, 2);
        WEIR_PROPAGATE(made);
        impl.timestamps = std::move(*made);
    }
    auto done = impl.run([&](VkCommandBuffer commands) -> Result<> {
        if (timed) {
            impl.timestamps->reset(commands);
            impl.timestamps->write(commands, 0);
        }
        auto recorded = record(commands);
        if (timed) {
            impl.timestamps->write(commands, 1);
        }
        return recorded;
    });
    WEIR_PROPAGATE(done);
    RunReport report;
    if (timed) {
        auto times = impl.timestamps->read(2);
        WEIR_PROPAGATE(times);
        report.gpu_ms = ((*times)[1] - (*times)[0]) * 1e-6;
    }
    return report;
}

} // namespace weir
