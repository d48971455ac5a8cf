#include "primitives/reduce/reduce_pass.hpp"

#include <algorithm>
#include <bit>

#include "engine/base/strings.hpp"
#include "primitives/kernel/kernel.hpp"
#include "primitives/kernel/shapes.hpp"

namespace weir {

namespace {

/// Fills in the members of `shape` that are 0, by device and size. Limits the number of workgroups to what the input
/// needs.
ReduceTuning choose_shape(const Capabilities& device, const SubgroupChoice& subgroup, std::uint64_t words,
                          std::uint32_t chunk_words, ReduceTuning shape) {
    if (shape.workgroup > max_workgroup(device, subgroup) || shape.chunks > max_chunks) {
        return shape; // reduce_pass reports the error
    }
    const KernelShape& best = kernel_shape(device, ShapeKernel::reduce, words);
    if (shape.workgroup == 0) {
        shape.workgroup = std::min(best.workgroup, max_workgroup(device, subgroup));
    }
    if (shape.chunks == 0) {
        shape.chunks = std::max(1U, best.items * 4 / chunk_words);
    }
    if (shape.workgroups == 0) {
        shape.workgroups = best.groups;
    }
    const std::uint64_t step_words = std::uint64_t{shape.workgroup} * shape.chunks * chunk_words;
    shape.workgroups = static_cast<std::uint32_t>(
        std::clamp<std::uint64_t>((words + step_words - 1) / step_words, 1, shape.workgroups));
    return shape;
}

} // namespace

std::optional<Pass> reduce_pass(Graph& graph, const ReducePass& reduction) {
    const Capabilities& device = graph.capabilities();
    const SubgroupChoice subgroup = choose_subgroup(graph, reduction.name, reduction.tuning.subgroup_size);
    const std::uint32_t words = reduction.words;
    const ReduceTuning shape = choose_shape(device, subgroup, std::uint64_t{reduction.count.max} * words,
                                            chunk_elements(words) * words, reduction.tuning);
    if (!std::has_single_bit(shape.workgroup) || shape.workgroup < subgroup.least ||
        shape.workgroup > max_workgroup(device, subgroup) || shape.chunks > max_chunks || shape.workgroups > 65535) {
        graph.fail(
            {ErrorCode::invalid_argument,
             shape.chunks > max_chunks ? concat(reduction.name, ": ", shape.chunks, " chunks per invocation; at most ",
                                                max_chunks, " are supported")
             : shape.workgroups > 65535
                 ? concat(reduction.name, ": ", shape.workgroups, " workgroups; at most 65535 are supported")
                 : concat(reduction.name, ": a workgroup of ", shape.workgroup, " invocations; powers of two from ",
                          subgroup.least, " to ", max_workgroup(device, subgroup), " are supported")});
        return std::nullopt;
    }
    if (!check_workgroup_memory(graph, reduction.name, shape.workgroup, subgroup, words, 0)) {
        return std::nullopt;
    }
    const auto initial = reduction.op.initial.value_or(std::array<std::uint32_t, 16>{});
    Pass pass = kernel_pass(reduction.name, reduction.shader, subgroup);
    Binding parts = unused(reduction.output);
    if (shape.workgroups > 1) {
        parts = read_write(graph.state_buffer<std::uint32_t>("partial results",
                                                             ReduceInterface::FIRST_PART + shape.workgroups * words));
    }
    set_bindings(pass, {{ReduceInterface::INPUT_BINDING,
                         reduction.input.valid() ? read(reduction.input) : unused(reduction.output)},
                        {ReduceInterface::OUTPUT_BINDING, write(reduction.output)},
                        {ReduceInterface::PARTS_BINDING, parts}});
    set_constants(pass, ReduceInterface{
                            .WORKGROUP = shape.workgroup,
                            .SUBGROUP = subgroup.known,
                            .CHUNKS = shape.chunks,
                            .REDUCE_OPERATOR = reduction.op.op,
                            .INITIAL = initial_mode(reduction.op.initial.has_value(), reduction.op.initial_of_nothing),
                            .WHOLE_VECTORS = reduction.whole_vectors,
                            .SHUFFLE_BARRIERS = device.shuffles_need_barriers(),
                            .ALONE = shape.workgroups == 1});
    add_count(pass, reduction.count, reduction.output, ReduceInterface::COUNTS_BINDING, &ReduceInterface::COUNT_ON_GPU);
    push_words(pass, {reduction.layout.offset, reduction.layout.stride});
    pass.push.insert(pass.push.end(), initial.begin(), initial.begin() + words);
    pass.dispatch = Dispatch::groups(shape.workgroups);
    return pass;
}

} // namespace weir
