#pragma once

#include <cstdlib>

namespace weir::tests {

/// Whether the longer sweeps were asked for (./run tests --long).
inline bool long_tests() {
    return std::getenv("WEIR_TESTS_LONG") != nullptr;
}

} // namespace weir::tests
