#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>

// Which driver runs what, where ./run tests spreads tests over the configurations of tests/drivers.sh. A long run has
// everything; on a driver that is none of these, such as a GPU's, all tests are run.

namespace weir::tests {

/// How many configurations tests/drivers.sh has.
inline constexpr std::uint32_t configurations = 5;

/// Whether this configuration runs case `number` of a sweep in a test that all of them run: one in `of`. Each
/// configuration has different ones, as far as there are so many. A test on one driver has every other case, the odd or
/// the even ones by its name: tests of several types that sweep over the same cases have all of them together.
bool is_turn(std::uint32_t number, std::uint32_t of);

/// What the tests that match these patterns ("Suite.Test", with * for any characters) are about: sweeps over shapes,
/// types and options of kernels that other tests run on every driver, or what Weir does on the host. Each of them is
/// run by one of the configurations, of those that are quick. All other tests are run by all.
///
///     const OnOneDriver on_one_driver{"Merge.*", "TypedSuite/*.BothWays"};
class OnOneDriver {
public:
    OnOneDriver(std::initializer_list<const char*> patterns);
};

/// The value of --gtest_filter that leaves out the tests of other configurations.
std::string filter_of_this_configuration();

} // namespace weir::tests
