#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <variant>
#include <vector>

#include <vulkan/vulkan_core.h>

#include <weir/engine/bytes.hpp>
#include <weir/engine/capabilities.hpp>
#include <weir/engine/context.hpp>
#include <weir/engine/error.hpp>
#include <weir/engine/export.hpp>
#include <weir/engine/image.hpp>
#include <weir/engine/shader.hpp>
#include <weir/graph/source_location.hpp>

namespace weir {

class HostPassContext;

/// How a pass, or the world around a graph, touches a buffer or an image. `shader_...` and `sampled_read` are those of
/// compute shaders; for what has no name here there is `any`. For images it also says which layout they are in
/// (`layout_of`). In each pass, reads find what was written before it; a use that only writes may leave parts alone,
/// which then keep their value.
enum class Access : std::uint8_t {
    none,        ///< not at all: nothing to wait for. An image that arrives so has no contents and no layout
    shader_read, ///< of a storage buffer or storage image
    shader_write,
    shader_read_write,
    sampled_read, ///< of an image, by a sampler or a fetch
    indirect_read,
    transfer_read,  ///< by copies, blits and resolves
    transfer_write, ///< by these, fills and clears
    uniform_read,   ///< of a buffer, by shaders that compute or draw
    vertex_read,    ///< of vertex attributes
    index_read,
    vertex_shader_read,    ///< of a buffer, or a sampled image, by what shaders run before rasterization
    fragment_shader_read,  ///< of a buffer or a sampled image
    fragment_shader_write, ///< of a storage buffer or storage image
    fragment_shader_read_write,
    color_write,      ///< as an attachment whose contents are not loaded, nor blended with
    color_read_write, ///< as an attachment
    depth_read,       ///< as a depth or stencil attachment to test against; at the same time shaders may sample it
    depth_write,      ///< as a depth or stencil attachment whose contents are not loaded
    depth_read_write, ///< as a depth or stencil attachment
    present, ///< of a swapchain's image. A semaphore orders it: see Graph::import_image and Graph::export_image
    host_read,
    host_write,
    any, ///< anything that the device does, at any stage; not what the host does with mapped memory
};

WEIR_API const char* to_string(Access access);

/// What passes use, of one graph. Made by the graph only.
struct ResourceId {
    static constexpr std::uint32_t none = ~0U;
    std::uint32_t index = none;
    const void* graph = nullptr; ///< which graph it belongs to
    [[nodiscard]] bool valid() const { return index != none; }
    friend bool operator==(const ResourceId&, const ResourceId&) = default;
};
/// A buffer.
struct BufferId : ResourceId {
    friend bool operator==(const BufferId&, const BufferId&) = default;
};
/// An image, with all its mips and layers.
struct ImageId : ResourceId {
    friend bool operator==(const ImageId&, const ImageId&) = default;
};

/// A number of elements that is known when the graph is built (a constant), when it is recorded (a parameter, see
/// `Graph::parameter`), or only on the GPU (a word of a buffer, see `Graph::count_in`). Never more than `max`.
struct Count {
    enum class Kind : std::uint8_t { constant, parameter, gpu };

    Kind kind = Kind::constant;
    std::uint32_t max = 0;       ///< the constant, or the most that the count may be
    std::uint32_t parameter = 0; ///< index of the parameter
    BufferId buffer;             ///< where the count is on the GPU; of a parameter, only its graph
    std::uint32_t word = 0;      ///< its place there, in 32-bit words

    Count() = default;
    Count(std::uint32_t constant) : max{constant} {} // NOLINT(google-explicit-constructor): a number is a count
    friend bool operator==(const Count&, const Count&) = default;
};

/// A flag of the host's that passes of one graph depend on. Made by `Graph::add_switch`.
struct Switch {
    std::uint32_t index = ResourceId::none;
    const void* graph = nullptr; ///< which graph it belongs to
    friend bool operator==(const Switch&, const Switch&) = default;
};

/// Bytes of the host's that may be others in each recording. Made by `Graph::host_data`.
struct HostData {
    std::uint32_t index = ResourceId::none;
    const void* graph = nullptr; ///< which graph they belong to
    std::uint32_t bytes = 0;     ///< a multiple of 4
    friend bool operator==(const HostData&, const HostData&) = default;
};

/// A typed buffer of one graph: `capacity` elements of T, of which the first `count` are meant. Made by the graph only;
/// what has no graph is no buffer.
template <class T>
struct BufferRef {
    BufferId id;
    std::uint32_t capacity = 0;
    Count count;

    BufferRef() = default;
    [[nodiscard]] bool valid() const { return id.valid(); }
    operator BufferId() const { return id; } // NOLINT(google-explicit-constructor): every typed buffer is a buffer
    /// The same buffer seen with another count, which must not exceed the capacity.
    [[nodiscard]] BufferRef with_count(Count other) const { return {id, capacity, other}; }
    /// The same buffer seen as elements of another type of as many bytes: floats as their bits, say.
    template <class U>
    [[nodiscard]] BufferRef<U> as() const {
        static_assert(sizeof(U) == sizeof(T), "elements of another size would be others in number");
        return {id, capacity, count};
    }

private:
    friend class Graph;
    friend class GraphInstance;
    template <class>
    friend struct BufferRef;
    BufferRef(BufferId buffer, std::uint32_t elements, const Count& meant)
        : id(buffer), capacity(elements), count(meant) {}
};

/// Two buffers that change places from one recording to the next; see `Graph::history_buffer`.
template <class T>
struct History {
    BufferRef<T> current, previous;
};

/// What a pass declares about one of its buffers or images. Entry i of `Pass::bindings` is binding i of set 0: a
/// storage buffer, a storage image, a sampled image, or with a sampler a combined one. `compile` checks it against the
/// shader, for its specialization constants.
struct Binding {
    ResourceId resource;
    Access access = Access::shader_read;
    bool reads_back = false; ///< a shader_write that also reads, but only what the same pass has written there before
    VkSampler sampler = VK_NULL_HANDLE; ///< the host's; only read if `access` is sampled_read
};
inline Binding read(ResourceId resource) {
    return {resource, Access::shader_read};
}
inline Binding write(ResourceId resource) {
    return {resource, Access::shader_write};
}
inline Binding read_write(ResourceId resource) {
    return {resource, Access::shader_read_write};
}
/// Writes, and reads only what the pass itself has written before: what was there earlier is of no use.
inline Binding write_first(ResourceId resource) {
    return {resource, Access::shader_write, true};
}
/// An image that the shader samples, or, without a sampler, fetches from or samples with samplers of its own.
inline Binding sampled(ImageId image, VkSampler sampler = VK_NULL_HANDLE) {
    return {image, Access::sampled_read, false, sampler};
}
/// Fills a binding that this variant of the shader does not touch.
inline Binding unused(ResourceId resource) {
    return {resource, Access::none};
}

/// How many workgroups a pass runs.
struct WEIR_API Dispatch {
    enum class Kind : std::uint8_t { groups, elements, indirect };

    /// Exactly x * y * z workgroups.
    static Dispatch groups(std::uint32_t x, std::uint32_t y = 1, std::uint32_t z = 1);
    /// One workgroup for every `per_group` elements, rounded up, and at least `at_least`. Past the device's limit in x
    /// they are spread over y as well, and some more than needed may run: a kernel takes its number from
    /// `weir_workgroup_index()` of <weir/dispatch.glsl> and checks it. A count on the GPU makes the dispatch indirect;
    /// the graph computes its arguments.
    static Dispatch elements(Count count, std::uint32_t per_group, std::uint32_t at_least = 0);
    /// A VkDispatchIndirectCommand in `arguments`, `word` 32-bit words from its start.
    static Dispatch indirect(BufferId arguments, std::uint32_t word = 0);

    Kind kind = Kind::groups;
    std::uint32_t x = 1, y = 1, z = 1;
    Count count;
    std::uint32_t per_group = 1;
    std::uint32_t at_least = 0;
    BufferId arguments;
    std::uint32_t word = 0;
    friend bool operator==(const Dispatch&, const Dispatch&) = default;
};

/// A push constant: the 32 bits of a value of any type, a count that is a constant or a parameter, or as many words as
/// data of the host's have.
struct PushWord : std::variant<std::uint32_t, Count, HostData> {
    // NOLINTBEGIN(google-explicit-constructor): what is pushed stands for itself
    PushWord() = default;
    constexpr PushWord(const Count& count) : variant(count) {}
    constexpr PushWord(const HostData& data) : variant(data) {}
    template <class T>
    requires(sizeof(T) == 4 && std::is_trivially_copyable_v<T>) constexpr PushWord(T value)
        : variant(std::bit_cast<std::uint32_t>(value)) {}
    template <class T>
    requires(sizeof(T) != 4 && std::is_arithmetic_v<T>) PushWord(T value)
    = delete; // it would become a count
    // NOLINTEND(google-explicit-constructor)
};

/// The words of a value of any type, or of items that lie one after the other, for `Pass::push`:
///
///     pass.push = weir::push_words(settings); // a struct, laid out as the shader's
template <class T>
std::vector<PushWord> push_words(const T& value) {
    const std::span<const std::byte> bytes = bytes_of(value);
    std::vector<PushWord> words;
    for (std::size_t at = 0; at < bytes.size(); at += 4) {
        std::uint32_t word = 0; // what the last one lacks is zero
        std::memcpy(&word, bytes.data() + at, (std::min)(bytes.size() - at, std::size_t{4}));
        words.emplace_back(word);
    }
    return words;
}

/// A compute pass. The library's own passes are made of the same parts.
struct Pass {
    std::string name = {};
    ShaderSource shader = {};
    std::vector<Binding> bindings = {}; ///< of set 0, in order
    /// Buffers whose addresses are pushed, in order, 8 bytes each, from offset 0: for GL_EXT_buffer_reference. They may
    /// be larger than Capabilities::max_storage_range. Where Capabilities::buffer_address; what is bound to an import
    /// must then have VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT.
    std::vector<Binding> addressed = {};
    std::vector<PushWord> push = {};           ///< push constants, after the addresses
    std::vector<std::uint32_t> constants = {}; ///< value of specialization constant i
    Dispatch dispatch = {};
    std::uint32_t subgroup_size = 0; ///< required subgroup size; 0: the driver's choice
    bool full_subgroups =
        false; ///< no partly filled subgroups; the workgroup's x size must then be a multiple of their size
};

/// What a host pass declares about a buffer or an image.
struct Use {
    ResourceId resource;
    Access access = Access::any;
};

/// A pass of commands that the host records: draws, or dispatches of its own. They run outside a render pass, which
/// they may begin and end, and use nothing of the graph but what is declared, as it is declared: barriers within the
/// pass are theirs. Images must be in the layout in which they were found when it ends. Called once for each recording,
/// by the thread that records. What it binds and sets in the command buffer stays its own.
struct HostPass {
    std::string name = {};
    std::vector<Use> uses = {};
    std::function<void(VkCommandBuffer, const HostPassContext&)> record = {}; ///< see <weir/graph/host_pass.hpp>
    bool keep = false; ///< not dropped, although nobody uses its results
};

/// Passes that are added while it lives run only if something holds: see `Graph::only_if`. Of several that live at
/// once, all must hold. They end in the reverse order, and before their graph does.
class WEIR_API OnlyIf {
public:
    ~OnlyIf();
    OnlyIf(const OnlyIf&) = delete;
    OnlyIf& operator=(const OnlyIf&) = delete;

private:
    friend class Graph;
    OnlyIf(struct GraphDescription& graph, std::size_t depth) : graph_(graph), depth_(depth) {}
    GraphDescription& graph_;
    std::size_t depth_; ///< how many were open before
};

/// Passes that are added while it lives are for one queue: see `Graph::on_queue`. Of several that live at once, the
/// last counts. They end in the reverse order, and before their graph does.
class WEIR_API OnQueue {
public:
    ~OnQueue();
    OnQueue(const OnQueue&) = delete;
    OnQueue& operator=(const OnQueue&) = delete;

private:
    friend class Graph;
    OnQueue(struct GraphDescription& graph, QueueKind before) : graph_(graph), before_(before) {}
    GraphDescription& graph_;
    QueueKind before_;
};

/// To which queues the world around a graph hands an import, or an export, and from which it takes it back.
struct ImportQueues {
    QueueKind arrives = QueueKind::main; ///< the host's last use before the program was on it
    QueueKind leaves = QueueKind::main;  ///< and its next use is on this one
    /// It was made with VK_SHARING_MODE_CONCURRENT for all queue families that the program uses. Otherwise one family
    /// owns it at a time: it is handed over where passes on another use it, also only to read, and back at the end.
    bool concurrent = false;
};

/// What an import of a graph is in the graph to which it is added.
struct Connection {
    ResourceId inner = {}; ///< the import
    ResourceId outer = {}; ///< a buffer of at least as many bytes, or an image that is the same
};

/// What the buffers, images, counts, switches and data of a graph are in the one to which it was added; invalid for
/// those of others.
class WEIR_API GraphInstance {
public:
    [[nodiscard]] BufferId buffer(BufferId inner) const;
    template <class T>
    [[nodiscard]] BufferRef<T> buffer(const BufferRef<T>& inner) const {
        return {buffer(inner.id), inner.capacity, count(inner.count)};
    }
    [[nodiscard]] ImageId image(ImageId inner) const;
    [[nodiscard]] Count count(const Count& inner) const;
    [[nodiscard]] Switch flag(Switch inner) const;
    [[nodiscard]] HostData data(HostData inner) const;

private:
    friend class Graph;
    /// Adds a copy of `inner` to `outer`. Errors: `invalid_graph` for connections that do not fit.
    static Result<GraphInstance> add(GraphDescription& outer, const GraphDescription& inner,
                                     const std::vector<Connection>& connections, const std::string& prefix);
    void add_pass(GraphDescription& outer, const GraphDescription& inner, std::uint32_t pass, std::string name) const;
    [[nodiscard]] ResourceId resource(ResourceId inner) const;
    std::shared_ptr<const void> inner_; ///< the graph's identity
    const void* outer_ = nullptr;
    std::vector<std::uint32_t> resources_;
    std::uint32_t first_parameter_ = 0, first_switch_ = 0, first_data_ = 0;
};

/// A graph of passes over buffers and images: a description, without any Vulkan object. Compiled by `weir::compile`.
///
/// Passes run as if in an order in which each sees what it reads: a read means the value of the latest writer added
/// before it, or, if there is none, of the only writer added after it. Passes whose results reach neither an import nor
/// an export are dropped. Mistakes are kept and reported by `compile`, with a sentence that names the pass and the
/// buffer or image, and the line of your source that added it, so building needs no checks.
class WEIR_API Graph {
public:
    explicit Graph(const Capabilities& capabilities);
    explicit Graph(const Context& context) : Graph(context.capabilities()) {}
    Graph(Graph&&) noexcept;
    Graph& operator=(Graph&&) noexcept;
    ~Graph();

    [[nodiscard]] const Capabilities& capabilities() const;

    /// A buffer of the host's, bound with `Program::bind` before recording. Shaders see whole words of 32 bits: of
    /// elements that do not fill the last one, such as 7 bytes, it takes the room of all of it. `arrives` is the host's
    /// last use of it before the program; Access::none if the host has already made it visible to compute shaders. The
    /// count, of all if there is none, is at most the capacity.
    template <class T>
    BufferRef<T> import_buffer(std::string name, std::uint32_t capacity, std::optional<Count> count = {},
                               Access arrives = Access::any, SourceLocation where = SourceLocation::current()) {
        const BufferId id = add_import(std::move(name), capacity, sizeof(T), arrives, where);
        return {id, capacity, count_of(id, capacity, count, where)};
    }
    /// A buffer that lives within one execution; its contents are undefined before the first write.
    template <class T>
    BufferRef<T> transient_buffer(std::string name, std::uint32_t capacity, std::optional<Count> count = {},
                                  SourceLocation where = SourceLocation::current()) {
        const BufferId id = add_transient(std::move(name), capacity, sizeof(T), where);
        return {id, capacity, count_of(id, capacity, count, where)};
    }
    /// A buffer of the program's that is zero at first and keeps its contents from one execution to the next. Writing
    /// it does not keep a pass from being dropped, unless one that is kept reads it, in this execution or the next.
    template <class T>
    BufferRef<T> state_buffer(std::string name, std::uint32_t capacity,
                              SourceLocation where = SourceLocation::current()) {
        return {add_state(std::move(name), capacity, sizeof(T), where), capacity, Count(capacity)};
    }

    /// A buffer whose contents of the last execution are there too: `previous` holds what `current` held at the end of
    /// the last recording's execution, and zeros at first. Nothing is copied: both are the program's own, and each
    /// recording swaps them. So recordings are to be submitted in their order, each once; one that is not submitted is
    /// undone by `Program::discard`, and one that is submitted again does not swap. `previous` can only be read;
    /// `current` holds nothing defined before it is written, and what a pass does not write of it, or one that is off,
    /// may be from any execution. Neither can be exported.
    template <class T>
    History<T> history_buffer(const std::string& name, std::uint32_t capacity,
                              SourceLocation where = SourceLocation::current()) {
        const BufferId current = add_history(name, capacity, sizeof(T), where);
        const BufferId previous{{current.index + 1, current.graph}};
        const Count all(capacity);
        return {BufferRef<T>(current, capacity, all), BufferRef<T>(previous, capacity, all)};
    }

    /// An image of the host's, bound before recording. It arrives in the layout of `arrives`, the host's last use of it
    /// before the program, and leaves in that of its last use (`Plan::final_layouts`), or that of its export; for the
    /// next execution, which expects it as it arrived, the host brings it back. Access::none: it arrives without
    /// contents, and whatever layout it is in will do. It then waits for nothing, but does so in the stages of its
    /// first use; so does what arrives for `present`: the semaphore of a swapchain's image is waited for in these
    /// stages, or in all commands.
    ImageId import_image(std::string name, const ImageInfo& info, Access arrives = Access::any,
                         SourceLocation where = SourceLocation::current());
    /// An image that lives within one execution; its contents are undefined before the first write. It is made for what
    /// its passes do with it; Access::any stands for sampling and transfers.
    ImageId transient_image(std::string name, const ImageInfo& info, SourceLocation where = SourceLocation::current());

    /// A count that the host sets for each recording, with `Program::set`; `max` until it does.
    Count parameter(std::string name, std::uint32_t max);
    /// A count that is word `word` of `buffer` when the passes that use it run. Values past `max` count as `max`.
    Count count_in(BufferRef<std::uint32_t> buffer, std::uint32_t word, std::uint32_t max,
                   SourceLocation where = SourceLocation::current());

    /// Bytes, a multiple of 4, that each recording takes as `Program::set` left them; zeros until it does. They are
    /// push constants of passes, in `Pass::push`, or by `add_update` what a buffer holds.
    HostData host_data(std::string name, std::uint32_t bytes, SourceLocation where = SourceLocation::current());

    void add_pass(Pass pass, SourceLocation where = SourceLocation::current());
    /// Fills all of `buffer` with a 32-bit value.
    void add_fill(std::string name, BufferId buffer, std::uint32_t value,
                  SourceLocation where = SourceLocation::current());
    /// Copies the first `bytes` bytes (a multiple of 4).
    void add_copy(std::string name, BufferId source, BufferId destination, std::uint64_t bytes,
                  SourceLocation where = SourceLocation::current());

    /// Writes data of the host's, at most 64 KiB, to the beginning of `destination`: what uniform buffers of host
    /// passes or storage buffers hold may so be another in each recording, while those before it are still running.
    void add_update(std::string name, HostData source, BufferId destination,
                    SourceLocation where = SourceLocation::current());

    /// A switch for `only_if`, to be turned with `Program::set`.
    Switch add_switch(std::string name, bool on = true);
    /// While what it returns lives, passes are added that run only where the switch is on:
    ///
    ///     auto scope = graph.only_if(sorting);
    ///     auto sorted = radix_sort(graph, keys);
    ///
    /// Nothing else changes: the plan, its memory and its barriers are those of a graph that has them on. What passes
    /// that are off would have written keeps what was there before; of a transient that is nothing defined.
    [[nodiscard]] OnlyIf only_if(Switch on, SourceLocation where = SourceLocation::current());
    /// The same, for passes that run only where `count` is not 0: one that the host knows is as good as a switch; one
    /// on the GPU makes their dispatches indirect, of no workgroups where it is 0, and what they fill and copy is done
    /// by kernels. It counts as it is where the scope begins, also if passes of the scope write it.
    [[nodiscard]] OnlyIf only_if(const Count& count, SourceLocation where = SourceLocation::current());

    /// While what it returns lives, passes are added for that queue, to run beside those on others as far as nothing
    /// that both touch says otherwise: semaphores order them, and no pass is the worse for a device that has no such
    /// queue, where it is on the main one. On the compute queue nothing can draw; on the one for transfers there are
    /// only fills, copies that no count on the GPU decides on, and host passes that transfer.
    ///
    ///     auto scope = graph.on_queue(QueueKind::compute);
    ///     auto sorted = radix_sort(graph, keys); // while the main queue draws
    [[nodiscard]] OnQueue on_queue(QueueKind queue, SourceLocation where = SourceLocation::current());
    /// On which queues an import or an export arrives and leaves, main if it is not said. Of a transient that is
    /// exported only the latter counts.
    void set_queues(ResourceId resource, ImportQueues queues, SourceLocation where = SourceLocation::current());

    /// Adds a copy of what `inner`, a graph for the same device, holds now, with `name` and a slash before each name.
    /// Its imports are buffers of this graph, all of which must be connected; its states and histories are its own in
    /// each copy; what it exports is a transient of this graph, to be read or exported here. Its parameters and
    /// switches are this graph's. How its imports arrive and its exports leave is of no interest. Of a buffer that is
    /// larger than the import, shaders see all. Within `only_if` all of it is under the condition.
    GraphInstance add_graph(const Graph& inner, const std::vector<Connection>& connections, const std::string& name,
                            SourceLocation where = SourceLocation::current());

    /// Runs what the host records. Which accesses a use can have depends on what it is of: see Access.
    void add_host_pass(HostPass pass, SourceLocation where = SourceLocation::current());

    /// Keeps `buffer` and the passes it needs. An exported transient is read through `Program::view` once the program
    /// has run. `leaves` is what the host does with it next: it is made visible to that.
    void export_buffer(BufferId buffer, Access leaves = Access::any, SourceLocation where = SourceLocation::current());
    /// The same for an image, which leaves in the layout of `leaves`; with Access::none in that of its last use. Only
    /// an import leaves for `present`; a semaphore that is signaled after all commands orders that.
    void export_image(ImageId image, Access leaves, SourceLocation where = SourceLocation::current());

    /// Records a mistake that `compile` will report; the first one counts. For primitives, see GraphCall.
    void fail(Error error);
    [[nodiscard]] const std::optional<Error>& error() const;

    /// What was built; see <weir/graph/description.hpp>.
    [[nodiscard]] const struct GraphDescription& description() const;

private:
    friend class GraphCall;
    BufferId add_import(std::string name, std::uint64_t capacity, std::uint64_t element, Access arrives,
                        SourceLocation where);
    BufferId add_transient(std::string name, std::uint64_t capacity, std::uint64_t element, SourceLocation where);
    BufferId add_state(std::string name, std::uint64_t capacity, std::uint64_t element, SourceLocation where);
    /// The current one; the previous one follows it.
    BufferId add_history(const std::string& name, std::uint64_t capacity, std::uint64_t element, SourceLocation where);
    ImageId add_image(std::string name, const ImageInfo& info);
    Count count_of(BufferId buffer, std::uint32_t capacity, const std::optional<Count>& count, SourceLocation where);
    void add_export(ResourceId resource, Access leaves);
    bool check(ResourceId resource, const std::string& pass, const char* kind = "buffer or image");
    bool check(BufferId buffer, const std::string& pass);
    bool check(ImageId image, const std::string& pass);
    bool check_access(std::uint32_t resource, Access access, const std::string& what);
    bool check(const Count& count, const std::string& pass);
    bool check(const HostData& data, const std::string& pass);

    std::unique_ptr<GraphDescription> description_;
};

/// The graph that a function adds to, and who calls it: what Graph& becomes as an argument of a primitive, or of a
/// function of yours. All that is added until the function returns, and its mistakes, have the place of that call; of
/// functions that call each other, of the outermost.
class WEIR_API GraphCall {
public:
    GraphCall(Graph& graph, // NOLINT(google-explicit-constructor): the call makes it
              SourceLocation where = SourceLocation::current());
    GraphCall(const GraphCall&) = delete;
    GraphCall& operator=(const GraphCall&) = delete;
    ~GraphCall();

    operator Graph&() const { return graph_; } // NOLINT(google-explicit-constructor): it stands for the graph
    Graph* operator->() const { return &graph_; }

private:
    Graph& graph_;
    bool is_outermost_;
};

} // namespace weir
