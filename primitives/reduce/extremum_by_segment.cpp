#include <weir/primitives/extremum_by_segment.hpp>

#include <vector>

#include "engine/base/strings.hpp"
#include "primitives/kernel/checks.hpp"
#include "primitives/kernel/elementwise.hpp"
#include "primitives/kernel/key_numbers.hpp"
#include "primitives/scan/scan_pass.hpp"
#include "weir_shaders.hpp"

namespace weir {

namespace {

using detail::SegmentedExtremumRequest;

bool check(Graph& graph, const SegmentedExtremumRequest& request) {
    const Segments& segments = request.segments;
    const auto refuse = [&](const char* why) {
        graph.fail({ErrorCode::invalid_argument, concat(request.name, ": ", why)});
        return false;
    };
    if (!check_input(graph, request.name, request.input) ||
        !check_segments(graph, request.name, segments, request.count.max, true)) {
        return false;
    }
    if (segments.kind != Segments::Kind::length && !has_offsets(segments)) {
        return refuse("segments must have one length, be at offsets or be in ranges");
    }
    const std::uint32_t words = request.element.words(), most = segments.max_segments(request.count.max);
    if (!check_layout(graph, request.name, {"the input", request.input_words, words, request.input_layout},
                      request.count.max)) {
        return false;
    }
    std::vector<BufferId> written;
    for (std::size_t i = 0; i < (request.both ? 2 : 1); ++i) {
        const SegmentedExtremumRequest::Output& output = request.outputs.at(i);
        if (!check_layout(graph, request.name, {"the output of values", output.value_words, words, {}}, most) ||
            !check_room(graph, request.name, {"the output of positions", output.position, output.position.capacity},
                        most, 1)) {
            return false;
        }
        written.insert(written.end(), {output.value, output.position});
    }
    const BufferId seen[] = {request.input,
                             segments.buffer,
                             segments.ends,
                             buffer_of(request.count),
                             buffer_of(segments.count),
                             buffer_of(segments.variable_length)};
    return check_apart(graph, request.name, written, seen);
}

ShaderSource kernel_of(const SegmentedExtremumRequest& request, const ScanKernel& kernel) {
    const bool is_wide = request.element.words() == 2;
    if (kernel.is_common() && kernel.states == testing::TileStates::split) {
        return ShaderSource::packed(request.both
                                        ? (is_wide ? shaders::segment_extrema_2 : shaders::segment_extrema_1)
                                        : (is_wide ? shaders::segment_extremum_2 : shaders::segment_extremum_1),
                                    request.name);
    }
    return defined_scan_kernel(concat("#define EXTREMA\n#define NUMBER_WORDS ", request.element.words(),
                                      request.both ? "\n#define BOTH_EXTREMA\n" : "\n"),
                               kernel, request.name);
}

} // namespace

void detail::add_segmented_extremum(Graph& graph, const SegmentedExtremumRequest& request) {
    if (!check(graph, request)) {
        return;
    }
    const std::uint32_t words = request.element.words();
    ScanPass scan;
    scan.name = request.name;
    scan.words = (words + 1) * (request.both ? 2 : 1); // the words of a key and an index
    scan.count = request.count;
    scan.items = {read(request.input), write(request.outputs[0].value)};
    scan.other = write(request.outputs[0].position);
    if (request.both) {
        scan.fused = {write(request.outputs[1].value), write(request.outputs[1].position)};
    }
    scan.in = request.input_layout;
    scan.in.stride = scan.in.stride != 0 ? scan.in.stride : words;
    scan.exact = true;
    scan.segments = request.segments;
    scan.segment_ends = true;
    scan.extrema = {.numbers = key_numbers(request.element.scalar),
                    .greatest = request.greatest,
                    .in_segment = request.positions_in_segments};
    scan.tuning = request.tuning;
    add_scan_pass(graph, scan, [&](const ScanKernel& kernel) { return kernel_of(request, kernel); });
}

} // namespace weir
