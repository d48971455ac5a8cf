#include <weir/primitives/scan.hpp>

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
            out.other_output = typed<T>(to, given.other_output, "the other output");
            out.total = typed<T>(to, given.total, "the total");
            out.segments = segments_of(given.segments);
            out.input_layout = layout_of(given.input_layout);
            out.output_layout = layout_of(given.output_layout);
            return to_c(weir::scan(to, input<T>(to, in, "the input"), out));
        });
    });
}
