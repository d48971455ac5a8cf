#pragma once

#include <cstdlib>

namespace weir::tests {

/// Returns true if this run includes the longer sweeps (./run tests --long).
inline bool long_tests() {
    return std::getenv("WEIR_TESTS_LONG") != nullptr;
}

} // namespace weir::tests
