#include <algorithm>

#include "engine/text.hpp"
#include "primitives/kernel.hpp"
#include "primitives/monoid.hpp"
#include "primitives/scan_pass.hpp"

namespace weir {

namespace {

constexpr std::uint32_t first_fused_binding = 6; // after those of shaders/scan/scan.glsl; one more with counters

/// The buffers of a fused scan, as its functions see them.
std::string declare(const std::vector<FusedBuffer>& buffers, std::uint32_t first_binding) {
    std::string text;
    for (std::uint32_t i = 0; i < buffers.size(); ++i) {
        const Access access = buffers[i].binding.access;
        text += concat("layout(set = 0, binding = ", first_binding + i, ") ",
                       access == Access::shader_read    ? "readonly "
                       : access == Access::shader_write ? "writeonly "
                                                        : "",
                       "buffer FusedBuffer", i, " {", with_lines(buffers[i].declaration + ";", "buffers"), "};\n");
    }
    return text;
}

} // namespace

ShaderSource custom_scan_kernel(const Monoid& monoid, const FusedScan* fused, bool instrumented) {
    std::string text = "#version 460\n"
                       "#extension GL_GOOGLE_include_directive : require\n"
                       "#extension GL_GOOGLE_cpp_style_line_directive : require\n";
    if (instrumented) {
        text += "#define INSTRUMENTED\n";
    }
    text += monoid_glsl(monoid, fused != nullptr ? declare(fused->buffers, first_fused_binding + (instrumented ? 1 : 0))
                                                 : std::string());
    if (fused != nullptr) {
        text += concat("#define CUSTOM_LOAD\n#define CUSTOM_STORE\nT load(uint i) {",
                       with_lines(fused->load, monoid.name + ".load"),
                       "}\nvoid store(uint i, T element, T exclusive, T inclusive) {",
                       with_lines(fused->store, monoid.name + ".store"), "}\n");
    }
    return ShaderSource::glsl(text + "#include <weir/scan.glsl>\n", monoid.name);
}

void fused_scan(Graph& graph, const FusedScan& fused) {
    const auto words = monoid_words(fused.monoid);
    if (!words) {
        graph.fail(words.error());
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
    ScanPass scan;
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
    scan.faults = fused.faults;
    scan.counters = fused.counters;
    scan.tuning = fused.tuning;
    add_scan_pass(graph, scan,
                  [&](bool is_instrumented) { return custom_scan_kernel(fused.monoid, &fused, is_instrumented); });
}

} // namespace weir
