// Scans give the same results with packed tile states.

#include "tests/primitives/harness.hpp"
#include "tests/primitives/scan_cases.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::tile_states_test {
namespace {

const Sweeps sweeps{"TileStates.*"};

using Kind = Instrument::Kind;

ScanTuning small_shape() {
    return {.workgroup = std::min(64U, max_workgroup()), .chunks = 2};
}
constexpr std::uint32_t small_tile = 64 * 2 * 4; // maximum, in words

/// Returns the error of a scan with packed tile states and these options, or "no error".
template <class T>
std::string refusal(const Capabilities& device, const ScanOptions<T>& options = {}) {
    Graph graph(device);
    const auto in = graph.import_buffer<T>("in", 100);
    const auto scope = weir::testing::instrument(graph, {.tile_states = TileStates::packed});
    scan(graph, in, options);
    return plan_error(graph);
}

TEST(TileStates, Packed) {
    if (!has_packed_states()) {
        EXPECT_THAT(refusal<std::uint32_t>(test_context().capabilities()),
                    HasSubstr("packed tile states are not supported: the device has no 64-bit atomics"));
        return;
    }
    const std::uint32_t n = 70 * small_tile + 3;
    for (Instrument instrument : {Instrument{}, {.one_in = 2}, {.one_in = 3, .kind = Kind::torn_post}}) {
        instrument.tile_states = TileStates::packed;
        for (const ElementType element : {ElementType{Scalar::u32, 1}, {Scalar::f32, 1}, {Scalar::i64, 1}}) {
            check({.element = element,
                   .kind = ScanKind::exclusive,
                   .in_place = true,
                   .capacity = n,
                   .n = n,
                   .instrument = instrument,
                   .tuning = small_shape()},
                  20);
        }
    }
}

TEST(TileStates, RejectsUnsupportedElements) {
    Capabilities device = test_context().capabilities();
    device.int64 = device.int64_atomics = true;
    EXPECT_THAT(refusal<float>(device, {.segments = Segments::of_length(3)}),
                HasSubstr("packed tile states are not supported for these elements or segments"));
}

} // namespace
} // namespace weir::tests::tile_states_test
