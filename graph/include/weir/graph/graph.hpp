#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <vulkan/vulkan_core.h>

#include <weir/engine/capabilities.hpp>
#include <weir/engine/error.hpp>
#include <weir/engine/export.hpp>
#include <weir/engine/image.hpp>
#include <weir/graph/access.hpp>
#include <weir/graph/pass.hpp>
#include <weir/graph/resource.hpp>
#include <weir/graph/source_location.hpp>

namespace weir {

class Context;
class InstrumentScope;

/// A scope: passes that are added while it exists run only under a condition; see `Graph::only_if` and `Graph::unless`.
/// In nested scopes, all conditions must hold. Scopes must end in reverse order and before their graph.
class WEIR_API OnlyIf {
public:
    /// Ends the scope.
    ~OnlyIf();
    OnlyIf(const OnlyIf&) = delete;
    OnlyIf& operator=(const OnlyIf&) = delete;

private:
    friend class Graph;
    OnlyIf(struct GraphDescription& graph, std::size_t depth) : graph_(graph), depth_(depth) {}
    GraphDescription& graph_;
    std::size_t depth_; ///< number of open scopes before this one
};

/// A scope: passes that are added while it exists are for one queue; see `Graph::on_queue`. In nested scopes, the
/// innermost one applies. Scopes must end in reverse order and before their graph.
class WEIR_API OnQueue {
public:
    /// Ends the scope.
    ~OnQueue();
    OnQueue(const OnQueue&) = delete;
    OnQueue& operator=(const OnQueue&) = delete;

private:
    friend class Graph;
    OnQueue(struct GraphDescription& graph, QueueKind before) : graph_(graph), before_(before) {}
    GraphDescription& graph_;
    QueueKind before_;
};

/// Queues on which an import arrives and an export leaves.
struct ImportQueues {
    QueueKind arrives = QueueKind::main; ///< queue of the application's last use before an execution
    QueueKind leaves = QueueKind::main;  ///< queue of the application's next use after an execution
    /// True if the resource was created with VK_SHARING_MODE_CONCURRENT for all queue families that the program uses.
    /// If false, one family owns it at a time. Ownership is transferred if passes on another family use it, even only
    /// to read, and back at the end.
    bool concurrent = false;
};

/// Options of Graph::export_buffer and Graph::export_image.
struct ExportOptions {
    /// True: the transient has a separate copy for each recording that may be pending, CompileOptions::frames_in_flight
    /// times recordings_per_frame copies in all. The next frame writes another copy, so it need not wait for the
    /// application's reads of this one.
    ///
    /// `Program::view` returns the copy of the latest recording. A copy is reused frames_in_flight frames later; by
    /// then the application must have finished with it. Each recording takes a descriptor table, and must not be
    /// submitted again while it is pending.
    bool per_frame = false;
};

/// Connects an import of a graph with a resource of the graph to which the graph is added.
struct Connection {
    ResourceId inner = {}; ///< import of the inner graph
    ResourceId outer = {}; ///< buffer with at least as many bytes, or image with the same ImageInfo
};

/// Translates handles of a graph to handles of the graph to which it was added: buffers, images, counts, switches, data
/// and descriptor sets. Handles of other graphs give invalid handles.
class WEIR_API Subgraph {
public:
    /// Returns the buffer of the outer graph.
    [[nodiscard]] BufferId buffer(BufferId inner) const;
    /// Returns the typed buffer of the outer graph.
    template <class T>
    [[nodiscard]] BufferRef<T> buffer(const BufferRef<T>& inner) const {
        return {buffer(inner.id), inner.capacity, count(inner.count)};
    }
    /// Returns the large buffer of the outer graph.
    template <class T>
    [[nodiscard]] LargeBuffer<T> buffer(const LargeBuffer<T>& inner) const {
        return {buffer(inner.id), inner.capacity};
    }
    /// Returns the image of the outer graph.
    [[nodiscard]] ImageId image(ImageId inner) const;
    /// Returns the count of the outer graph.
    [[nodiscard]] Count count(const Count& inner) const;
    /// Returns the switch of the outer graph.
    [[nodiscard]] Switch flag(Switch inner) const;
    /// Returns the data of the outer graph.
    [[nodiscard]] HostData data(HostData inner) const;
    /// Returns the descriptor set of the outer graph.
    [[nodiscard]] DescriptorSetId set(DescriptorSetId inner) const;

private:
    friend class Graph;
    /// Adds a copy of `inner` to `outer`. Errors: `invalid_graph` for connections that do not match.
    [[nodiscard]] static Result<Subgraph> add(GraphDescription& outer, const GraphDescription& inner,
                                              const std::vector<Connection>& connections, const std::string& prefix);
    void add_pass(GraphDescription& outer, const GraphDescription& inner, std::uint32_t pass, std::string name) const;
    [[nodiscard]] ResourceId resource(ResourceId inner) const;
    std::shared_ptr<const void> inner_; ///< identity of the inner graph
    const void* outer_ = nullptr;
    std::vector<std::uint32_t> resources_;
    std::uint32_t first_parameter_ = 0, first_switch_ = 0, first_data_ = 0, first_set_ = 0;
};

/// A graph of passes over buffers and images: a description, without any Vulkan object. `weir::compile` compiles it.
///
/// A read sees the latest write added before it. If there is none, it sees the write added after it, of which there
/// must be exactly one. The compiler may order passes in any way that preserves this. Passes whose results reach
/// neither an import nor an export are culled.
///
/// Building never fails. The first mistake is kept, and `compile` reports it. The message names the pass, the buffer or
/// image, and the line of the application's source that added it.
class WEIR_API Graph {
public:
    /// Creates an empty graph for devices with these capabilities.
    explicit Graph(const Capabilities& capabilities);
    /// Creates an empty graph for the device of a context.
    explicit Graph(const Context& context);
    /// Takes the contents of another graph.
    Graph(Graph&&) noexcept;
    /// Takes the contents of another graph.
    Graph& operator=(Graph&&) noexcept;
    /// Destroys the graph. Its programs do not need it any more.
    ~Graph();

    /// Returns the capabilities for which the graph is built.
    [[nodiscard]] const Capabilities& capabilities() const;

    /// Adds a buffer of the application, bound with `Program::bind` before recording.
    ///
    /// Shaders access whole 32-bit words. If the elements end within a word (7 bytes, for example), the bound buffer
    /// must have room for the whole word. `count` must not exceed `capacity`; without it, all elements are in use.
    ///
    /// `arrives` is the application's last access before an execution, or several accesses. Access::none means that the
    /// buffer is already visible to compute shaders.
    template <class T>
    BufferRef<T> import_buffer(std::string name, std::uint32_t capacity, std::optional<Count> count = {},
                               const Accesses& arrives = Access::any,
                               SourceLocation where = SourceLocation::current()) {
        const BufferId id = add_import(std::move(name), capacity, sizeof(T), arrives, where);
        return {id, capacity, count_of(id, capacity, count, where)};
    }
    /// Adds a buffer that exists within one execution. Its contents are undefined before the first write.
    template <class T>
    BufferRef<T> transient_buffer(std::string name, std::uint32_t capacity, std::optional<Count> count = {},
                                  SourceLocation where = SourceLocation::current()) {
        const BufferId id = add_transient(std::move(name), capacity, sizeof(T), where);
        return {id, capacity, count_of(id, capacity, count, where)};
    }
    /// Adds a buffer of the application, as `import_buffer` does, of any number of elements.
    template <class T>
    LargeBuffer<T> import_large_buffer(std::string name, std::uint64_t capacity, const Accesses& arrives = Access::any,
                                       SourceLocation where = SourceLocation::current()) {
        return {add_import(std::move(name), capacity, sizeof(T), arrives, where), capacity};
    }
    /// Adds a buffer that exists within one execution, as `transient_buffer` does, of any number of elements. It is one
    /// allocation, which Capabilities::max_buffer_size limits.
    template <class T>
    LargeBuffer<T> transient_large_buffer(std::string name, std::uint64_t capacity,
                                          SourceLocation where = SourceLocation::current()) {
        return {add_transient(std::move(name), capacity, sizeof(T), where), capacity};
    }
    /// Adds a buffer of the program that is initially zero and keeps its contents from one execution to the next. A
    /// pass that only writes it is culled, unless a pass that is kept reads it, in this execution or the next.
    template <class T>
    BufferRef<T> state_buffer(std::string name, std::uint32_t capacity,
                              SourceLocation where = SourceLocation::current()) {
        return {add_state(std::move(name), capacity, sizeof(T), where), capacity, Count(capacity)};
    }

    /// Adds two buffers: `previous` holds the contents of `current` at the end of the previous execution, and is
    /// initially zero. Nothing is copied: both belong to the program, and each recording swaps them.
    ///
    /// Therefore recordings must be submitted in order, each once. A recording that is not submitted must be undone
    /// with `Program::discard`. A recording that is submitted again does not swap.
    ///
    /// `previous` can only be read. `current` is undefined before it is written. Parts that no pass writes, for example
    /// because a condition is false, may hold values of any execution. Neither buffer can be exported.
    template <class T>
    History<T> history_buffer(const std::string& name, std::uint32_t capacity,
                              SourceLocation where = SourceLocation::current()) {
        const BufferId current = add_history(name, capacity, sizeof(T), where);
        const BufferId previous{{current.index + 1, current.graph}};
        const Count all(capacity);
        return {BufferRef<T>(current, capacity, all), BufferRef<T>(previous, capacity, all)};
    }

    /// Adds an image of the application, bound before recording.
    ///
    /// It arrives in the layout of `arrives`, the application's last access before an execution. It leaves in the
    /// layout of its last use (`Plan::final_layouts`) or of its export. The application must return it to the layout of
    /// `arrives` before the next execution. Several accesses need one layout that serves them all: see `layout_of`.
    ///
    /// With Access::none it arrives without contents, in any layout, and waits for nothing: the source stages of its
    /// barrier are the stages of its first use. The barrier of an image that arrives for Access::present has the same
    /// source stages. Therefore the semaphore of the swapchain must be waited for in these stages, or in all commands.
    ImageId import_image(std::string name, const ImageInfo& info, const Accesses& arrives = Access::any,
                         SourceLocation where = SourceLocation::current());
    /// Adds an image that exists within one execution. Its contents are undefined before the first write. Its usage
    /// flags are those that its passes and its export need; Access::any means sampling and transfers.
    ImageId transient_image(std::string name, const ImageInfo& info, SourceLocation where = SourceLocation::current());

    /// Adds usage flags to a transient, a state or a history buffer, in addition to those that its passes and its
    /// export need. Buffers always have the flags for storage, indirect arguments, transfers and, with
    /// Capabilities::buffer_address, for addresses. The device must support the flags. With a MemoryPool, a buffer
    /// cannot have further flags.
    void add_usage(BufferId buffer, VkBufferUsageFlags usage, SourceLocation where = SourceLocation::current());
    /// Adds usage flags to a transient image, or to the image of a part, in addition to those that its passes and its
    /// export need.
    void add_usage(ImageId image, VkImageUsageFlags usage, SourceLocation where = SourceLocation::current());

    /// Adds two images: `previous` holds the contents of `current` at the end of the previous execution, and is
    /// initially zero. They swap as the buffers of `history_buffer` do, with the same rules for recordings.
    ///
    /// `previous` can only be read. It arrives in the layout in which `current` is after its last use. `current` is
    /// undefined before it is written, also where a condition is false or a draw leaves it out. Neither image can be
    /// exported or have parts. The format must not be compressed.
    HistoryImage history_image(const std::string& name, const ImageInfo& info,
                               SourceLocation where = SourceLocation::current());

    /// Allows that passes read a transient, or an image that arrives without contents, where no pass added before them
    /// has written it. Such values are undefined. Without this, a read that no write precedes sees the write added
    /// after it, or is an error. For example, a pass may sample an atlas of which other passes have written some
    /// layers. For a part of a resource, this applies to the whole resource.
    void allow_undefined(ResourceId resource, SourceLocation where = SourceLocation::current());

    /// Allows that the application binds a smaller range to an imported buffer than its capacity. The application must
    /// set counts for which the range suffices, because passes access what their counts state. Fills and copies of the
    /// buffer end with the range.
    void allow_smaller(BufferId import, SourceLocation where = SourceLocation::current());

    /// Adds some mips and layers of an image as a separate resource. Passes that use different parts of an image do not
    /// wait for each other. Each part is in its own layout. A binding of the part is a view of the part, of the type in
    /// `part.view`. Parts may overlap, and passes may use the whole image, too.
    ///
    /// The mips and layers of a region, and of a part of a part, count from the first mip and layer of the part. An
    /// export of a part exports only its mips and layers.
    ///
    /// For a part of an import, the application passes the view to Program::bind, after each bind of the image. For a
    /// part of a transient, Weir creates the view.
    ImageId part(ImageId image, const ImagePart& part, SourceLocation where = SourceLocation::current());

    /// Adds `count` elements of a buffer, from element `first` on, as a separate resource. Passes that use different
    /// parts of a buffer do not wait for each other. Parts may overlap, and passes may use the whole buffer, too. An
    /// export of a part exports only its elements. A part of an import is bound with its buffer, and a part of a part
    /// begins at that part.
    ///
    /// first * sizeof(T) must be a multiple of Capabilities::storage_offset_alignment, and of
    /// Capabilities::uniform_offset_alignment for a part that is bound as a uniform buffer. A history buffer and a
    /// buffer that is exported per frame have no parts.
    template <class T>
    BufferRef<T> part(const BufferRef<T>& buffer, std::uint32_t first, std::uint32_t count,
                      SourceLocation where = SourceLocation::current()) {
        return {add_part(buffer.id, std::uint64_t{first} * sizeof(T), std::uint64_t{count} * sizeof(T), where), count,
                Count(count)};
    }
    /// Adds `count` elements of a large buffer, from element `first` on, as a separate resource. The rules are those of
    /// parts of other buffers.
    template <class T>
    BufferRef<T> part(const LargeBuffer<T>& buffer, std::uint64_t first, std::uint32_t count,
                      SourceLocation where = SourceLocation::current()) {
        return {add_part(buffer.id, first * sizeof(T), std::uint64_t{count} * sizeof(T), where), count, Count(count)};
    }
    /// Adds `bytes` bytes of a buffer of any type, from byte `offset` on, as a separate resource. The rules are those
    /// of parts in elements.
    BufferId part_bytes(BufferId buffer, std::uint64_t offset, std::uint64_t bytes,
                        SourceLocation where = SourceLocation::current()) {
        return add_part(buffer, offset, bytes, where);
    }

    /// Adds a count that the application sets for each recording with `Program::set`. It is `max` until then.
    Count parameter(std::string name, std::uint32_t max);
    /// Returns a count that is the value of word `word` of `buffer` when the passes that use it run. Values greater
    /// than `max` count as `max`.
    Count count_in(BufferRef<std::uint32_t> buffer, std::uint32_t word, std::uint32_t max,
                   SourceLocation where = SourceLocation::current());

    /// Adds a descriptor set of the application with this layout, such as a table of textures, for `Pass::sets`. It is
    /// bound with `Program::bind` before recording.
    ///
    /// The bindings of the layout must be visible to compute shaders. The layout must not be for push descriptors or
    /// descriptor buffers. It must exist whenever the graph, or a graph to which it was added, is compiled. Programs do
    /// not need it afterwards.
    DescriptorSetId import_set(std::string name, VkDescriptorSetLayout layout,
                               SourceLocation where = SourceLocation::current());

    /// Adds data of the application: `bytes` bytes, a multiple of 4. Each recording takes their latest value from
    /// `Program::set`; they are zero until then. They can be push constants (`Pass::push`) or the contents of a buffer
    /// (`add_update`).
    HostData host_data(std::string name, std::uint32_t bytes, SourceLocation where = SourceLocation::current());

    /// Adds a compute pass.
    void add_pass(Pass pass, SourceLocation where = SourceLocation::current());
    /// Adds a pass that fills the whole buffer with a 32-bit value.
    void add_fill(std::string name, BufferId buffer, std::uint32_t value,
                  SourceLocation where = SourceLocation::current());
    /// Adds a pass that copies the first `bytes` bytes, a multiple of 4.
    void add_copy(std::string name, BufferId source, BufferId destination, std::uint64_t bytes,
                  SourceLocation where = SourceLocation::current());

    /// Adds a pass that copies a region of an image to the start of a buffer, in the format of `image_bytes`.
    void add_copy(std::string name, ImageId source, BufferId destination, const ImageRegion& region = {},
                  SourceLocation where = SourceLocation::current());
    /// Adds a pass that copies the start of a buffer, in the format of `image_bytes`, to a region of an image.
    void add_copy(std::string name, BufferId source, ImageId destination, const ImageRegion& region = {},
                  SourceLocation where = SourceLocation::current());
    /// Adds a pass that copies a region of an image to a region of another image. Both must have the same size and the
    /// same number of samples and of bytes per texel.
    void add_copy(std::string name, ImageId source, ImageId destination, const ImageRegion& from = {},
                  const ImageRegion& to = {}, SourceLocation where = SourceLocation::current());
    /// Adds a pass that copies a region of an image to a region of another image, scales it to the size of that region,
    /// and converts formats as Vulkan does. Both regions must have the same number of layers, and one sample per texel.
    /// The pass must be on a main queue that draws. `filter` must be VK_FILTER_NEAREST unless the formats are color
    /// formats with float or normalized components.
    void add_blit(std::string name, ImageId source, ImageId destination, VkFilter filter, const ImageRegion& from = {},
                  const ImageRegion& to = {}, SourceLocation where = SourceLocation::current());
    /// Adds a pass that fills a region of an image with a color, or with a depth and a stencil value, depending on the
    /// format. The pass must not be on the transfer queue. For depth and stencil formats, it must be on a main queue
    /// that draws.
    void add_clear(std::string name, ImageId image, const VkClearValue& value, const ImageRegion& region = {},
                   SourceLocation where = SourceLocation::current());

    /// Adds a pass that writes data of the application, at most 64 KiB, to the start of `destination`. It lets uniform
    /// or storage buffers have other contents in each recording while earlier executions are still running.
    void add_update(std::string name, HostData source, BufferId destination,
                    SourceLocation where = SourceLocation::current());

    /// Adds a switch for `only_if` and `unless`. `Program::set` sets it for each recording; its value is `on` until
    /// then.
    Switch add_switch(std::string name, bool on = true);
    /// Opens a scope: passes that are added while the returned object exists run only if the switch is on.
    ///
    ///     auto scope = graph.only_if(sorting);
    ///     auto sorted = radix_sort(graph, keys);
    ///
    /// Memory and barriers are planned as if all passes ran, except that passes of `unless` with the same switch never
    /// run together with these. If a pass does not run, the resources that it writes keep their value; the value of a
    /// transient is then undefined.
    [[nodiscard]] OnlyIf only_if(Switch on, SourceLocation where = SourceLocation::current());
    /// Opens a scope whose passes run only if `count` is not 0. A count that is known when recording works like a
    /// switch.
    ///
    /// A count on the GPU makes the dispatches indirect, with no workgroups if the count is 0. Kernels replace fills
    /// and copies. Command passes and copies, blits and clears of images are errors in such a scope. The value at the
    /// start of the scope applies, even if passes of the scope write the count.
    [[nodiscard]] OnlyIf only_if(const Count& count, SourceLocation where = SourceLocation::current());
    /// Opens a scope whose passes run only if the switch is off. They are exclusive with passes in a scope of `only_if`
    /// for the same switch: the two never run in the same execution.
    ///
    ///     {
    ///         auto scope = graph.only_if(high_quality);
    ///         graph.add_pass(trace); // writes `reflections`
    ///     }
    ///     auto scope = graph.unless(high_quality);
    ///     graph.add_fill("no reflections", reflections, 0);
    ///
    /// Exclusive passes have no order. They can share a group, and then need one barrier. Later passes come after both.
    /// A pass does not see what exclusive passes write: it is an error if only they write a transient before it reads.
    ///
    /// Errors: `invalid_graph` if the switch is null or of another graph.
    [[nodiscard]] OnlyIf unless(Switch off, SourceLocation where = SourceLocation::current());

    /// Opens a scope: passes that are added while the returned object exists are for `queue`. They run in parallel with
    /// passes of other queues unless dependencies forbid it. Semaphores order them. On a device without such a queue
    /// they run on the main queue, with the same results.
    ///
    /// Passes on the compute queue cannot draw. The transfer queue runs only command passes that transfer, and fills,
    /// copies and updates without a condition on the GPU.
    ///
    ///     auto scope = graph.on_queue(QueueKind::compute);
    ///     auto sorted = radix_sort(graph, keys); // while the main queue draws
    [[nodiscard]] OnQueue on_queue(QueueKind queue, SourceLocation where = SourceLocation::current());
    /// Sets the queues on which an import or an export arrives and leaves; main by default. For an exported transient,
    /// only `leaves` matters.
    void set_queues(ResourceId resource, ImportQueues queues, SourceLocation where = SourceLocation::current());

    /// Adds a copy of `inner`, a graph for the same device, with `name` and a slash before each name. Each import of
    /// `inner` must be connected to a resource of this graph. Inside `only_if`, the condition applies to all its
    /// passes.
    ///
    /// Each copy has its own states and histories. Exports of `inner` become transients of this graph, which can be
    /// read or exported here. Parameters, switches, data and sets of `inner` become those of this graph. The accesses
    /// with which its imports arrive and its exports leave are ignored. If a connected buffer is larger than the
    /// import, shaders see the whole buffer.
    Subgraph add_graph(const Graph& inner, const std::vector<Connection>& connections, const std::string& name,
                       SourceLocation where = SourceLocation::current());

    /// Adds a pass that the application records. See Access for the accesses of buffers and of images.
    void add_command_pass(CommandPass pass, SourceLocation where = SourceLocation::current());

    /// Keeps `buffer` and the passes that it needs. `leaves` is the application's next access, or several accesses; the
    /// buffer is made visible to each. `Program::view` returns an exported transient after an execution.
    void export_buffer(BufferId buffer, const Accesses& leaves = Access::any, const ExportOptions& options = {},
                       SourceLocation where = SourceLocation::current());
    /// Keeps `image` and the passes that it needs. The image leaves in the layout of `leaves`, or with Access::none in
    /// the layout of its last use. Several accesses need one layout that serves them all: see `layout_of`. Only an
    /// import can leave for Access::present. A semaphore that is signaled after all commands must then order the
    /// presentation.
    void export_image(ImageId image, const Accesses& leaves, const ExportOptions& options = {},
                      SourceLocation where = SourceLocation::current());

    /// Reports a mistake. `compile` returns the first one. For primitives: see GraphCall.
    void fail(Error error);
    /// Returns the first mistake, if any.
    [[nodiscard]] const std::optional<Error>& error() const;

    /// Returns the contents of the graph; see <weir/graph/description.hpp>.
    [[nodiscard]] const struct GraphDescription& description() const;

private:
    friend class GraphCall;
    friend struct WrittenArguments;
    friend class InstrumentScope;
    BufferId add_import(std::string name, std::uint64_t capacity, std::uint64_t element, const Accesses& arrives,
                        SourceLocation where);
    BufferId add_transient(std::string name, std::uint64_t capacity, std::uint64_t element, SourceLocation where);
    BufferId add_state(std::string name, std::uint64_t capacity, std::uint64_t element, SourceLocation where);
    /// Returns the current buffer; the previous one follows it.
    BufferId add_history(const std::string& name, std::uint64_t capacity, std::uint64_t element, SourceLocation where);
    BufferId add_part(BufferId buffer, std::uint64_t offset, std::uint64_t bytes, SourceLocation where);
    ImageId add_image(std::string name, const ImageInfo& info);
    /// Makes the last two resources, which are equal except for their names, a history.
    void pair_history();
    Count count_of(BufferId buffer, std::uint32_t capacity, const std::optional<Count>& count, SourceLocation where);
    void add_export(ResourceId resource, const Accesses& leaves, const ExportOptions& options);
    bool accepts(ResourceId resource, const std::string& pass, const char* kind = "buffer or image");
    bool accepts(BufferId buffer, const std::string& pass);
    bool accepts(ImageId image, const std::string& pass);
    bool check_access(std::uint32_t resource, Access access, const std::string& what);
    bool check_use(const Use& use, const std::string& what);
    bool check_raw(std::uint32_t resource, const UseScope& raw, const std::string& what);
    void add_usage_flags(ResourceId resource, VkFlags usage);
    bool check_accesses(std::uint32_t resource, const Accesses& accesses, const std::string& what);
    bool accepts(const Count& count, const std::string& pass);
    bool accepts(ImageId image, const ImageRegion& region, const std::string& pass);
    bool check_copied(BufferId buffer, ImageId image, const ImageRegion& region, const std::string& pass);
    bool accepts(const HostData& data, const std::string& pass);
    bool check_sets(const Pass& pass);

    std::unique_ptr<GraphDescription> description_;
    const InstrumentScope* instrument_ = nullptr; ///< innermost scope; see <weir/testing/instrument.hpp>
};

/// The graph to which a function adds, and the place of the call. A Graph& converts to it as an argument of a
/// primitive, or of a function of the application. Everything that the function adds, and its mistakes, get the place
/// of that call. In nested calls, the place of the outermost call applies.
class WEIR_API GraphCall {
public:
    /// Begins the call.
    GraphCall(Graph& graph, // NOLINT(google-explicit-constructor): the call makes it
              SourceLocation where = SourceLocation::current());
    GraphCall(const GraphCall&) = delete;
    GraphCall& operator=(const GraphCall&) = delete;
    /// Ends the call.
    ~GraphCall();

    /// Returns the graph.
    operator Graph&() const { return graph_; } // NOLINT(google-explicit-constructor): it stands for the graph
    /// Returns the graph.
    Graph* operator->() const { return &graph_; }

private:
    Graph& graph_;
    bool is_outermost_;
};

} // namespace weir
