#pragma once

#include <variant>

#include <gtest/gtest.h>

#include <weir/testing/instrument.hpp>

namespace weir::tests {

namespace testing = ::testing; // GoogleTest, not weir::testing

using weir::testing::Instrument;
using weir::testing::LookBackCounters;
using weir::testing::ScanStrategy;
using weir::testing::SubgroupScans;
using weir::testing::TileStates;

/// Returns `instrument`, with `seed` instead of a seed that is not 0.
inline Instrument with_seed(Instrument instrument, const Count& seed) {
    if (std::get<std::uint32_t>(instrument.seed) != 0) {
        instrument.seed = seed;
    }
    return instrument;
}

} // namespace weir::tests
