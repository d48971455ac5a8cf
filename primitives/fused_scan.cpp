#include <algorithm>

#include "engine/text.hpp"
#include "primitives/kernel.hpp"
#include "primitives/monoid.hpp"
#include "primitives/scan_pass.hpp"

namespace weir {

namespace {

/// After the bindings of shaders/scan/scan.glsl.
std::uint32_t first_fused_binding(bool segmented, bool instrumented) {
    return 6 + (segmented ? 2 : 0) + (instrumented ? 1 : 0);
}

} // namespace

std::string declare_buffers(const std::vector<FusedBuffer>& buffers, std::uint32_t first_binding,
                            const std::string& name) {
    std::string text;
    for (std::uint32_t i = 0; i < buffers.size(); ++i) {
        const Access access = buffers[i].binding.access;
        text += concat("layout(set = 0, binding = ", first_binding + i, ") ",
                       access == Access::shader_read    ? "readonly "
                       : access == Access::shader_write ? "writeonly "
                                                        : "",
                       "buffer ", name, i, " {", with_lines(buffers[i].declaration + ";", "buffers"), "};\n");
    }
    return text;
}

ShaderSource custom_scan_kernel(const Monoid& monoid, const FusedScan* fused, bool segmented, ScanKernel kernel) {
    std::string text = glsl_version();
    if (kernel.instrumented) {
        text += "#define INSTRUMENTED\n";
    }
    if (kernel.states == TileStates::packed) {
        text += "#define PACKED_STATES\n";
    } else if (kernel.states == TileStates::flagged) {
        text += "#define FLAGGED_STATES\n";
    }
    if (segmented) {
        text += "#define SEGMENTED\n";
    }
    if (kernel.by_key) {
        text += "#define REDUCED_BY_KEY\n";
    }
    text += monoid_glsl(monoid, fused != nullptr ? declare_buffers(fused->buffers,
                                                                   first_fused_binding(segmented, kernel.instrumented),
                                                                   "FusedBuffer")
                                                 : std::string());
    if (fused != nullptr) {
        text += concat("#define CUSTOM_LOAD\n#define CUSTOM_STORE\nT load(uint i) {",
                       with_lines(fused->load, monoid.name + ".load"),
                       "}\nvoid store(uint i, T element, T exclusive, T inclusive) {",
                       with_lines(fused->store, monoid.name + ".store"), "}\n");
    }
    text += kernel.in_phases ? "#include <weir/scan_phases.glsl>\n" : "#include <weir/scan.glsl>\n";
    return ShaderSource::glsl(text, monoid.name);
}

void fused_scan(const GraphCall& graph, const FusedScan& fused) {
    const auto words = monoid_words(fused.monoid);
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
    if (fused.total.valid() && fused.total.capacity < *words) {
        refuse_scan(graph, ErrorCode::invalid_argument,
                    concat("the total has room for ", fused.total.capacity, " words and needs ", *words));
        return;
    }
    if (!check_segments(graph, "scan", fused.segments, fused.count.max)) {
        return;
    }
    const bool segmented = fused.segments.kind != Segments::Kind::none;
    if (segmented && fused.total.valid()) {
        refuse_scan(graph, ErrorCode::invalid_argument, "a scan of segments has no total");
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
    if (fused.total.valid()) {
        scan.total = write(fused.total);
    }
    if (!fused.initial.empty()) {
        std::copy(fused.initial.begin(), fused.initial.end(), scan.initial.emplace().begin());
    }
    scan.exact = fused.monoid.exact;
    scan.packable = scan.flaggable = true;
    scan.faults = fused.faults;
    scan.counters = fused.counters;
    scan.tuning = fused.tuning;
    add_scan_pass(graph, scan,
                  [&](ScanKernel kernel) { return custom_scan_kernel(fused.monoid, &fused, segmented, kernel); });
}

} // namespace weir
