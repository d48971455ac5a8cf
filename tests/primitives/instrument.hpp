#pragma once

#include <variant>

#include <gtest/gtest.h>

#include <weir/testing/instrument.hpp>

#include "strategies/strategies.hpp"

namespace weir::tests {

namespace testing = ::testing; // GoogleTest, not weir::testing

using weir::testing::Instrument;
using weir::testing::LookBackCounters;
using weir::testing::TileStates;

/// The faults of tiles that post nothing, that post late, and that post only the first part of each value.
constexpr Instrument::Kind all_faults[] = {Instrument::Kind::never_post, Instrument::Kind::late_post,
                                           Instrument::Kind::torn_post};

/// Returns `instrument`, with `seed` instead of a seed that is not 0.
inline Instrument with_seed(Instrument instrument, const Count& seed) {
    if (std::get<std::uint32_t>(instrument.seed) != 0) {
        instrument.seed = seed;
    }
    return instrument;
}

} // namespace weir::tests
