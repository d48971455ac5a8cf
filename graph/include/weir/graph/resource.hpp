#pragma once

#include <cstdint>

#include <weir/engine/export.hpp>
#include <weir/engine/image.hpp>

namespace weir {

/// A buffer or an image of one graph. Only the graph creates valid ones.
struct ResourceId {
    static constexpr std::uint32_t none = ~0U;                 ///< index of an id that is not valid
    std::uint32_t index = none;                                ///< index into GraphDescription::resources
    const void* graph = nullptr;                               ///< identity of the graph to which it belongs
    [[nodiscard]] bool valid() const { return index != none; } ///< true if it names a resource
    /// Compares index and graph.
    friend bool operator==(const ResourceId&, const ResourceId&) = default;
};
/// A buffer, or a range of one: see Graph::part.
struct BufferId : ResourceId {
    /// Compares index and graph.
    friend bool operator==(const BufferId&, const BufferId&) = default;
};
/// An image with all its mips and layers, or a part of one: see Graph::part.
struct ImageId : ResourceId {
    /// Compares index and graph.
    friend bool operator==(const ImageId&, const ImageId&) = default;
};

/// A number of elements. It is known when the graph is built (a constant), when it is recorded (a parameter, see
/// `Graph::parameter`), or only on the GPU (a word of a buffer, see `Graph::count_in`). It never exceeds `max`.
struct Count {
    /// Source of the number.
    enum class Kind : std::uint8_t {
        constant,  ///< `max`
        parameter, ///< set with Program::set
        gpu,       ///< a 32-bit word of a buffer
    };

    Kind kind = Kind::constant;  ///< source of the number
    std::uint32_t max = 0;       ///< the constant, or the maximum
    std::uint32_t parameter = 0; ///< index of the parameter; parameters only
    BufferId buffer;             ///< buffer of a count on the GPU; a parameter has only the graph
    std::uint32_t word = 0;      ///< index of the 32-bit word in the buffer; counts on the GPU only
    bool is_direct = false;      ///< see `direct`; counts on the GPU only

    /// The constant 0.
    Count() = default;
    /// A constant.
    Count(std::uint32_t constant) : max{constant} {} // NOLINT(google-explicit-constructor): a number is a count
    /// Returns the same count on the GPU for direct dispatches: they launch workgroups for `max` elements instead of
    /// reading their arguments from a buffer. Workgroups beyond the count find nothing to do.
    ///
    /// This saves the pass that computes the arguments, about 4 us on a GPU, at the cost of launching idle workgroups.
    /// It pays off if counts are often near `max`, or if `max` is small. A custom kernel must read the count and skip
    /// the elements beyond it; Weir's kernels do. Other counts are returned unchanged.
    [[nodiscard]] Count direct() const {
        Count count = *this;
        count.is_direct = kind == Kind::gpu;
        return count;
    }
    /// Compares all members.
    friend bool operator==(const Count&, const Count&) = default;
};

/// A flag that the application sets for each recording and that passes depend on. Created by `Graph::add_switch`.
struct Switch {
    std::uint32_t index = ResourceId::none; ///< index into GraphDescription::switches
    const void* graph = nullptr;            ///< identity of the graph to which it belongs
    /// Compares index and graph.
    friend bool operator==(const Switch&, const Switch&) = default;
};

/// Bytes that the application sets for each recording. Created by `Graph::host_data`.
struct HostData {
    std::uint32_t index = ResourceId::none; ///< index into GraphDescription::data
    const void* graph = nullptr;            ///< identity of the graph to which they belong
    std::uint32_t bytes = 0;                ///< size in bytes, a multiple of 4
    /// Compares all members.
    friend bool operator==(const HostData&, const HostData&) = default;
};

/// A descriptor set of the application. Created by `Graph::import_set`.
struct DescriptorSetId {
    std::uint32_t index = ResourceId::none; ///< index into GraphDescription::sets
    const void* graph = nullptr;            ///< identity of the graph to which it belongs
    /// Compares index and graph.
    friend bool operator==(const DescriptorSetId&, const DescriptorSetId&) = default;
};

/// A typed buffer of one graph: room for `capacity` elements of T, of which the first `count` are in use. Only the
/// graph creates valid ones; a default-constructed one is not valid.
template <class T>
struct BufferRef {
    BufferId id;                ///< the buffer
    std::uint32_t capacity = 0; ///< capacity in elements
    Count count;                ///< number of elements in use

    /// No buffer.
    BufferRef() = default;
    [[nodiscard]] bool valid() const { return id.valid(); } ///< true if it names a buffer
    /// The buffer.
    operator BufferId() const { return id; } // NOLINT(google-explicit-constructor): every typed buffer is a buffer
    /// Returns the same buffer with another count, which must not exceed the capacity.
    [[nodiscard]] BufferRef with_count(Count other) const { return {id, capacity, other}; }
    /// Returns the same buffer with elements of another type of the same size, for example floats as their bits.
    template <class U>
    [[nodiscard]] BufferRef<U> as() const {
        static_assert(sizeof(U) == sizeof(T), "as<U>() requires sizeof(U) == sizeof(T)");
        return {id, capacity, count};
    }

private:
    friend class Graph;
    friend class Subgraph;
    template <class>
    friend struct BufferRef;
    BufferRef(BufferId buffer, std::uint32_t elements, const Count& in_use)
        : id(buffer), capacity(elements), count(in_use) {}
};

/// A typed buffer of one graph with any number of elements: more than 2^32 - 1 of them too, which a BufferRef cannot
/// count. The primitives that accept one say so. Only the graph creates valid ones: see `Graph::import_large_buffer`.
template <class T>
struct LargeBuffer {
    BufferId id;                ///< the buffer
    std::uint64_t capacity = 0; ///< capacity in elements; all of them are in use

    /// No buffer.
    LargeBuffer() = default;
    [[nodiscard]] bool valid() const { return id.valid(); } ///< true if it names a buffer
    /// The buffer.
    operator BufferId() const { return id; } // NOLINT(google-explicit-constructor): every typed buffer is a buffer

private:
    friend class Graph;
    friend class Subgraph;
    LargeBuffer(BufferId buffer, std::uint64_t elements) : id(buffer), capacity(elements) {}
};

/// Two buffers that swap from one recording to the next; see `Graph::history_buffer`.
template <class T>
struct History {
    BufferRef<T> current, ///< written in this execution
        previous;         ///< contents of `current` after the previous execution
};

/// Two images that swap from one recording to the next; see `Graph::history_image`.
struct HistoryImage {
    ImageId current, ///< written in this execution
        previous;    ///< contents of `current` after the previous execution
};

/// One mip level of an image and some of its layers: the region that a copy, a blit or a clear reads or writes.
struct ImageRegion {
    std::uint32_t mip = 0;    ///< the mip level
    std::uint32_t layer = 0;  ///< the first array layer
    std::uint32_t layers = 1; ///< number of array layers, at least 1
    /// Compares all members.
    friend bool operator==(const ImageRegion&, const ImageRegion&) = default;
};

/// Returns the size in bytes of the texels of a region in a buffer, for Graph::add_copy. Layers follow each other
/// without gaps, as do the slices of a layer and the rows of a slice. Compressed formats have blocks instead of texels.
///
/// Returns 0 if the region cannot be copied: if the image does not have it, if the image has several samples per texel,
/// or if the format is unknown or has both depth and stencil.
WEIR_API std::uint64_t image_bytes(const ImageInfo& info, const ImageRegion& region = {});

} // namespace weir
