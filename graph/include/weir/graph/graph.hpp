#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <initializer_list>
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
#include <weir/engine/error.hpp>
#include <weir/engine/export.hpp>
#include <weir/engine/image.hpp>
#include <weir/engine/shader.hpp>
#include <weir/graph/source_location.hpp>

namespace weir {

class CommandPassContext;
class Context;

/// How a pass, or the application before and after an execution, accesses a buffer or an image. `shader_...` and
/// `sampled_read` are accesses of compute shaders. Use `any` for accesses without a name here. For images an access
/// also determines the layout (`layout_of`). A read sees what earlier passes wrote; an access that only writes may
/// leave parts unwritten, which keep their value.
enum class Access : std::uint8_t {
    none,               ///< no access: nothing to wait for. An image that arrives with it has no contents and no layout
    shader_read,        ///< of a storage buffer or storage image
    shader_write,       ///< of a storage buffer or storage image
    shader_read_write,  ///< of a storage buffer or storage image
    sampled_read,       ///< of an image, by a sampler or a fetch
    indirect_read,      ///< of arguments of indirect dispatches and draws
    transfer_read,      ///< by copies, blits and resolves
    transfer_write,     ///< by copies, blits, resolves, fills and clears
    uniform_read,       ///< of a uniform buffer, by compute and graphics shaders
    vertex_read,        ///< of vertex attributes
    index_read,         ///< of indices
    vertex_shader_read, ///< of a buffer or a sampled image, by shaders before rasterization
    fragment_shader_read,       ///< of a buffer or a sampled image
    fragment_shader_write,      ///< of a storage buffer or storage image
    fragment_shader_read_write, ///< of a storage buffer or storage image
    color_write,                ///< of a color attachment, without loading or blending
    color_read_write,           ///< of a color attachment
    depth_read,                 ///< of a depth or stencil attachment for tests; shaders may sample it at the same time
    depth_write,                ///< of a depth or stencil attachment, without loading
    depth_read_write,           ///< of a depth or stencil attachment
    present,    ///< of a swapchain image. A semaphore orders it: see Graph::import_image and Graph::export_image
    host_read,  ///< by the CPU, of mapped memory
    host_write, ///< by the CPU, of mapped memory
    any,        ///< any access of the device, in any stage; not the CPU's accesses to mapped memory
};

/// The name of the enumerator.
WEIR_API const char* to_string(Access access);

/// What the application does with a buffer or an image before or after an execution: one access, or several that need
/// no order among each other, such as `{Access::indirect_read, Access::vertex_shader_read}`. Each access is in it once.
/// Access::none adds nothing.
class WEIR_API Accesses {
public:
    /// No access.
    Accesses() = default;
    /// One access.
    Accesses(Access one) // NOLINT(google-explicit-constructor): an access is one of them
        : Accesses({one}) {}
    /// Several.
    Accesses(std::initializer_list<Access> several);
    /// Whether there are none.
    [[nodiscard]] bool empty() const { return all_.empty(); }
    /// Whether this access is one of them.
    [[nodiscard]] bool contains(Access access) const;
    /// The first one, in the order of the enumerators.
    [[nodiscard]] auto begin() const { return all_.begin(); }
    /// Past the last one.
    [[nodiscard]] auto end() const { return all_.end(); }
    /// Whether both are the same.
    friend bool operator==(const Accesses&, const Accesses&) = default;

private:
    std::vector<Access> all_; ///< in order
};
/// The names of the enumerators: "indirect read and index read".
WEIR_API std::string to_string(const Accesses& accesses);

/// A buffer or an image of one graph. Made by the graph only.
struct ResourceId {
    static constexpr std::uint32_t none = ~0U;                 ///< the index of no resource
    std::uint32_t index = none;                                ///< index into GraphDescription::resources
    const void* graph = nullptr;                               ///< the graph to which it belongs
    [[nodiscard]] bool valid() const { return index != none; } ///< whether it is a resource
    /// Whether both are the same resource.
    friend bool operator==(const ResourceId&, const ResourceId&) = default;
};
/// A buffer.
struct BufferId : ResourceId {
    /// Whether both are the same buffer.
    friend bool operator==(const BufferId&, const BufferId&) = default;
};
/// An image, with all its mips and layers.
struct ImageId : ResourceId {
    /// Whether both are the same image.
    friend bool operator==(const ImageId&, const ImageId&) = default;
};

/// A number of elements that is known when the graph is built (a constant), when it is recorded (a parameter, see
/// `Graph::parameter`), or only on the GPU (a word of a buffer, see `Graph::count_in`). Never greater than `max`.
struct Count {
    /// Where the number comes from.
    enum class Kind : std::uint8_t {
        constant,  ///< `max`
        parameter, ///< Program::set
        gpu,       ///< a word of a buffer
    };

    Kind kind = Kind::constant;  ///< where the number comes from
    std::uint32_t max = 0;       ///< the constant, or the greatest possible count
    std::uint32_t parameter = 0; ///< index of the parameter
    BufferId buffer;             ///< the buffer of a count on the GPU; of a parameter, only its graph
    std::uint32_t word = 0;      ///< index of the 32-bit word
    bool is_direct = false;      ///< of a count on the GPU: see `direct`

    /// The constant 0.
    Count() = default;
    /// A constant.
    Count(std::uint32_t constant) : max{constant} {} // NOLINT(google-explicit-constructor): a number is a count
    /// The same count on the GPU, but dispatches by it are not indirect: they launch workgroups for `max` elements, of
    /// which those past the count find nothing to do. That saves the pass that computes the arguments, some 4 us on a
    /// GPU, and takes the launch of idle workgroups: worth it where counts are often near `max`, or `max` is small.
    /// A kernel of your own has to read the count and leave what is past it. Weir's kernels do.
    [[nodiscard]] Count direct() const {
        Count count = *this;
        count.is_direct = kind == Kind::gpu;
        return count;
    }
    /// Whether both are the same count.
    friend bool operator==(const Count&, const Count&) = default;
};

/// A flag that the application sets for each recording and on which passes depend. Made by `Graph::add_switch`.
struct Switch {
    std::uint32_t index = ResourceId::none; ///< index into GraphDescription::switches
    const void* graph = nullptr;            ///< the graph to which it belongs
    /// Whether both are the same switch.
    friend bool operator==(const Switch&, const Switch&) = default;
};

/// Bytes that the application sets for each recording. Made by `Graph::host_data`.
struct HostData {
    std::uint32_t index = ResourceId::none; ///< index into GraphDescription::data
    const void* graph = nullptr;            ///< the graph to which they belong
    std::uint32_t bytes = 0;                ///< a multiple of 4
    /// Whether both are the same data.
    friend bool operator==(const HostData&, const HostData&) = default;
};

/// A typed buffer of one graph: room for `capacity` elements of T, of which the first `count` are meant. Made by the
/// graph only; a default-constructed one is not valid.
template <class T>
struct BufferRef {
    BufferId id;                ///< the buffer
    std::uint32_t capacity = 0; ///< elements that fit
    Count count;                ///< elements that are meant

    /// No buffer.
    BufferRef() = default;
    [[nodiscard]] bool valid() const { return id.valid(); } ///< whether it is a buffer
    /// The buffer.
    operator BufferId() const { return id; } // NOLINT(google-explicit-constructor): every typed buffer is a buffer
    /// The same buffer with another count, which must not exceed the capacity.
    [[nodiscard]] BufferRef with_count(Count other) const { return {id, capacity, other}; }
    /// The same buffer with elements of another type of the same size: floats as their bits, for instance.
    template <class U>
    [[nodiscard]] BufferRef<U> as() const {
        static_assert(sizeof(U) == sizeof(T), "elements of another size would be others in number");
        return {id, capacity, count};
    }

private:
    friend class Graph;
    friend class Subgraph;
    template <class>
    friend struct BufferRef;
    BufferRef(BufferId buffer, std::uint32_t elements, const Count& meant)
        : id(buffer), capacity(elements), count(meant) {}
};

/// Two buffers that swap from one recording to the next; see `Graph::history_buffer`.
template <class T>
struct History {
    BufferRef<T> current, ///< written in this execution
        previous;         ///< holds what `current` held after the previous execution
};

/// A declaration of a pass about one of its buffers or images. Entry i of `Pass::bindings` is binding i of set 0: a
/// storage buffer, a uniform buffer, a storage image, a sampled image, or with a sampler a combined image sampler.
/// `compile` checks it against the shader, with its specialization constants.
struct Binding {
    ResourceId resource;                 ///< the buffer or image
    Access access = Access::shader_read; ///< what the shader does with it
    bool reads_back = false; ///< a shader_write that also reads, but only what the same pass wrote there before
    VkSampler sampler = VK_NULL_HANDLE; ///< the application's; only for `sampled_read`
};
/// The shader reads the resource.
inline Binding read(ResourceId resource) {
    return {resource, Access::shader_read};
}
/// The shader writes the resource. Elements that it does not write keep their value.
inline Binding write(ResourceId resource) {
    return {resource, Access::shader_write};
}
/// The shader reads what was there before, and writes.
inline Binding read_write(ResourceId resource) {
    return {resource, Access::shader_read_write};
}
/// The shader writes, then reads only what the same pass wrote. Earlier contents are not used.
inline Binding write_first(ResourceId resource) {
    return {resource, Access::shader_write, true};
}
/// The shader samples the image; without a sampler, it fetches texels or uses samplers of its own.
inline Binding sampled(ImageId image, VkSampler sampler = VK_NULL_HANDLE) {
    return {image, Access::sampled_read, false, sampler};
}
/// The shader reads the buffer as a uniform buffer, of at most Capabilities::max_uniform_range bytes. A buffer that is
/// bound to such an import needs VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT.
inline Binding uniform(BufferId buffer) {
    return {buffer, Access::uniform_read};
}
/// Fills a binding that this variant of the shader does not access.
inline Binding unused(ResourceId resource) {
    return {resource, Access::none};
}

/// The number of workgroups of a pass.
struct WEIR_API Dispatch {
    /// How the number is given.
    enum class Kind : std::uint8_t {
        groups,   ///< in three dimensions
        elements, ///< by a number of elements
        indirect, ///< in a buffer
    };

    /// Exactly x * y * z workgroups.
    static Dispatch groups(std::uint32_t x, std::uint32_t y = 1, std::uint32_t z = 1);
    /// One workgroup per `per_group` elements, rounded up, and at least `at_least`. Where that exceeds the limit of the
    /// device in x, workgroups are spread over y as well, and a few more than needed may run: the kernel takes its
    /// number from `weir_workgroup_index()` of <weir/dispatch.glsl> and checks it. With a count on the GPU the dispatch
    /// is indirect, and the graph computes its arguments, unless the count is `direct`.
    static Dispatch elements(Count count, std::uint32_t per_group, std::uint32_t at_least = 0);
    /// The VkDispatchIndirectCommand in `arguments`, `word` 32-bit words from its start.
    static Dispatch indirect(BufferId arguments, std::uint32_t word = 0);

    Kind kind = Kind::groups;    ///< how the number is given
    std::uint32_t x = 1,         ///< of `groups`
        y = 1,                   ///< of `groups`
        z = 1;                   ///< of `groups`
    Count count;                 ///< of `elements`
    std::uint32_t per_group = 1; ///< of `elements`: elements of a workgroup
    std::uint32_t at_least = 0;  ///< of `elements`: fewest workgroups
    BufferId arguments;          ///< of `indirect`
    std::uint32_t word = 0;      ///< of `indirect`
    /// Whether both are the same.
    friend bool operator==(const Dispatch&, const Dispatch&) = default;
};

/// An entry of the push constants: the 32 bits of a value of any type; a count that is a constant or a parameter; or
/// data of the application, which take as many words as they have.
struct PushWord : std::variant<std::uint32_t, Count, HostData> {
    // NOLINTBEGIN(google-explicit-constructor): what is pushed stands for itself
    /// The word 0.
    PushWord() = default;
    /// A count.
    constexpr PushWord(const Count& count) : variant(count) {}
    /// Data of the application.
    constexpr PushWord(const HostData& data) : variant(data) {}
    /// The bits of a value of 32 bits.
    template <class T>
    requires(sizeof(T) == 4 && std::is_trivially_copyable_v<T>) constexpr PushWord(T value)
        : variant(std::bit_cast<std::uint32_t>(value)) {}
    /// Other arithmetic types are errors, as they would become counts.
    template <class T>
    requires(sizeof(T) != 4 && std::is_arithmetic_v<T>) PushWord(T value)
    = delete; // it would become a count
    // NOLINTEND(google-explicit-constructor)
};

/// The words of a value of any type, or of contiguous items, for `Pass::push`:
///
///     pass.push = weir::push_words(settings); // a struct with the layout of the shader's
template <class T>
std::vector<PushWord> push_words(const T& value) {
    const std::span<const std::byte> bytes = bytes_of(value);
    std::vector<PushWord> words;
    for (std::size_t at = 0; at < bytes.size(); at += 4) {
        std::uint32_t word = 0; // what the last one lacks is zero
        const std::size_t left = bytes.size() - at;
        std::memcpy(&word, bytes.data() + at, left < 4 ? left : 4);
        words.emplace_back(word);
    }
    return words;
}

/// A compute pass. Weir's own passes are made of the same parts.
struct Pass {
    std::string name = {};              ///< for messages and debuggers
    ShaderSource shader = {};           ///< the compute shader
    std::vector<Binding> bindings = {}; ///< of set 0, in order
    /// Buffers whose addresses are push constants, in order, 8 bytes each, from offset 0: for GL_EXT_buffer_reference.
    /// They may be larger than Capabilities::max_storage_range. Where Capabilities::buffer_address; a buffer that is
    /// bound to such an import needs VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT.
    std::vector<Binding> addressed = {};
    std::vector<PushWord> push = {};           ///< push constants, after the addresses
    std::vector<std::uint32_t> constants = {}; ///< entry i is specialization constant i
    Dispatch dispatch = {};                    ///< number of workgroups
    std::uint32_t subgroup_size = 0;           ///< required subgroup size; 0: the driver's choice
    /// Requires full subgroups; the x size of the workgroup has to be a multiple of the subgroup size.
    bool full_subgroups = false;
};

/// A declaration of a command pass about a buffer or an image.
struct Use {
    ResourceId resource;         ///< the buffer or image
    Access access = Access::any; ///< what the commands do with it
};

/// A pass of commands that the application records: draws, or dispatches of its own. They run outside a render pass,
/// which they may begin and end, and use only the declared resources with the declared accesses; barriers within the
/// pass are theirs. Images have to be left in the layout in which they were found. The function is called once per
/// recording, by the thread that records. What it binds stays bound in the command buffer.
struct CommandPass {
    std::string name = {};                                                       ///< for messages and debuggers
    std::vector<Use> uses = {};                                                  ///< all uses of buffers and images
    std::function<void(VkCommandBuffer, const CommandPassContext&)> record = {}; ///< see <weir/graph/command_pass.hpp>
    bool keep = false; ///< not culled, although nobody uses its results
};

/// A mip of an image and some of its layers: what a copy, a blit or a clear reads or writes.
struct ImageRegion {
    std::uint32_t mip = 0;    ///< the mip level
    std::uint32_t layer = 0;  ///< the first array layer
    std::uint32_t layers = 1; ///< number of array layers, at least 1
    /// Whether both are the same.
    friend bool operator==(const ImageRegion&, const ImageRegion&) = default;
};

/// Bytes of the texels of a region in a buffer, for Graph::add_copy: layer after layer, of a layer slice after slice,
/// of a slice row after row, without gaps. Compressed formats have blocks in place of texels. 0 for what cannot be
/// copied: a region that the image does not have, several samples for a texel, formats with both depth and stencil, and
/// unknown formats.
WEIR_API std::uint64_t image_bytes(const ImageInfo& info, const ImageRegion& region = {});

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

/// Connects an import of a graph with a resource of the graph to which it is added.
struct Connection {
    ResourceId inner = {}; ///< the import
    ResourceId outer = {}; ///< a buffer of at least as many bytes, or an image of the same ImageInfo
};

/// Translates buffers, images, counts, switches and data of a graph to those of the graph to which it was added.
/// Invalid for those of other graphs.
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
    std::uint32_t first_parameter_ = 0, first_switch_ = 0, first_data_ = 0;
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

    /// A count that the application sets for each recording with `Program::set`; `max` until then.
    Count parameter(std::string name, std::uint32_t max);
    /// A count that is word `word` of `buffer` when the passes that use it run. Values greater than `max` count as
    /// `max`.
    Count count_in(BufferRef<std::uint32_t> buffer, std::uint32_t word, std::uint32_t max,
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
    /// exports are transients of this graph, to be read or exported here. Its parameters, switches and data become this
    /// graph's. How its imports arrive and its exports leave does not matter. Where a connected buffer is larger than
    /// the import, shaders see all of it. Inside `only_if`, the condition applies to all its passes.
    Subgraph add_graph(const Graph& inner, const std::vector<Connection>& connections, const std::string& name,
                       SourceLocation where = SourceLocation::current());

    /// Adds a pass that the application records. Access says which accesses are for buffers and which for images.
    void add_command_pass(CommandPass pass, SourceLocation where = SourceLocation::current());

    /// Keeps `buffer` and the passes that it needs. Read an exported transient through `Program::view` after an
    /// execution. `leaves` is the application's next access, or several, to each of which the buffer is made visible.
    void export_buffer(BufferId buffer, const Accesses& leaves = Access::any,
                       SourceLocation where = SourceLocation::current());
    /// The same for an image, which leaves in the layout of `leaves`; with Access::none in the layout of its last use.
    /// Several accesses need one layout that serves them all: see `layout_of`. Only an import can leave for `present`;
    /// a semaphore that is signaled after all commands orders that.
    void export_image(ImageId image, const Accesses& leaves, SourceLocation where = SourceLocation::current());

    /// Records a mistake for `compile` to report; the first one counts. For primitives, see GraphCall.
    void fail(Error error);
    /// The first mistake.
    [[nodiscard]] const std::optional<Error>& error() const;

    /// The contents of the graph; see <weir/graph/description.hpp>.
    [[nodiscard]] const struct GraphDescription& description() const;

private:
    friend class GraphCall;
    BufferId add_import(std::string name, std::uint64_t capacity, std::uint64_t element, const Accesses& arrives,
                        SourceLocation where);
    BufferId add_transient(std::string name, std::uint64_t capacity, std::uint64_t element, SourceLocation where);
    BufferId add_state(std::string name, std::uint64_t capacity, std::uint64_t element, SourceLocation where);
    /// Returns the current buffer; the previous one follows it.
    BufferId add_history(const std::string& name, std::uint64_t capacity, std::uint64_t element, SourceLocation where);
    ImageId add_image(std::string name, const ImageInfo& info);
    Count count_of(BufferId buffer, std::uint32_t capacity, const std::optional<Count>& count, SourceLocation where);
    void add_export(ResourceId resource, const Accesses& leaves);
    bool check(ResourceId resource, const std::string& pass, const char* kind = "buffer or image");
    bool check(BufferId buffer, const std::string& pass);
    bool check(ImageId image, const std::string& pass);
    bool check_access(std::uint32_t resource, Access access, const std::string& what);
    bool check_accesses(std::uint32_t resource, const Accesses& accesses, const std::string& what);
    bool check(const Count& count, const std::string& pass);
    bool check(ImageId image, const ImageRegion& region, const std::string& pass);
    bool check_copied(BufferId buffer, ImageId image, const ImageRegion& region, const std::string& pass);
    bool check(const HostData& data, const std::string& pass);

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
