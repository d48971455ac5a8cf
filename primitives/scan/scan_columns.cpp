#include <weir/primitives/scan_columns.hpp>

#include <algorithm>
#include <bit>
#include <string>

#include "engine/base/strings.hpp"
#include "primitives/kernel/built_in.hpp"
#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/interface.hpp"
#include "primitives/kernel/kernel.hpp"
#include "primitives/kernel/kernel_text.hpp"
#include "primitives/kernel/monoid.hpp"

namespace weir {

namespace {

struct ColumnScanInterface {
#include "shaders/scan/column_scan_interface.h"
};

using Interface = ColumnScanInterface;
using detail::ColumnScanRequest;

constexpr const char* primitive = "scan of columns";
constexpr std::uint32_t max_matrix_rows = 1U << 31; // the kernel adds the rows of a part to a row number
constexpr std::uint32_t max_rows = 64;              // rows that an invocation processes at a time

bool refuse(Graph& graph, ErrorCode code, const std::string& why) {
    graph.fail({code, concat(primitive, ": ", why)});
    return false;
}

std::uint32_t pitch_of(MatrixSize size, MatrixLayout layout) {
    return layout.pitch != 0 ? layout.pitch : size.columns;
}

struct Shape {
    SubgroupChoice subgroup;
    std::uint32_t workgroup = 0, width = 0, rows = 0;
    std::uint32_t strips = 0, parts = 0;
    std::uint32_t turns = 0; ///< tiles per part

    [[nodiscard]] std::uint32_t tile_rows() const { return workgroup / width * rows; }
};

bool is_empty(MatrixSize size) {
    return size.rows == 0 || size.columns == 0;
}

/// Chooses the kernel shape by device and size.
Shape choose_shape(const Capabilities& device, const SubgroupChoice& subgroup, const ColumnScanRequest& request) {
    const std::uint32_t words = request.element.words();
    const ColumnScanTuning& tuning = request.tuning;
    const bool is_cpu = device.kind == DeviceKind::cpu;
    const std::uint32_t rows = std::max(1U, request.size.rows), columns = std::max(1U, request.size.columns);
    Shape shape{.subgroup = subgroup, .workgroup = tuning.workgroup, .width = tuning.width, .rows = tuning.rows};
    if (shape.workgroup == 0) {
        // Values of all invocations may take half of the workgroup memory.
        const std::uint32_t room = std::bit_floor(device.max_workgroup_memory / 2 / (padded_words(words) * 4));
        shape.workgroup = std::max(subgroup.least, std::min({256U, max_workgroup(device, subgroup), room}));
    }
    if (shape.width == 0) {
        const std::uint32_t side_by_side = words == 1 ? 64 : 32; // an estimate: whole cache lines
        shape.width = std::min(std::bit_ceil(std::min(columns, side_by_side)), shape.workgroup);
    }
    if (shape.rows == 0) {
        shape.rows = std::max(1U, 16 / words); // registers for 16 words
    }
    if (shape.width > shape.workgroup || shape.workgroup > max_workgroup(device, subgroup) || shape.rows > max_rows) {
        return shape; // refused by check_shape
    }
    shape.strips = divide_up(columns, shape.width);
    const std::uint32_t tiles = divide_up(rows, shape.tile_rows());
    // Estimates: `enough` workgroups fill a device. With a quarter of them, reading the input once is better.
    const std::uint32_t enough = is_cpu ? 64 : 2048;
    shape.parts = is_empty(request.size)       ? 1 // no elements for a spine
                  : tuning.parts != 0          ? tuning.parts
                  : shape.strips >= enough / 4 ? 1
                                               : divide_up(enough, shape.strips);
    shape.turns = divide_up(tiles, std::min(shape.parts, tiles));
    shape.parts = divide_up(tiles, shape.turns);
    return shape;
}

bool check_matrix(Graph& graph, const char* what, BufferId buffer, std::uint64_t capacity, MatrixLayout layout,
                  const ColumnScanRequest& request) {
    if (pitch_of(request.size, layout) < request.size.columns) {
        return refuse(
            graph, ErrorCode::invalid_argument,
            concat("the pitch of ", what, " is ", layout.pitch, " elements; its rows have ", request.size.columns));
    }
    return check_room(graph, primitive, {what, buffer, capacity}, detail::matrix_end(request.size, layout),
                      request.element.words());
}

bool check(Graph& graph, const ColumnScanRequest& request) {
    if (!check_enum(graph, primitive, "ScanKind", request.kind, ScanKind::exclusive) ||
        !check_matrix(graph, "the input", request.input, request.input_capacity, request.input_layout, request) ||
        !check_matrix(graph, "the output", request.output, request.output_capacity, request.output_layout, request)) {
        return false;
    }
    if (request.size.rows > max_matrix_rows) {
        return refuse(graph, ErrorCode::limit_exceeded,
                      concat(request.size.rows, " rows; at most ", max_matrix_rows, " are supported"));
    }
    const bool is_same = request.input_layout.offset == request.output_layout.offset &&
                         pitch_of(request.size, request.input_layout) == pitch_of(request.size, request.output_layout);
    return request.input != request.output || is_same ||
           refuse(graph, ErrorCode::invalid_argument,
                  "input and output are the same buffer but have different layouts");
}

bool check_shape(Graph& graph, const ColumnScanRequest& request, const Shape& shape) {
    const Capabilities& device = graph.capabilities();
    const std::uint32_t most = max_workgroup(device, shape.subgroup);
    if (!std::has_single_bit(shape.workgroup) || shape.workgroup < shape.subgroup.least || shape.workgroup > most) {
        return refuse(graph, ErrorCode::invalid_argument,
                      concat("a workgroup of ", shape.workgroup, " invocations; powers of two from ",
                             shape.subgroup.least, " to ", most, " are supported"));
    }
    if (!std::has_single_bit(shape.width) || shape.width > shape.workgroup) {
        return refuse(graph, ErrorCode::invalid_argument,
                      concat("a width of ", shape.width, " columns; powers of two up to the workgroup's ",
                             shape.workgroup, " invocations are supported"));
    }
    if (shape.rows > max_rows) {
        return refuse(graph, ErrorCode::invalid_argument,
                      concat(shape.rows, " rows per invocation; at most ", max_rows, " are supported"));
    }
    const std::uint64_t bytes = std::uint64_t{shape.workgroup} * padded_words(request.element.words()) * 4;
    return bytes <= device.max_workgroup_memory ||
           refuse(graph, ErrorCode::limit_exceeded,
                  concat("the shape requires ", bytes, " bytes of workgroup memory; the device's limit is ",
                         device.max_workgroup_memory));
}

/// An operator and its kernel.
struct Kernel {
    ShaderSource shader;
    std::uint32_t op = KernelOperators::WEIR_OPERATOR_ADD;
    std::optional<std::array<std::uint32_t, 16>> initial;
};

/// Returns the kernel. Returns nothing and fails the graph if the operator is not available for these elements.
std::optional<Kernel> choose_kernel(Graph& graph, const ColumnScanRequest& request) {
    if (const Monoid* monoid = std::get_if<Monoid>(request.op)) {
        const auto words = monoid_words(*monoid, graph.capabilities());
        if (!words) {
            graph.fail(words.error());
            return std::nullopt;
        }
        if (*words != request.element.words()) {
            refuse(graph, ErrorCode::invalid_argument,
                   concat("elements have ", request.element.words(), " words, the struct of monoid '", monoid->name,
                          "' has ", *words));
            return std::nullopt;
        }
        return Kernel{.shader = ShaderSource::glsl(glsl_version() + monoid_glsl(*monoid, {}) +
                                                       "#include <weir/column_scan.glsl>\n",
                                                   monoid->name),
                      .initial = request.initial};
    }
    const auto built_in = built_in_operator(graph.capabilities(), request.element, std::get<Operator>(*request.op));
    if (!built_in) {
        refuse(graph, built_in.error().code, built_in.error().message);
        return std::nullopt;
    }
    Kernel kernel{.shader = ShaderSource::packed(*built_in->kernels->column_scan, primitive),
                  .op = built_in->op,
                  .initial = request.initial};
    if (!kernel.initial && request.kind == ScanKind::exclusive) {
        kernel.initial = built_in->of_nothing;
    }
    return kernel;
}

class ColumnScan {
public:
    ColumnScan(Graph& graph, const ColumnScanRequest& request, const Kernel& kernel, const Shape& shape)
        : graph_(graph), request_(request), kernel_(kernel), shape_(shape) {}

    void add() {
        if (shape_.parts == 1) {
            add_phase(primitive, Interface::PHASE_ALONE, {});
            return;
        }
        const auto spine = graph_.transient_buffer<std::uint32_t>(
            "spine of columns", shape_.parts * request_.size.columns * request_.element.words());
        add_phase("scan of columns: reduce", Interface::PHASE_REDUCE, write(spine));
        add_phase("scan of columns: spine", Interface::PHASE_SPINE, read_write(spine));
        add_phase("scan of columns: scan", Interface::PHASE_SCAN, read(spine));
    }

private:
    void add_phase(const char* name, std::uint32_t phase, Binding spine) {
        const bool in_place = request_.input == request_.output;
        const bool is_spine = phase == Interface::PHASE_SPINE, reduces = phase == Interface::PHASE_REDUCE;
        const BufferId stand_in{spine.resource.valid() ? spine.resource : ResourceId{request_.output}};
        Binding input = in_place || is_spine ? unused(stand_in) : read(request_.input);
        Binding output = is_spine               ? unused(stand_in)
                         : reduces && !in_place ? unused(stand_in)
                         : reduces              ? read(request_.output)
                         : in_place             ? read_write(request_.output)
                                                : write(request_.output);
        Pass pass = kernel_pass(name, kernel_.shader, shape_.subgroup);
        set_bindings(pass, {{Interface::INPUT_BINDING, input},
                            {Interface::OUTPUT_BINDING, output},
                            {Interface::SPINE_BINDING, spine.resource.valid() ? spine : unused(stand_in)}});
        const std::uint32_t words = request_.element.words(), tiles = divide_up(shape_.parts, shape_.tile_rows());
        pass.push = {is_spine ? shape_.parts : request_.size.rows,
                     request_.size.columns,
                     request_.input_layout.offset * words,
                     words,
                     pitch_of(request_.size, request_.input_layout),
                     request_.output_layout.offset * words,
                     pitch_of(request_.size, request_.output_layout),
                     is_spine ? tiles : shape_.turns};
        const auto initial = kernel_.initial.value_or(std::array<std::uint32_t, 16>{});
        pass.push.insert(pass.push.end(), initial.begin(), initial.begin() + words);
        set_constants(pass, Interface{.WORKGROUP = shape_.workgroup,
                                      .SUBGROUP = shape_.subgroup.known,
                                      .WIDTH = shape_.width,
                                      .ROWS = shape_.rows,
                                      .PHASE = phase,
                                      .SCAN_OPERATOR = kernel_.op,
                                      .EXCLUSIVE = request_.kind == ScanKind::exclusive,
                                      .INITIAL = initial_mode(kernel_.initial.has_value(), false),
                                      .IN_PLACE = in_place,
                                      .SHUFFLE_BARRIERS = graph_.capabilities().shuffles_need_barriers()});
        pass.dispatch =
            Dispatch::elements(is_empty(request_.size) ? 0 : shape_.strips * (is_spine ? 1 : shape_.parts), 1);
        graph_.add_pass(std::move(pass));
    }

    Graph& graph_;
    const ColumnScanRequest& request_;
    const Kernel& kernel_;
    const Shape& shape_;
};

} // namespace

std::uint64_t detail::matrix_end(MatrixSize size, MatrixLayout layout) {
    if (is_empty(size)) {
        return 0;
    }
    return layout.offset + std::uint64_t{size.rows - 1} * pitch_of(size, layout) + size.columns;
}

void detail::add_scan_columns(Graph& graph, const ColumnScanRequest& request) {
    if (!check_input(graph, primitive, request.input) || !check(graph, request)) {
        return;
    }
    const auto kernel = choose_kernel(graph, request);
    if (!kernel) {
        return;
    }
    const SubgroupChoice subgroup = choose_subgroup(graph, primitive, 0);
    const Shape shape = choose_shape(graph.capabilities(), subgroup, request);
    if (check_shape(graph, request, shape)) {
        ColumnScan(graph, request, *kernel, shape).add();
    }
}

} // namespace weir
