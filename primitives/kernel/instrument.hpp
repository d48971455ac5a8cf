#pragma once

#include <weir/testing/instrument.hpp>

// Single-pass primitives add their passes according to the instrument of the graph.

namespace weir {

/// Returns the instrument of the innermost scope, or a default one if there is no scope.
const testing::Instrument& instrument_of(const Graph& graph);

/// Returns whether the faults change the behavior of any tile.
bool injects(const testing::Instrument& instrument);

/// Returns whether single-pass primitives run their instrumented kernels.
bool instrumented(const Graph& graph);

/// Appends the inputs of an instrumented kernel: the counters to the bindings, and the push constants of
/// shaders/lib/last_push.glsl. Without counters nothing is counted, so that faults alone can be timed.
void add_instrument(const Graph& graph, Pass& pass);

} // namespace weir
