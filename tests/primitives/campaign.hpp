#pragma once

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <string>

#include "tests/support/data.hpp"
#include "tests/support/device.hpp"
#include "tests/support/long_tests.hpp"

namespace weir::tests {

/// Returns one of `choices` at random.
template <class T>
T one_of(Random& random, std::initializer_list<T> choices) {
    return choices.begin()[random.uniform<std::size_t>(0, choices.size() - 1)];
}

/// Returns a random number from 1 to 2^most_bits. All orders of magnitude are equally likely.
inline std::uint32_t magnitude(Random& random, std::uint32_t most_bits) {
    return random.uniform(1U, 1U << random.uniform(0U, most_bits));
}

/// Returns the first seed of random cases, which depends on the driver and the subgroup size. WEIR_TESTS_SEED overrides
/// it.
inline std::uint64_t first_seed() {
    if (const char* given = std::getenv("WEIR_TESTS_SEED")) {
        return std::strtoull(given, nullptr, 10);
    }
    const Capabilities& device = test_context().capabilities();
    return std::hash<std::string>{}(device.driver + std::to_string(device.subgroup_size)) % 1000000;
}

/// Length of a campaign of random cases.
struct CampaignLength {
    std::uint64_t programs = 0; ///< maximum
    double seconds = 0;         ///< maximum; 0: no limit
    std::uint32_t inputs = 0;   ///< per program
};

/// Returns one program for a short run and 200 programs for a long run, with 10 inputs each. If WEIR_CAMPAIGN_SECONDS
/// is set, the campaign lasts that many seconds, with 500 inputs per program, because a program takes seconds to
/// compile.
inline CampaignLength campaign_length() {
    if (const char* seconds = std::getenv("WEIR_CAMPAIGN_SECONDS")) {
        return {~0ULL, std::atof(seconds), 500};
    }
    return {long_tests() ? 200U : 1U, 0, 10};
}

/// Calls `check` for each program with its seed and number of inputs, until the campaign ends or a test fails. `check`
/// returns the number of results that it has compared. Failure messages have the seed of the failed program.
inline void run_campaign(const std::function<std::uint64_t(std::uint64_t seed, std::uint32_t inputs)>& check) {
    const std::uint64_t first = first_seed();
    const CampaignLength length = campaign_length();
    const auto begin = std::chrono::steady_clock::now();
    const auto passed = [begin] {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    };
    std::uint64_t cases = 0, seed = first;
    for (; seed - first < length.programs && (length.seconds == 0 || passed() < length.seconds) &&
           !testing::Test::HasFailure();
         ++seed) {
        SCOPED_TRACE("WEIR_TESTS_SEED=" + std::to_string(seed));
        cases += check(seed, length.inputs);
    }
    std::cout << cases << " cases of " << seed - first << " programs, seeds " << first << " to " << seed - 1 << "\n";
}

} // namespace weir::tests
