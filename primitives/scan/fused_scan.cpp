#include <algorithm>
#include <utility>

#include "engine/base/strings.hpp"
#include "primitives/kernel/kernel.hpp"
#include "primitives/kernel/kernel_text.hpp"
#include "primitives/kernel/monoid.hpp"
#include "primitives/scan/scan_pass.hpp"
#include "primitives/scan/scan_variant.hpp"

namespace weir {

namespace {

std::uint32_t first_fused_binding(bool segmented, bool instrumented) {
    return (segmented ? ScanInterface::SEGMENTED_END_BINDING : ScanInterface::END_BINDING) + (instrumented ? 1 : 0);
}

} // namespace

std::string fused_functions(const FusedScan& fused, std::uint32_t first_binding) {
    const std::string seen =
        "#include <weir/scan_push.glsl>\n" + declare_buffers(fused.buffers, first_binding, "FusedBuffer");
    return concat(declare_values(fused.values), monoid_glsl(fused.monoid, seen),
                  // Precise, so that the owner of a tile and a fallback load the same values.
                  "#define CUSTOM_LOAD\n#define CUSTOM_STORE\nprecise T load(uint i) {",
                  with_lines(fused.load, fused.monoid.name + ".load"),
                  "}\nvoid store(uint i, T element, T exclusive, T inclusive, uint n, bool is_last) {",
                  with_lines(fused.store, fused.monoid.name + ".store"), "}\n");
}

namespace {

std::string macros_of(bool segmented, const ScanKernel& kernel) {
    return concat(kernel.instrumented ? "#define INSTRUMENTED\n" : "",
                  kernel.states == testing::TileStates::packed ? "#define PACKED_STATES\n" : "",
                  segmented ? "#define SEGMENTED\n" : "", kernel.by_key ? "#define REDUCED_BY_KEY\n" : "");
}

/// Returns the kernel: the macros, `definitions` of the monoid and the rest, and the file of the kernel.
ShaderSource scan_kernel(bool segmented, const ScanKernel& kernel, const std::string& definitions,
                         const std::string& name) {
    static const testing::ScanVariant none;
    const testing::ScanVariant& variant = kernel.variant != nullptr ? *kernel.variant : none;
    ShaderSource source = ShaderSource::glsl(concat(glsl_version(), macros_of(segmented, kernel), variant.defines,
                                                    definitions, "#include <", variant.kernel, ">\n"),
                                             name);
    for (const auto& [path, text] : variant.files) {
        source.include_text(path, text);
    }
    return source;
}

} // namespace

ShaderSource built_in_scan_kernel(const TypeKernels& kernels, bool segmented, const ScanKernel& kernel) {
    return scan_kernel(segmented, kernel, define_element(kernels), "scan");
}

ShaderSource defined_scan_kernel(const std::string& definitions, const ScanKernel& kernel, const std::string& name) {
    return scan_kernel(true, kernel, definitions, name);
}

ShaderSource custom_scan_kernel(const Monoid& monoid, const FusedScan* fused, bool segmented,
                                const ScanKernel& kernel) {
    return scan_kernel(segmented, kernel,
                       fused != nullptr ? fused_functions(*fused, first_fused_binding(segmented, kernel.instrumented))
                                        : monoid_glsl(monoid, {}),
                       monoid.name);
}

void fused_scan(const GraphCall& graph, const FusedScan& fused) {
    const auto words = monoid_words(fused.monoid, graph->capabilities());
    if (!words) {
        graph->fail(words.error());
        return;
    }
    if (!fused.initial.empty() && fused.initial.size() != *words) {
        refuse_scan(graph, ErrorCode::invalid_argument,
                    concat("the initial value has ", fused.initial.size(), " words, the struct of monoid '",
                           fused.monoid.name, "' has ", *words));
        return;
    }
    if (fused.output_total.valid() && fused.output_total.capacity < *words) {
        refuse_scan(
            graph, ErrorCode::invalid_argument,
            concat("the total has a capacity of ", fused.output_total.capacity, " words; ", *words, " are required"));
        return;
    }
    if (!check_values(graph, "scan", fused.values) ||
        !check_segments(graph, "scan", fused.segments, fused.count.max, true)) {
        return;
    }
    const bool segmented = fused.segments.kind != Segments::Kind::none;
    if (segmented && fused.output_total.valid()) {
        refuse_scan(graph, ErrorCode::invalid_argument, "a total is not supported for a scan of segments");
        return;
    }
    ScanPass scan;
    scan.segments = fused.segments;
    scan.name = fused.monoid.name;
    scan.words = *words;
    scan.count = fused.count;
    for (const FusedBuffer& buffer : fused.buffers) {
        scan.fused.push_back(buffer.binding);
        scan.in_place = scan.in_place || buffer.binding.access == Access::shader_read_write;
    }
    scan.values = fused.values;
    if (fused.output_total.valid()) {
        scan.total = write(fused.output_total);
    }
    if (!fused.initial.empty()) {
        std::copy(fused.initial.begin(), fused.initial.end(), scan.initial.emplace().begin());
    }
    scan.exact = fused.monoid.exact;
    scan.packable = true;
    scan.tuning = fused.tuning;
    add_scan_pass(graph, scan, [&](const ScanKernel& kernel) {
        return custom_scan_kernel(fused.monoid, &fused, segmented, kernel);
    });
}

} // namespace weir
