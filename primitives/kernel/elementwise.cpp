#include "primitives/kernel/elementwise.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "engine/base/strings.hpp"
#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/kernel.hpp"

namespace weir {

namespace {

/// Constants and bindings that all kernels of shaders/lib/elementwise.glsl share.
struct ElementwiseInterface {
#include "shaders/lib/elementwise_interface.h"
};

} // namespace

bool check_doubles(Graph& graph, const char* primitive) {
    if (!graph.capabilities().float64) {
        graph.fail({ErrorCode::unsupported,
                    concat(primitive, ": doubles are not supported: the device has no 64-bit floats")});
    }
    return graph.capabilities().float64;
}

BufferId buffer_of(const Count& count) {
    return count.kind == Count::Kind::gpu ? count.buffer : BufferId{};
}

std::uint32_t plain_workgroup(const Capabilities& device) {
    return std::bit_floor(std::min(256U, device.max_workgroup_invocations));
}

Pass elementwise_pass(Graph& graph, const char* name, ShaderSource shader, const Count& count, std::uint32_t words,
                      BufferId stand_in, std::uint32_t rows) {
    const std::uint32_t workgroup = plain_workgroup(graph.capabilities());
    Pass pass = kernel_pass(name, std::move(shader));
    set_constants(pass, ElementwiseInterface{.WORKGROUP = workgroup, .WORDS = words});
    add_count(pass, count, stand_in, ElementwiseInterface::COUNTS_BINDING, &ElementwiseInterface::COUNT_ON_GPU);
    pass.dispatch = Dispatch::elements(count, rows * workgroup);
    return pass;
}

} // namespace weir
