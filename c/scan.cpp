#include <weir/primitives/scan.hpp>
#include <weir/primitives/scan_columns.hpp>

#include "c/convert.hpp"

using namespace weir::c;
using weir::Graph;

weir_buffer_ref weir_scan(weir_graph* graph, weir_buffer_ref in, const weir_scan_options* options) {
    return add(graph, __func__, [&](Graph& to) {
        const auto given = options_or_zeros(options);
        return with_type(Elements(), "the input", in.type, [&]<class T>(std::type_identity<T>) {
            weir::ScanOptions<T> out;
            out.kind = given.exclusive != VK_FALSE ? weir::ScanKind::exclusive : weir::ScanKind::inclusive;
            out.op = operator_of(given.op, given.monoid);
            out.initial = value_of<T>(given.initial);
            out.output = typed<T>(to, given.output, "the output");
            out.output_other = typed<T>(to, given.output_other, "the other output");
            out.output_total = typed<T>(to, given.output_total, "the total");
            out.segments = segments_of(given.segments);
            out.input_layout = layout_of(given.input_layout);
            out.output_layout = layout_of(given.output_layout);
            return to_c(weir::scan(to, input<T>(to, in, "the input"), out));
        });
    });
}

weir_buffer_ref weir_scan_columns(weir_graph* graph, weir_buffer_ref in, std::uint32_t rows, std::uint32_t columns,
                                  const weir_column_scan_options* options) {
    return add(graph, __func__, [&](Graph& to) {
        const auto given = options_or_zeros(options);
        return with_type(Elements(), "the input", in.type, [&]<class T>(std::type_identity<T>) {
            weir::ColumnScanOptions<T> out;
            out.kind = given.exclusive != VK_FALSE ? weir::ScanKind::exclusive : weir::ScanKind::inclusive;
            out.op = operator_of(given.op, given.monoid);
            out.initial = value_of<T>(given.initial);
            out.output = typed<T>(to, given.output, "the output");
            out.input_layout = {given.input_offset, given.input_pitch};
            out.output_layout = {given.output_offset, given.output_pitch};
            return to_c(weir::scan_columns(to, input<T>(to, in, "the input"), {rows, columns}, out));
        });
    });
}

void weir_add_fused_scan(weir_graph* graph, const weir_fused_scan* scan) {
    add(graph, __func__, [&](Graph& to) {
        const auto given = needed_struct(scan, "the scan");
        weir::FusedScan out;
        out.monoid = monoid_of(given.monoid);
        out.count = count_of(given.count);
        out.buffers = buffers_of(given.buffers, given.buffer_count);
        out.values = values_of(given.values, given.value_count);
        out.load = text(given.load);
        out.store = text(given.store);
        if (given.initial != nullptr) {
            if (given.words == 0 || given.words > 16) {
                refuse("an element has " + std::to_string(given.words) + " words; 1 to 16 are supported");
            }
            out.initial.resize(given.words);
            std::memcpy(out.initial.data(), given.initial, std::size_t{given.words} * 4);
        }
        out.output_total = words(to, given.output_total, "the total");
        out.segments = segments_of(given.segments);
        weir::fused_scan(to, out);
    });
}
