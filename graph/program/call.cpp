#include <weir/graph/call.hpp>

#include <algorithm>
#include <utility>

#include "engine/base/propagate.hpp"
#include "engine/base/strings.hpp"

namespace weir {

namespace {

constexpr std::uint64_t word_bytes = 4;

Error refused(const std::string& name, const std::string& why) {
    return {ErrorCode::invalid_argument, concat("call '", name, "': ", why)};
}

} // namespace

CallBuilder::CallBuilder(Graph& graph, const CallOptions& options)
    : graph_(&graph), max_count_(options.max_count), has_barriers_(!options.application_barriers) {
    if (options.count_on_gpu) {
        word_ = graph.import_buffer<std::uint32_t>("count", 1, {}, arrives());
        count_ = graph.count_in(word_, 0, max_count_);
    } else {
        count_ = graph.parameter("count", max_count_);
    }
}

void CallBuilder::add(BufferId buffer, std::uint64_t element_bytes, std::uint64_t fixed_bytes) {
    const std::string& name = graph_->description().resources[buffer.index].name;
    uses_.push_back({buffer, name, element_bytes, fixed_bytes});
    if (!word_.valid()) {
        graph_->allow_smaller(buffer);
    }
    if (has_barriers_) {
        graph_->export_buffer(buffer);
    }
}

Call::Call(Program program, CallBuilder builder, std::string name)
    : program_(std::move(program)), builder_(std::move(builder)), name_(std::move(name)) {}

Result<Call> Call::create(const Context& context, const CallOptions& options,
                          const std::function<void(CallBuilder&)>& build) {
    const std::string name = options.name.empty() ? "call" : options.name;
    if (options.max_count == 0) {
        return tl::unexpected(refused(name, "max_count is 0"));
    }
    Graph graph(context);
    CallBuilder builder(graph, options);
    build(builder);
    auto program = compile(context, graph, {.frames_in_flight = options.max_pending, .name = name});
    WEIR_PROPAGATE(program);
    builder.graph_ = nullptr;
    return Call(std::move(*program), std::move(builder), name);
}

Result<> Call::record(VkCommandBuffer commands, const CallCount& count, std::span<const BufferView> buffers) {
    const bool is_on_gpu = builder_.word_.valid();
    if (is_on_gpu != (count.word.buffer != VK_NULL_HANDLE)) {
        return tl::unexpected(refused(name_, is_on_gpu
                                                 ? "the count must be a buffer, because count_on_gpu is set"
                                                 : "the count must be a number, because count_on_gpu is not set"));
    }
    if (count.count > builder_.max_count_) {
        return tl::unexpected(refused(name_, concat(count.count, " elements; max_count is ", builder_.max_count_)));
    }
    if (buffers.size() != builder_.uses_.size()) {
        return tl::unexpected(refused(name_, concat(buffers.size(), " buffers; the call has ", builder_.uses_.size())));
    }
    if (is_on_gpu) {
        WEIR_PROPAGATE(program_.bind(builder_.word_, count.word));
    } else {
        WEIR_PROPAGATE(program_.set(builder_.count_, count.count));
    }
    const std::uint64_t elements = is_on_gpu ? builder_.max_count_ : std::max(count.count, 1U);
    for (std::size_t i = 0; i < buffers.size(); ++i) {
        const detail::CallBuffer& use = builder_.uses_[i];
        const std::uint64_t needed = use.element_bytes * elements + use.fixed_bytes;
        BufferView view = buffers[i];
        const std::uint64_t bound = (needed + word_bytes - 1) / word_bytes * word_bytes;
        if (view.size < bound) {
            return tl::unexpected(refused(name_, concat("buffer '", use.name, "' has ", view.size, " bytes; ", needed,
                                                        " are required for ", elements, " elements")));
        }
        view.size = bound;
        WEIR_PROPAGATE(program_.bind(use.id, view));
    }
    const bool has_results =
        std::ranges::any_of(builder_.uses_, [](const auto& use) { return use.element_bytes == 0; });
    if (!is_on_gpu && count.count == 0 && !has_results) {
        return {};
    }
    return program_.record(commands);
}

} // namespace weir
