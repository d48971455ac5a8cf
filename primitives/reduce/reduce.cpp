#include <weir/primitives/reduce.hpp>

#include <algorithm>
#include <bit>
#include <span>

#include "engine/text.hpp"
#include "primitives/kernel/built_in.hpp"
#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/kernel.hpp"
#include "primitives/kernel/kernel_text.hpp"
#include "primitives/kernel/key_numbers.hpp"
#include "primitives/kernel/monoid.hpp"
#include "primitives/kernel/shapes.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

struct ReduceInterface {
#include "shaders/reduce/reduce_interface.h"
};

bool refuse(Graph& graph, const detail::ReduceRequest& request, ErrorCode code, const std::string& why) {
    graph.fail({code, concat(request.name, ": ", why)});
    return false;
}

/// The kernel's shape by device and size.
ReduceTuning choose_shape(const Capabilities& device, const SubgroupChoice& subgroup, std::uint64_t words,
                          std::uint32_t chunk_words, ReduceTuning shape) {
    if (shape.workgroup > max_workgroup(device, subgroup) || shape.chunks > max_chunks) {
        return shape; // to be refused
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
    const std::uint64_t at_a_time = std::uint64_t{shape.workgroup} * shape.chunks * chunk_words;
    shape.workgroups =
        static_cast<std::uint32_t>(std::clamp<std::uint64_t>((words + at_a_time - 1) / at_a_time, 1, shape.workgroups));
    return shape;
}

bool check(Graph& graph, const detail::ReduceRequest& request, std::uint32_t words) {
    if (!check_layout(graph, request.name, {"the input", request.input_words, words, request.input_layout},
                      request.count.max)) {
        return false;
    }
    if (request.output_words < words) {
        return refuse(graph, request, ErrorCode::invalid_argument,
                      concat("the output has room for ", request.output_words, " words and needs ", words));
    }
    if (request.position.valid()) {
        const BufferId written[] = {request.output, request.position};
        const BufferId seen[] = {request.input, buffer_of(request.count)};
        return check_room(graph, request.name, {"the position's buffer", request.position, request.position.capacity},
                          1, 1) &&
               check_apart(graph, request.name, written, seen);
    }
    return request.output != request.input ||
           refuse(graph, request, ErrorCode::invalid_argument, "the output is the buffer of the input");
}

struct Kernel {
    ShaderSource shader;
    std::uint32_t op = KernelOperators::OPERATOR_ADD;
    std::optional<std::array<std::uint32_t, 16>> initial;
    bool initial_of_nothing = false; ///< it is only the result of no elements
};

/// Fails the graph if there is no kernel.
std::optional<Kernel> choose_kernel(Graph& graph, const detail::ReduceRequest& request) {
    if (request.position.valid()) {
        const Packed& shader = request.element.words() == 1 ? shaders::extremum_1 : shaders::extremum_2;
        return Kernel{.shader = ShaderSource::packed(shader, request.name)};
    }
    if (const Monoid* monoid = std::get_if<Monoid>(request.op)) {
        const auto words = monoid_words(*monoid);
        if (!words) {
            graph.fail(words.error());
            return std::nullopt;
        }
        if (*words != request.element.words()) {
            refuse(graph, request, ErrorCode::invalid_argument,
                   concat("elements have ", request.element.words(), " words, the struct of monoid '", monoid->name,
                          "' has ", *words));
            return std::nullopt;
        }
        return Kernel{.shader = ShaderSource::glsl(
                          glsl_version() + monoid_glsl(*monoid, {}) + "#include <weir/reduce.glsl>\n", monoid->name),
                      .initial = request.initial};
    }
    const auto built_in = built_in_operator(graph.capabilities(), request.element, std::get<Operator>(*request.op));
    if (!built_in) {
        refuse(graph, request, built_in.error().code, built_in.error().message);
        return std::nullopt;
    }
    return Kernel{.shader = ShaderSource::packed(*built_in->kernels->reduce, "reduce"),
                  .op = built_in->op,
                  .initial = request.initial ? request.initial : built_in->of_nothing,
                  .initial_of_nothing = !request.initial};
}

} // namespace

void detail::add_reduce(Graph& graph, const ReduceRequest& request) {
    const std::uint32_t words = request.element.words();
    if (!check_input(graph, request.name, request.input) || !check(graph, request, words)) {
        return;
    }
    const Capabilities& device = graph.capabilities();
    const SubgroupChoice subgroup = choose_subgroup(graph, request.name, request.tuning.subgroup_size);
    const std::uint32_t combined = words + (request.position.valid() ? 1 : 0); // a number and its index
    const std::uint32_t chunk = chunk_elements(combined);
    const ReduceTuning shape =
        choose_shape(device, subgroup, std::uint64_t{request.count.max} * combined, chunk * combined, request.tuning);
    if (!std::has_single_bit(shape.workgroup) || shape.workgroup < subgroup.least ||
        shape.workgroup > max_workgroup(device, subgroup) || shape.chunks > max_chunks || shape.workgroups > 65535) {
        refuse(graph, request, ErrorCode::invalid_argument,
               concat("up to ", shape.workgroups, " workgroups of ", shape.workgroup, " invocations with ",
                      shape.chunks, " chunks each; the device runs powers of two up to ",
                      max_workgroup(device, subgroup)));
        return;
    }

    const auto kernel = choose_kernel(graph, request);
    if (!kernel || !check_workgroup_memory(graph, request.name, shape.workgroup, subgroup, combined, 0)) {
        return;
    }
    const auto initial = kernel->initial.value_or(std::array<std::uint32_t, 16>{});
    const std::uint32_t stride = request.input_layout.stride != 0 ? request.input_layout.stride : words;
    const CountInputs count = count_inputs(request.count, request.input);
    Pass pass;
    pass.name = request.name;
    pass.shader = kernel->shader;
    pass.subgroup_size = subgroup.required;
    pass.full_subgroups = true;
    Binding parts = unused(request.output);
    if (shape.workgroups > 1) {
        parts = read_write(graph.state_buffer<std::uint32_t>("reduced parts", ReduceInterface::FIRST_PART +
                                                                                  shape.workgroups * combined));
    }
    set_bindings(pass, {{ReduceInterface::INPUT_BINDING, read(request.input)},
                        {ReduceInterface::OUTPUT_BINDING, write(request.output)},
                        {ReduceInterface::COUNTS_BINDING, count.binding},
                        {ReduceInterface::PARTS_BINDING, parts}});
    pass.push = {count.max_count, count.word, request.input_layout.offset, stride};
    pass.push.insert(pass.push.end(), initial.begin(), initial.begin() + combined);
    ReduceInterface constants{.WORKGROUP = shape.workgroup,
                              .SUBGROUP = subgroup.known,
                              .CHUNKS = shape.chunks,
                              .COUNT_ON_GPU = count.on_gpu,
                              .REDUCE_OPERATOR = kernel->op,
                              .INITIAL = initial_mode(kernel->initial.has_value(), kernel->initial_of_nothing),
                              .WHOLE_VECTORS = stride == words && request.input_layout.offset % 4 == 0,
                              .SHUFFLE_BARRIERS = device.shuffles_need_barriers(),
                              .ALONE = shape.workgroups == 1};
    if (request.position.valid()) {
        set_bindings(pass, {{ReduceInterface::POSITION_BINDING, write(request.position)}});
        constants.NUMBERS = key_numbers(request.element.scalar);
        constants.GREATEST = request.greatest;
    }
    set_constants(pass, constants);
    pass.dispatch = Dispatch::groups(shape.workgroups);
    graph.add_pass(std::move(pass));
}

} // namespace weir
