#include "primitives/kernel/instrument.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "engine/base/strings.hpp"
#include "primitives/kernel/kernel.hpp"

namespace weir::testing {

namespace {

constexpr const char* function = "instrument";

bool check(Graph& graph, const Instrument& settings) {
    const BufferRef<std::uint32_t>& counters = settings.counters;
    if (counters.valid() && counters.capacity < 4) {
        graph.fail({ErrorCode::invalid_argument,
                    concat(function, ": the counters have ", counters.capacity, " words; at least 4 are required")});
        return false;
    }
    return check_enum(graph, function, "Instrument::Kind", settings.kind, Instrument::Kind::out_of_order) &&
           check_enum(graph, function, "Instrument::Order", settings.order, Instrument::Order::random) &&
           check_enum(graph, function, "TileStates", settings.tile_states, TileStates::packed);
}

} // namespace

const char* to_string(TileStates states) {
    static constexpr std::array names{"automatic", "split", "packed"};
    return name_in(names, states);
}

InstrumentScope instrument(Graph& graph, const Instrument& settings, SourceLocation where) {
    const GraphCall call(graph, where);
    if (!check(graph, settings)) {
        return {graph, {}};
    }
    if (settings.counters.valid()) {
        graph.add_fill("zero look-back counters", settings.counters, 0);
    }
    return {graph, settings};
}

} // namespace weir::testing

namespace weir {

InstrumentScope::InstrumentScope(Graph& graph, const testing::Instrument& settings)
    : graph_(graph), before_(std::exchange(graph.instrument_, this)), settings_(settings) {}

InstrumentScope::~InstrumentScope() {
    graph_.instrument_ = before_;
}

const InstrumentScope* InstrumentScope::innermost(const Graph& graph) {
    return graph.instrument_;
}

const testing::Instrument& instrument_of(const Graph& graph) {
    static constexpr testing::Instrument none;
    const InstrumentScope* scope = InstrumentScope::innermost(graph);
    return scope != nullptr ? scope->settings_ : none;
}

bool injects(const testing::Instrument& instrument) {
    return instrument.one_in != 0 || instrument.order != testing::Instrument::Order::as_started;
}

bool instrumented(const Graph& graph) {
    const testing::Instrument& instrument = instrument_of(graph);
    return injects(instrument) || instrument.counters.valid();
}

void add_instrument(const Graph& graph, Pass& pass) {
    constexpr std::uint32_t most = sizeof(testing::LookBackCounters) / 4;
    const testing::Instrument& instrument = instrument_of(graph);
    const BufferRef<std::uint32_t>& counters = instrument.counters;
    pass.bindings.push_back(counters.valid() ? read_write(counters) : unused(pass.bindings.front().resource));
    pass.push.insert(pass.push.end(), {instrument.one_in, static_cast<std::uint32_t>(instrument.kind), instrument.seed,
                                       static_cast<std::uint32_t>(instrument.order),
                                       counters.valid() ? std::min(counters.capacity, most) : 0U});
}

} // namespace weir
