#include "primitives/elementwise.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "engine/text.hpp"
#include "primitives/kernel.hpp"

namespace weir {

bool check_room(Graph& graph, const char* primitive, const CheckedBuffer& buffer, std::uint64_t needed,
                std::uint32_t words) {
    const auto refuse = [&](ErrorCode code, const std::string& why) {
        graph.fail({code, concat(primitive, ": ", buffer.what, why)});
        return false;
    };
    if (!buffer.buffer.valid()) {
        return refuse(ErrorCode::invalid_argument, " is no buffer of any graph");
    }
    if (needed > buffer.capacity) {
        return refuse(ErrorCode::invalid_argument,
                      concat(" has room for ", buffer.capacity, " elements; ", needed, " are needed"));
    }
    return needed * words <= ~0U ||
           refuse(ErrorCode::limit_exceeded,
                  concat(" has ", needed, " elements of ", words, " words; less than 2^32 words can be reached"));
}

bool check_apart(Graph& graph, const char* primitive, std::span<const BufferId> written,
                 std::span<const BufferId> only_read) {
    for (auto output = written.begin(); output != written.end(); ++output) {
        const auto same = [&](BufferId other) { return output->valid() && other.index == output->index; };
        if (std::any_of(only_read.begin(), only_read.end(), same) || std::any_of(output + 1, written.end(), same)) {
            graph.fail({ErrorCode::invalid_argument,
                        concat(primitive, ": an output is also an input, a count or another output")});
            return false;
        }
    }
    return true;
}

bool check_doubles(Graph& graph, const char* primitive) {
    if (!graph.capabilities().float64) {
        graph.fail({ErrorCode::unsupported, concat(primitive, ": of doubles; the device has none")});
    }
    return graph.capabilities().float64;
}

BufferId buffer_of(const Count& count) {
    return count.kind == Count::Kind::gpu ? count.buffer : BufferId{};
}

std::uint32_t key_numbers(Scalar scalar) {
    switch (scalar) {
    case Scalar::i32:
    case Scalar::i64: return 1;
    case Scalar::f32:
    case Scalar::f64: return 2;
    default: return 0;
    }
}

std::uint32_t plain_workgroup(const Capabilities& device) {
    return std::bit_floor(std::min(256U, device.max_workgroup_invocations));
}

Pass elementwise_pass(Graph& graph, const char* name, ShaderSource shader, const Count& count, std::uint32_t words,
                      BufferId stand_in) {
    const std::uint32_t workgroup = plain_workgroup(graph.capabilities());
    const CountInputs inputs = count_inputs(count, stand_in);
    Pass pass;
    pass.name = name;
    pass.shader = std::move(shader);
    pass.bindings = {inputs.binding};
    pass.push = {inputs.max_count, inputs.word};
    pass.constants = {workgroup, inputs.on_gpu, words};
    pass.dispatch = Dispatch::elements(count, 4 * workgroup);
    return pass;
}

} // namespace weir
