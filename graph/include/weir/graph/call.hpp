#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include <weir/graph/graph.hpp>
#include <weir/graph/program.hpp>

namespace weir {

/// Options of a Call.
struct CallOptions {
    /// Maximum number of elements of a recording. It determines the scratch memory and the kernel shapes.
    std::uint32_t max_count = 0;
    /// Maximum number of recordings that may be pending on the GPU, 1 to 1024. One more overwrites descriptors in use.
    std::uint32_t max_pending = 16;
    /// True: the number of elements is a word of a buffer, which the GPU reads. All bound buffers then need room for
    /// `max_count` elements.
    bool count_on_gpu = false;
    /// True: the application adds the barriers for the bound buffers, before and after the recording: the call reads
    /// and writes them in compute shaders and in transfers. False: a recording waits for all earlier commands that
    /// access these buffers, and later commands of any kind see its results.
    bool application_barriers = false;
    std::string name = {}; ///< name in errors and debuggers; empty: the name of the function that creates the call
};

/// Number of elements of one recording: a number, or a word of a buffer.
struct CallCount {
    /// The number of elements.
    constexpr CallCount(std::uint32_t the_count) : count(the_count) {} // NOLINT(google-explicit-constructor)
    /// The word at the start of the view, for CallOptions::count_on_gpu. The offset must be a multiple of
    /// Capabilities::storage_offset_alignment. Values greater than CallOptions::max_count count as `max_count`.
    constexpr CallCount(const BufferView& the_word) : word(the_word) {} // NOLINT(google-explicit-constructor)

    std::uint32_t count = 0; ///< number of elements, if `word` is empty
    BufferView word;         ///< buffer with the number
};

namespace detail {

struct CallBuffer {
    BufferId id;
    std::string name;
    std::uint64_t element_bytes = 0; ///< 0: the size is fixed
    std::uint64_t fixed_bytes = 0;
};

} // namespace detail

/// Declares the buffers of a call while its graph is built: see Call::create.
class WEIR_API CallBuilder {
public:
    /// Adds a buffer of the application with one T per element.
    template <class T>
    BufferRef<T> per_element(std::string name) {
        const auto buffer = graph().import_buffer<T>(std::move(name), max_count_, count_, arrives());
        add(buffer, sizeof(T), 0);
        return buffer;
    }
    /// Adds a buffer of the application with `capacity` elements, whatever the count.
    template <class T>
    BufferRef<T> fixed(std::string name, std::uint32_t capacity) {
        const auto buffer = graph().import_buffer<T>(std::move(name), capacity, {}, arrives());
        add(buffer, 0, std::uint64_t{capacity} * sizeof(T));
        return buffer;
    }

    /// Returns the graph, to which primitives and passes are added.
    [[nodiscard]] Graph& graph() { return *graph_; }
    /// Returns the number of elements of a recording.
    [[nodiscard]] const Count& count() const { return count_; }

private:
    friend class Call;
    CallBuilder(Graph& graph, const CallOptions& options);
    [[nodiscard]] Accesses arrives() const { return has_barriers_ ? Access::any : Access::none; }
    void add(BufferId buffer, std::uint64_t element_bytes, std::uint64_t fixed_bytes);

    Graph* graph_;
    std::uint32_t max_count_;
    bool has_barriers_;
    Count count_;
    BufferRef<std::uint32_t> word_; ///< buffer of a count on the GPU
    std::vector<detail::CallBuffer> uses_;
};

/// A program for one operation, which is recorded with the buffers, offsets and number of elements of the moment. It is
/// compiled when it is created. Recordings allocate nothing and compile nothing. Movable. Not thread-safe.
///
/// <weir/primitives/calls.hpp> creates calls for primitives. Any graph can be a call:
///
///     auto negate = weir::Call::create(gpu, {.max_count = 1 << 20}, [](weir::CallBuilder& call) {
///         const auto numbers = call.per_element<float>("numbers");
///         weir::transform(call.graph(), numbers, "-x", {.output = numbers});
///     });
///     weir::check(negate->record(commands, 1000, {{buffer, offset, size}}));
class WEIR_API Call {
public:
    /// Calls `build`, which declares the buffers and adds passes, and compiles the graph.
    ///
    /// Errors: those of `compile`; `invalid_argument` for a `max_count` of 0.
    [[nodiscard]] static Result<Call> create(const Context& context, const CallOptions& options,
                                             const std::function<void(CallBuilder&)>& build);

    /// Records the operation into `commands`, outside a render pass. `buffers` are those that `build` has declared, in
    /// the same order. They must have room for `count` elements, and for `max_count` elements if the count is on the
    /// GPU, in whole 32-bit words, and for at least one element. Offsets must be multiples of
    /// Capabilities::storage_offset_alignment. Buffers need the usage VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, and those for
    /// transfers. Nothing beyond the count is read or written, except in the last word, and by copies if the count is
    /// on the GPU: see the primitive.
    ///
    /// Recordings may be submitted while others are pending: barriers order them where they use the scratch memory.
    /// Changes the state of the command buffer as `Program::record` does.
    ///
    /// Errors: `invalid_argument` for a count above `max_count`, a number instead of a buffer for a count on the GPU or
    /// the reverse, a different number of buffers, and a buffer that is null, too small, or at an offset that is not a
    /// multiple of the alignment, each with its name; those of `Program::record`.
    [[nodiscard]] Result<> record(VkCommandBuffer commands, const CallCount& count,
                                  std::span<const BufferView> buffers);
    /// Records the operation with the given buffers.
    [[nodiscard]] Result<> record(VkCommandBuffer commands, const CallCount& count,
                                  std::initializer_list<BufferView> buffers) {
        return record(commands, count, std::span(buffers.begin(), buffers.size()));
    }

    /// Returns the program, for its plan, its memory and its profile.
    [[nodiscard]] const Program& program() const { return program_; }
    /// Ends the call while recordings are pending: see Program::retire.
    [[nodiscard]] Result<> retire(std::vector<TimelinePoint> until = {}) && {
        return std::move(program_).retire(std::move(until));
    }

private:
    Call(Program program, CallBuilder builder, std::string name);
    Program program_;
    CallBuilder builder_; ///< its graph is gone
    std::string name_;
};

} // namespace weir
