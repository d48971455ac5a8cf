#pragma once

#include <cstdint>

#include <weir/engine/export.hpp>
#include <weir/engine/image.hpp>

namespace weir {

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
/// An image with all its mips and layers, or a part of one: see Graph::part.
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

/// A descriptor set of the application. Made by `Graph::import_set`.
struct DescriptorSetId {
    std::uint32_t index = ResourceId::none; ///< index into GraphDescription::sets
    const void* graph = nullptr;            ///< the graph to which it belongs
    /// Whether both are the same set.
    friend bool operator==(const DescriptorSetId&, const DescriptorSetId&) = default;
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

} // namespace weir
