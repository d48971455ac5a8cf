#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

// Chooses the drivers that run a test, if ./run tests spreads tests over the configurations of tests/drivers.sh.
//
// Each device test runs on two of the available drivers, by the name of its suite and the rotation
// (WEIR_TESTS_ROTATION), a number that tests/run.sh increases with each commit. Every test therefore meets every
// driver within three commits. A sweep runs on one driver in one rotation of three. A long run and a device that is no
// configuration, such as a GPU, run all tests and all cases.

namespace weir::tests {

/// The number of configurations of tests/drivers.sh.
inline constexpr std::uint32_t configurations = 5;

/// Returns true if this run includes case `number` of a loop over many. A driver runs one case in `of`, and the next
/// rotation runs the next one. A test on one driver runs one case in three, or in `of` if that is less. Tests of
/// several types that loop over the same cases cover all of them together.
bool is_turn(std::uint32_t number, std::uint32_t of);

/// Names tests that run on one driver, by patterns ("Suite.Test", with * for any characters): tests of host code, and
/// those whose kernels other tests cover. The driver is one of the quick ones.
///
///     const OnOneDriver on_one_driver{"Unique.*", "TypedSuite/*.BothWays"};
class OnOneDriver {
public:
    OnOneDriver(std::initializer_list<const char*> patterns);
};

/// Names tests that run in one rotation of three, on one of the quick drivers: sweeps over shapes, types, faults and
/// options, whose kernels take long to compile and which other tests run in every rotation. Takes precedence.
class Sweeps {
public:
    Sweeps(std::initializer_list<const char*> patterns);
};

/// Names tests that run on every driver: tests of subgroup sizes, of device features and of races. OnOneDriver takes
/// precedence.
class OnEveryDriver {
public:
    OnEveryDriver(std::initializer_list<const char*> patterns);
};

/// Names tests that need an environment variable. A run without it leaves them out, and does not count them as skipped.
class OnlyWith {
public:
    OnlyWith(const char* variable, std::initializer_list<const char*> patterns);
};

/// Returns the value of --gtest_filter that leaves out of `filter` the tests of other drivers, as far as they match
/// `in_turn`. Both consist of patterns as for --gtest_filter.
std::string filter_of_this_configuration(const std::string& filter = "*", std::string_view in_turn = "*");

} // namespace weir::tests
