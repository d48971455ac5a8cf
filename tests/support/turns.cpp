#include "tests/support/turns.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "engine/hash.hpp"
#include "tests/support/long_tests.hpp"

namespace weir::tests {

namespace {

/// The number that tests/drivers.sh gives the configuration.
std::optional<std::uint32_t> turn() {
    const char* const variable = std::getenv("WEIR_TESTS_TURN");
    return variable != nullptr && !long_tests() ? std::optional<std::uint32_t>(std::stoul(variable)) : std::nullopt;
}

std::uint64_t hash_of(std::string_view test) {
    return hash_bytes(std::as_bytes(std::span(test)));
}

/// Which configuration runs a test that one of them runs: one of lavapipe's. SwiftShader takes more than twice as long
/// to compile a kernel, and Mesa 25, for which tests/drivers.sh turns LLVM's passes off, as long to run it.
std::uint32_t turn_of(std::string_view test) {
    static constexpr std::array<std::uint32_t, 3> turns{2, 3, 4};
    return turns.at(hash_of(test) % turns.size());
}

/// From static objects of any file.
std::vector<std::string_view>& patterns() {
    static std::vector<std::string_view> list;
    return list;
}

bool matches(std::string_view name, std::string_view pattern) {
    if (pattern.empty() || pattern.front() != '*') {
        return pattern.empty()
                   ? name.empty()
                   : !name.empty() && name.front() == pattern.front() && matches(name.substr(1), pattern.substr(1));
    }
    return matches(name, pattern.substr(1)) || (!name.empty() && matches(name.substr(1), pattern));
}

std::string full_name(const testing::TestInfo& test) {
    return std::string(test.test_suite_name()) + "." + test.name();
}

bool is_on_one_driver(const std::string& test) {
    return std::any_of(patterns().begin(), patterns().end(),
                       [&](std::string_view pattern) { return matches(test, pattern); });
}

} // namespace

bool is_turn(std::uint32_t number, std::uint32_t of) {
    const testing::TestInfo* const test = testing::UnitTest::GetInstance()->current_test_info();
    if (long_tests() || test == nullptr) {
        return true;
    }
    const std::string name = full_name(*test);
    return is_on_one_driver(name) ? (number + hash_of(name)) % 2 == 0 : (number + turn().value_or(0)) % of == 0;
}

OnOneDriver::OnOneDriver(std::initializer_list<const char*> tests) {
    patterns().insert(patterns().end(), tests.begin(), tests.end());
}

std::string filter_of_this_configuration() {
    const auto own = turn();
    std::vector<std::string> names;
    const testing::UnitTest& all = *testing::UnitTest::GetInstance();
    for (int suite = 0; suite < all.total_test_suite_count(); ++suite) {
        for (int test = 0; test < all.GetTestSuite(suite)->total_test_count(); ++test) {
            names.push_back(full_name(*all.GetTestSuite(suite)->GetTestInfo(test)));
        }
    }
    for (const std::string_view pattern : patterns()) {
        EXPECT_TRUE(std::any_of(names.begin(), names.end(), [&](const auto& name) { return matches(name, pattern); }))
            << "OnOneDriver names no test: " << pattern;
    }
    std::string filter = "*-";
    for (const std::string& name : names) {
        if (own && turn_of(name) != *own && is_on_one_driver(name)) {
            filter += ":" + name;
        }
    }
    return filter;
}

} // namespace weir::tests
