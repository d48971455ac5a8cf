#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <weir/graph/graph.hpp>
#include <weir/primitives/element.hpp>

// What primitives that treat each element for itself have in common, and the checks of buffers that others share.

namespace weir {

/// A buffer as a check sees it.
struct CheckedBuffer {
    const char* what = "";
    BufferId buffer;
    std::uint64_t capacity = 0; ///< elements that there is room for
};

/// Whether it is a buffer with room for so many elements, of which words can be reached by 32 bits; fails the graph if
/// not.
bool check_room(Graph& graph, const char* primitive, const CheckedBuffer& buffer, std::uint64_t needed,
                std::uint32_t words);

/// Whether none of the buffers that are written is another one of them, or one that is read; fails the graph if so.
/// Those that are not valid are not there.
bool check_apart(Graph& graph, const char* primitive, std::span<const BufferId> written,
                 std::span<const BufferId> only_read);

/// Whether the device has 64-bit floats; fails the graph if not.
bool check_doubles(Graph& graph, const char* primitive);

/// The buffer of a count that is on the GPU, else none.
BufferId buffer_of(const Count& count);

/// What shaders/lib/total_order.glsl and shaders/compact/classify.glsl call the numbers of such elements.
std::uint32_t key_numbers(Scalar scalar);

/// Invocations in a workgroup of a kernel that makes no more of them.
std::uint32_t plain_workgroup(const Capabilities& device);

/// A pass over `count` elements by a kernel of shaders/lib/elementwise.glsl, whose bindings, push constants and
/// constants it begins with; `stand_in` is a buffer of the pass.
Pass elementwise_pass(Graph& graph, const char* name, ShaderSource shader, const Count& count, std::uint32_t words,
                      BufferId stand_in);

} // namespace weir
