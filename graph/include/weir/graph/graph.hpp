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

/// A scope: passes that are added while it exists run only under a condition, see `Graph::only_if`. In nested scopes
/// all conditions have to hold. Scopes end in reverse order, and before their graph.
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
    std::size_t depth_; ///< how many were open before
};

/// A scope: passes that are added while it exists are for one queue, see `Graph::on_queue`. Of nested scopes the
/// innermost counts. Scopes end in reverse order, and before their graph.
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

/// On which queues an import arrives and an export leaves.
struct ImportQueues {
    QueueKind arrives = QueueKind::main; ///< the queue of the application's last use before an execution
    QueueKind leaves = QueueKind::main;  ///< the queue of the application's next use after an execution
    /// Whether the resource was created with VK_SHARING_MODE_CONCURRENT for all queue families that the program uses.
    /// Otherwise one family owns it at a time: ownership is transferred where passes on another family use it, even
    /// only to read, and back at the end.
    bool concurrent = false;
};

/// Options of Graph::export_buffer and Graph::export_image.
struct ExportOptions {
    /// A transient that has a copy of its own for each recording that may be pending: CompileOptions::frames_in_flight
    /// times recordings_per_frame of them. The next frame's passes then write another copy while the application still
    /// reads the last one, and wait for nothing that it does; `Program::view` is the copy of the latest recording. The
    /// application's uses of a copy have to be complete when the recording is that takes it again, like the frame that
    /// they belong to. Each recording takes a descriptor table, and is to be submitted once at a time.
    bool per_frame = false;
};

/// Connects an import of a graph with a resource of the graph to which it is added.
struct Connection {
    ResourceId inner = {}; ///< the import
    ResourceId outer = {}; ///< a buffer of at least as many bytes, or an image of the same ImageInfo
};

/// Translates buffers, images, counts, switches, data and descriptor sets of a graph to those of the graph to which it
/// was added. Invalid for those of other graphs.
class WEIR_API Subgraph {
public:
    /// The buffer of the outer graph.
    [[nodiscard]] BufferId buffer(BufferId inner) const;
    /// The typed buffer of the outer graph.
    template <class T>
    [[nodiscard]] BufferRef<T> buffer(const BufferRef<T>& inner) const {
        return {buffer(inner.id), inner.capacity, count(inner.count)};
    }
    /// The image of the outer graph.
    [[nodiscard]] ImageId image(ImageId inner) const;
    /// The count of the outer graph.
    [[nodiscard]] Count count(const Count& inner) const;
    /// The switch of the outer graph.
    [[nodiscard]] Switch flag(Switch inner) const;
    /// The data of the outer graph.
    [[nodiscard]] HostData data(HostData inner) const;
    /// The descriptor set of the outer graph.
    [[nodiscard]] DescriptorSetId set(DescriptorSetId inner) const;

private:
    friend class Graph;
    /// Adds a copy of `inner` to `outer`. Errors: `invalid_graph` for connections that do not fit.
    static Result<Subgraph> add(GraphDescription& outer, const GraphDescription& inner,
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
/// A read means the value of the latest writer that was added before it or, if there is none, of the only writer that
/// was added after it; the compiler may order passes in any way that preserves this. Passes whose results reach neither
/// an import nor an export are culled. Building never fails: the first mistake is kept, and `compile` reports it with
/// a sentence that names the pass, the buffer or image, and the line of your source that added it.
class WEIR_API Graph {
public:
    /// An empty graph for devices with such capabilities.
    explicit Graph(const Capabilities& capabilities);
    /// An empty graph for the device of a context.
    explicit Graph(const Context& context);
    /// Takes the contents of another graph.
    Graph(Graph&&) noexcept;
    /// Takes the contents of another graph.
    Graph& operator=(Graph&&) noexcept;
    /// Programs of the graph do not need it any more.
    ~Graph();

    /// The capabilities for which the graph is built.
    [[nodiscard]] const Capabilities& capabilities() const;

    /// A buffer of the application, bound with `Program::bind` before recording. Shaders access whole 32-bit words:
    /// elements that fill the last word only in part, such as 7 bytes, need the room of the whole word. `arrives` is
    /// the application's last access before an execution, or several; Access::none if the buffer is already visible to
    /// compute shaders. The count is at most the capacity; without one, all elements are meant.
    template <class T>
    BufferRef<T> import_buffer(std::string name, std::uint32_t capacity, std::optional<Count> count = {},
                               const Accesses& arrives = Access::any,
                               SourceLocation where = SourceLocation::current()) {
        const BufferId id = add_import(std::move(name), capacity, sizeof(T), arrives, where);
        return {id, capacity, count_of(id, capacity, count, where)};
    }
    /// A buffer that exists within one execution. Its contents are undefined before the first write.
    template <class T>
    BufferRef<T> transient_buffer(std::string name, std::uint32_t capacity, std::optional<Count> count = {},
                                  SourceLocation where = SourceLocation::current()) {
        const BufferId id = add_transient(std::move(name), capacity, sizeof(T), where);
        return {id, capacity, count_of(id, capacity, count, where)};
    }
    /// A buffer of the program that is zero at first and keeps its contents from one execution to the next. A pass that
    /// only writes it is culled, unless a pass that is kept reads it, in this execution or the next.
    template <class T>
    BufferRef<T> state_buffer(std::string name, std::uint32_t capacity,
                              SourceLocation where = SourceLocation::current()) {
        return {add_state(std::move(name), capacity, sizeof(T), where), capacity, Count(capacity)};
    }

    /// Two buffers: `previous` holds what `current` held at the end of the previous execution, and zeros at first.
    /// Nothing is copied: both belong to the program, and each recording swaps them. So submit recordings in order,
    /// each once; undo one that you do not submit with `Program::discard`; a recording that is submitted again does not
    /// swap. `previous` can only be read. `current` is undefined before it is written; parts that no pass writes, for
    /// instance because a condition is false, may be from any execution. Neither can be exported.
    template <class T>
    History<T> history_buffer(const std::string& name, std::uint32_t capacity,
                              SourceLocation where = SourceLocation::current()) {
        const BufferId current = add_history(name, capacity, sizeof(T), where);
        const BufferId previous{{current.index + 1, current.graph}};
        const Count all(capacity);
        return {BufferRef<T>(current, capacity, all), BufferRef<T>(previous, capacity, all)};
    }

    /// An image of the application, bound before recording. It arrives in the layout of `arrives`, the application's
    /// last access before an execution, and leaves in the layout of its last use (`Plan::final_layouts`) or of its
    /// export; the application returns it to the layout of `arrives` before the next execution. With Access::none it
    /// arrives without contents, in any layout: it waits for nothing, but in the stages of its first use. An image that
    /// arrives for `present` also waits in these stages: let the semaphore of the swapchain wait there, or in all
    /// commands. Several accesses need one layout that serves them all: see `layout_of`.
    ImageId import_image(std::string name, const ImageInfo& info, const Accesses& arrives = Access::any,
                         SourceLocation where = SourceLocation::current());
    /// An image that exists within one execution. Its contents are undefined before the first write. Its usage flags
    /// are those that its passes need; Access::any stands for sampling and transfers.
    ImageId transient_image(std::string name, const ImageInfo& info, SourceLocation where = SourceLocation::current());

    /// Some mips and layers of an image as a resource of their own: passes that use different parts of an image do not
    /// wait for each other, each part is in a layout of its own, and a binding of the part is a view of it, of the type
    /// that `part` tells. Parts may overlap, and passes may use the image as a whole beside them. A region of a part
    /// counts from its first mip and layer. A part of an import has a view that Program::bind takes, once the image is
    /// bound; of a transient Weir makes one. An export of a part is one of its mips and layers alone. A part of a part
    /// counts from that part's first mip and layer.
    ImageId part(ImageId image, const ImagePart& part, SourceLocation where = SourceLocation::current());

    /// A count that the application sets for each recording with `Program::set`; `max` until then.
    Count parameter(std::string name, std::uint32_t max);
    /// A count that is word `word` of `buffer` when the passes that use it run. Values greater than `max` count as
    /// `max`.
    Count count_in(BufferRef<std::uint32_t> buffer, std::uint32_t word, std::uint32_t max,
                   SourceLocation where = SourceLocation::current());

    /// A descriptor set of the application with this layout, such as a table of textures, for `Pass::sets`; bound with
    /// `Program::bind` before recording. The bindings of the layout are visible to compute shaders; it is not for push
    /// descriptors, nor for descriptor buffers. It has to exist whenever the graph, or one to which it was added, is
    /// compiled. Programs do not need it afterwards.
    DescriptorSetId import_set(std::string name, VkDescriptorSetLayout layout,
                               SourceLocation where = SourceLocation::current());

    /// Bytes, a multiple of 4, that each recording takes as `Program::set` left them; zeros until then. They are push
    /// constants, in `Pass::push`, or the contents of a buffer, by `add_update`.
    HostData host_data(std::string name, std::uint32_t bytes, SourceLocation where = SourceLocation::current());

    /// Adds a compute pass.
    void add_pass(Pass pass, SourceLocation where = SourceLocation::current());
    /// Fills the whole buffer with a 32-bit value.
    void add_fill(std::string name, BufferId buffer, std::uint32_t value,
                  SourceLocation where = SourceLocation::current());
    /// Copies the first `bytes` bytes, a multiple of 4.
    void add_copy(std::string name, BufferId source, BufferId destination, std::uint64_t bytes,
                  SourceLocation where = SourceLocation::current());

    /// Copies a region of an image to the start of a buffer, as `image_bytes` describes it.
    void add_copy(std::string name, ImageId source, BufferId destination, const ImageRegion& region = {},
                  SourceLocation where = SourceLocation::current());
    /// Copies what is at the start of a buffer, as `image_bytes` describes it, to a region of an image.
    void add_copy(std::string name, BufferId source, ImageId destination, const ImageRegion& region = {},
                  SourceLocation where = SourceLocation::current());
    /// Copies a region of an image to one of another image, of the same size, whose texels have as many bytes.
    void add_copy(std::string name, ImageId source, ImageId destination, const ImageRegion& from = {},
                  const ImageRegion& to = {}, SourceLocation where = SourceLocation::current());
    /// The same for regions of any sizes, which are scaled, and for formats that Vulkan converts. Runs on a main queue
    /// that draws. Not for several samples for a texel; `filter` is VK_FILTER_NEAREST for formats other than of colors
    /// that are floats or normalized.
    void add_blit(std::string name, ImageId source, ImageId destination, VkFilter filter, const ImageRegion& from = {},
                  const ImageRegion& to = {}, SourceLocation where = SourceLocation::current());
    /// Fills a region of an image with a color, or with a depth and a stencil value, as its format has them. Not on the
    /// transfer queue; of depth and stencil on a main queue that draws.
    void add_clear(std::string name, ImageId image, const VkClearValue& value, const ImageRegion& region = {},
                   SourceLocation where = SourceLocation::current());

    /// Writes data of the application, at most 64 KiB, to the start of `destination`. So uniform or storage buffers may
    /// have other contents in each recording, while earlier executions are still running.
    void add_update(std::string name, HostData source, BufferId destination,
                    SourceLocation where = SourceLocation::current());

    /// A switch for `only_if`, which `Program::set` sets.
    Switch add_switch(std::string name, bool on = true);
    /// Opens a scope: passes that are added while the returned object exists run only where the switch is on.
    ///
    ///     auto scope = graph.only_if(sorting);
    ///     auto sorted = radix_sort(graph, keys);
    ///
    /// Plan, memory and barriers are those of a graph in which all passes run. What passes that do not run would have
    /// written keeps its value; in a transient, that is undefined.
    [[nodiscard]] OnlyIf only_if(Switch on, SourceLocation where = SourceLocation::current());
    /// The same for passes that run only where `count` is not 0. A count that is known when recording works like a
    /// switch. A count on the GPU makes the dispatches indirect, with no workgroups where it is 0, and fills and copies
    /// are done by kernels. Its value counts where the scope begins, even if passes of the scope write it.
    [[nodiscard]] OnlyIf only_if(const Count& count, SourceLocation where = SourceLocation::current());

    /// Opens a scope: passes that are added while the returned object exists are for that queue, and run beside passes
    /// of other queues unless dependencies forbid it. Semaphores order them. On a device without such a queue they run
    /// on the main queue, with the same results. Passes on the compute queue cannot draw. On the transfer queue there
    /// are only fills, copies without a condition on the GPU, and command passes that transfer.
    ///
    ///     auto scope = graph.on_queue(QueueKind::compute);
    ///     auto sorted = radix_sort(graph, keys); // while the main queue draws
    [[nodiscard]] OnQueue on_queue(QueueKind queue, SourceLocation where = SourceLocation::current());
    /// The queues on which an import or an export arrives and leaves; main by default. Of an exported transient only
    /// `leaves` counts.
    void set_queues(ResourceId resource, ImportQueues queues, SourceLocation where = SourceLocation::current());

    /// Adds a copy of `inner`, a graph for the same device, with `name` and a slash before each name. Each of its
    /// imports has to be connected to a resource of this graph. Each copy has states and histories of its own. Its
    /// exports are transients of this graph, to be read or exported here. Its parameters, switches, data and sets
    /// become this graph's. How its imports arrive and its exports leave does not matter. Where a connected buffer is
    /// larger than the import, shaders see all of it. Inside `only_if`, the condition applies to all its passes.
    Subgraph add_graph(const Graph& inner, const std::vector<Connection>& connections, const std::string& name,
                       SourceLocation where = SourceLocation::current());

    /// Adds a pass that the application records. Access says which accesses are for buffers and which for images.
    void add_command_pass(CommandPass pass, SourceLocation where = SourceLocation::current());

    /// Keeps `buffer` and the passes that it needs. Read an exported transient through `Program::view` after an
    /// execution. `leaves` is the application's next access, or several, to each of which the buffer is made visible.
    void export_buffer(BufferId buffer, const Accesses& leaves = Access::any, const ExportOptions& options = {},
                       SourceLocation where = SourceLocation::current());
    /// The same for an image, which leaves in the layout of `leaves`; with Access::none in the layout of its last use.
    /// Several accesses need one layout that serves them all: see `layout_of`. Only an import can leave for `present`;
    /// a semaphore that is signaled after all commands orders that.
    void export_image(ImageId image, const Accesses& leaves, const ExportOptions& options = {},
                      SourceLocation where = SourceLocation::current());

    /// Records a mistake for `compile` to report; the first one counts. For primitives, see GraphCall.
    void fail(Error error);
    /// The first mistake.
    [[nodiscard]] const std::optional<Error>& error() const;

    /// The contents of the graph; see <weir/graph/description.hpp>.
    [[nodiscard]] const struct GraphDescription& description() const;

private:
    friend class GraphCall;
    friend struct WrittenArguments;
    BufferId add_import(std::string name, std::uint64_t capacity, std::uint64_t element, const Accesses& arrives,
                        SourceLocation where);
    BufferId add_transient(std::string name, std::uint64_t capacity, std::uint64_t element, SourceLocation where);
    BufferId add_state(std::string name, std::uint64_t capacity, std::uint64_t element, SourceLocation where);
    /// Returns the current buffer; the previous one follows it.
    BufferId add_history(const std::string& name, std::uint64_t capacity, std::uint64_t element, SourceLocation where);
    ImageId add_image(std::string name, const ImageInfo& info);
    Count count_of(BufferId buffer, std::uint32_t capacity, const std::optional<Count>& count, SourceLocation where);
    void add_export(ResourceId resource, const Accesses& leaves, const ExportOptions& options);
    bool accepts(ResourceId resource, const std::string& pass, const char* kind = "buffer or image");
    bool accepts(BufferId buffer, const std::string& pass);
    bool accepts(ImageId image, const std::string& pass);
    bool check_access(std::uint32_t resource, Access access, const std::string& what);
    bool check_accesses(std::uint32_t resource, const Accesses& accesses, const std::string& what);
    bool accepts(const Count& count, const std::string& pass);
    bool accepts(ImageId image, const ImageRegion& region, const std::string& pass);
    bool check_copied(BufferId buffer, ImageId image, const ImageRegion& region, const std::string& pass);
    bool accepts(const HostData& data, const std::string& pass);
    bool check_sets(const Pass& pass);

    std::unique_ptr<GraphDescription> description_;
};

/// The graph to which a function adds, and the place of the call: what a Graph& becomes as an argument of a primitive,
/// or of a function of yours. All that is added until the function returns, and its mistakes, have the place of that
/// call; of nested calls, of the outermost.
class WEIR_API GraphCall {
public:
    /// Made by the call.
    GraphCall(Graph& graph, // NOLINT(google-explicit-constructor): the call makes it
              SourceLocation where = SourceLocation::current());
    GraphCall(const GraphCall&) = delete;
    GraphCall& operator=(const GraphCall&) = delete;
    /// Ends the call.
    ~GraphCall();

    /// The graph.
    operator Graph&() const { return graph_; } // NOLINT(google-explicit-constructor): it stands for the graph
    /// The graph.
    Graph* operator->() const { return &graph_; }

private:
    Graph& graph_;
    bool is_outermost_;
};

} // namespace weir
