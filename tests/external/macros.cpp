// Macros of Qt, Windows, X11, Unreal Engine and Apple with common names, as in a host that includes their headers
// before Weir's. Standard headers come first, because the library of g++ undefines min and max when it is first
// included.
#include <algorithm>
#include <array>
#include <cstring>
#include <exception>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <tl/expected.hpp>
#include <vulkan/vulkan.h>

#define signals public
#define slots
#define emit
#define foreach for
#define forever for (;;)
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
#define near
#define far
#define small char
#define interface struct
#define IN
#define OUT
#define OPTIONAL
#define ERROR 0
#define DELETE 0x00010000L
#define TRUE 1
#define FALSE 0
#define CALLBACK
#define None 0L
#define Always 2
#define Success 0
#define Bool int
#define Status int
#define True 1
#define False 0
#define check(x) static_cast<void>(x)
#define checkf(x, ...) static_cast<void>(x)
#define verify(x) static_cast<void>(x)
#define ensure(x) (!!(x))
#define require(x, label)                                                                                              \
    if (!(x))                                                                                                          \
    goto label

#include <weir/graph/memory_pool.hpp>
#include <weir/graph/profile.hpp>
#include <weir/testing/instrument.hpp>
#include <weir/weir.hpp>

#if !defined(signals) || !defined(min) || !defined(max) || !defined(near) || !defined(interface) || !defined(check)
#error "a header of Weir undefines a macro of the host"
#endif

// Calls functions that take options, with designated initializers that leave some options out.
inline void add_everything(weir::Graph& graph) {
    using weir::BufferRef;
    using Word = std::uint32_t;
    const weir::Count count = graph.parameter("count", 100);
    const BufferRef<Word> words = graph.import_buffer<Word>("words", 100, count);
    const BufferRef<Word> others = graph.transient_buffer<Word>("others", 100);
    const auto floats = graph.state_buffer<float>("floats", 100);
    graph.history_buffer<float>("history", 100);
    weir::radix_sort(graph, words, {.descending = true});
    weir::radix_sort(graph, words, floats, {.descending = true});
    weir::argsort(graph, floats, {.first_bit = 8});
    weir::segmented_sort(graph, words, weir::Segments::of_length(10), {.descending = true});
    weir::top_k(graph, floats, 10, {.want_indices = true});
    weir::kth_element(graph, words, 5, {.descending = true});
    weir::scan(graph, words, {.kind = weir::ScanKind::exclusive, .op = weir::Operator::max});
    weir::reduce(graph, floats, {.op = weir::Operator::min});
    weir::reduce_by_segment(graph, words, weir::Segments::at_offsets(others), {.initial = 7});
    weir::reduce_by_key(graph, words, floats, {.initial = 1.0F});
    weir::min_element(graph, words, {.input_layout = {.stride = 2}});
    weir::select_if(graph, words, weir::Predicate::compare(weir::Comparison::less, 7U), {.want_indices = true});
    weir::select_flagged(graph, floats, words, {.output = floats});
    weir::partition(graph, words, {"x < 5u"}, {.want_indices = true});
    weir::unique(graph, words, {.want_indices = true});
    weir::unique_by_key(graph, words, floats, {.key_options = {.want_indices = true}});
    weir::run_length_encode(graph, words, {.want_offsets = true});
    weir::run_length_decode(graph, floats, words, {.capacity = 100});
    weir::expand(graph, words, {.capacity = 100});
    weir::histogram(graph, words, weir::Bins::digit(4, 0), {.output = others});
    weir::merge(graph, words, others, {.output_count = words});
    weir::merge_by_key(graph, words, floats, others, floats, {.output_count = words});
    weir::lower_bound(graph, words, others, {.output = others});
    weir::gather(graph, floats, words, {.output = floats});
    weir::scatter(graph, floats, words, floats);
    weir::fill(graph, words, 7);
    weir::iota(graph, words, 7, 2);
    weir::transform<float>(graph, words, "float(x)", {.output = floats});
    weir::adjacent_difference(graph, words, {.output = others});
    weir::fused_scan(graph, {.monoid = {.name = "sum"}, .count = count, .load = "return T(1);"});
    weir::Pass mine{
        .name = "mine", .bindings = {read(words)}, .push = {7U}, .dispatch = weir::Dispatch::elements(count, 64)};
    graph.add_pass(mine);
    graph.add_command_pass({.name = "draws",
                            .uses = {{words, weir::Access::vertex_read}},
                            .record = [=](VkCommandBuffer, const weir::CommandPassContext& pass) {
                                static_cast<void>(pass.buffer(words));
                            }});
}

inline void add_instrumented(weir::Graph& graph) {
    const auto scope = weir::testing::instrument(graph, {.one_in = 2});
    weir::scan(graph, graph.import_buffer<std::uint32_t>("scanned words", 100));
}

inline weir::Result<weir::Program> make_program() {
    return weir::Context::create({.validation = true, .log_level = weir::LogLevel::error})
        .and_then([](const weir::Context& gpu) {
            weir::Graph graph(gpu);
            add_everything(graph);
            return weir::compile(gpu, graph, {.frames_in_flight = 2});
        });
}

int main() {
    auto program = weir::unwrap(make_program());
    (weir::check)(program.submit({.signaled = {}}));
}
