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

/// One of `choices`.
template <class T>
T one_of(Random& random, std::initializer_list<T> choices) {
    return choices.begin()[random.uniform<std::size_t>(0, choices.size() - 1)];
}

/// From 1 to 2^most_bits, any order of magnitude as likely as another.
inline std::uint32_t magnitude(Random& random, std::uint32_t most_bits) {
    return random.uniform(1U, 1U << random.uniform(0U, most_bits));
}

/// How long a campaign of random cases goes on.
struct CampaignLength {
    std::uint64_t programs = 0; ///< at most
    double seconds = 0;         ///< 0: any
    std::uint32_t inputs = 0;   ///< of each program
};

/// In a short run one program; in a long run 200. WEIR_CAMPAIGN_SECONDS: so long, with 500 inputs for
/// each program, which takes seconds to compile.
inline CampaignLength campaign_length() {
    if (const char* seconds = std::getenv("WEIR_CAMPAIGN_SECONDS")) {
        return {~0ULL, std::atof(seconds), 500};
    }
    return {long_tests() ? 200U : 1U, 0, 10};
}

/// Calls `check` with a seed and a number of inputs for each program, until there is a failure; it returns how many
/// results it has compared. Every device begins with another seed. WEIR_TESTS_SEED starts with a seed, as messages of
/// failures have it.
inline void run_campaign(const std::function<std::uint64_t(std::uint64_t seed, std::uint32_t inputs)>& check) {
    const Capabilities& device = test_context().capabilities();
    std::uint64_t first = std::hash<std::string>{}(device.driver + std::to_string(device.subgroup_size)) % 1000000;
    if (const char* given = std::getenv("WEIR_TESTS_SEED")) {
        first = std::strtoull(given, nullptr, 10);
    }
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
