#include "tests/support/turns.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <locale>
#include <optional>
#include <span>
#include <sstream>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "engine/base/hash.hpp"
#include "tests/support/long_tests.hpp"

namespace weir::tests {

namespace {

/// Returns the number of this driver in tests/drivers.sh, or nothing if all tests run here.
std::optional<std::uint32_t> own_driver() {
    const char* const variable = std::getenv("WEIR_TESTS_TURN");
    return variable != nullptr && !long_tests() ? std::optional<std::uint32_t>(std::stoul(variable)) : std::nullopt;
}

/// Returns the numbers of the drivers that take turns in this run.
std::vector<std::uint32_t> available_drivers() {
    const char* const variable = std::getenv("WEIR_TESTS_DRIVERS");
    std::istringstream words(variable != nullptr ? variable : "2 3 4 5 6");
    words.imbue(std::locale::classic());
    std::vector<std::uint32_t> drivers;
    for (std::uint32_t driver = 0; words >> driver;) {
        drivers.push_back(driver);
    }
    return drivers;
}

std::uint64_t rotation() {
    const char* const variable = std::getenv("WEIR_TESTS_ROTATION");
    return variable != nullptr ? std::stoull(variable) : 0;
}

std::uint64_t hash_of(std::string_view test) {
    return hash_bytes(std::as_bytes(std::span(test)));
}

/// The patterns of a class, such as OnOneDriver, whose static objects are in any file. Tests of OnlyWith are left out
/// if their variable is not set.
enum class PatternKind { one_driver, sweeps, every_driver, left_out };
std::vector<std::string_view>& patterns_of(PatternKind kind) {
    static std::array<std::vector<std::string_view>, 4> lists;
    return lists.at(static_cast<std::size_t>(kind));
}

void add_patterns(PatternKind kind, std::initializer_list<const char*> tests) {
    patterns_of(kind).insert(patterns_of(kind).end(), tests.begin(), tests.end());
}

bool matches(std::string_view name, std::string_view pattern) {
    if (pattern.empty() || pattern.front() != '*') {
        return pattern.empty()
                   ? name.empty()
                   : !name.empty() && name.front() == pattern.front() && matches(name.substr(1), pattern.substr(1));
    }
    return matches(name, pattern.substr(1)) || (!name.empty() && matches(name.substr(1), pattern));
}

bool matches_any(std::string_view name, const std::vector<std::string_view>& patterns) {
    return std::any_of(patterns.begin(), patterns.end(),
                       [&](std::string_view pattern) { return matches(name, pattern); });
}

std::string full_name(const testing::TestInfo& test) {
    return std::string(test.test_suite_name()) + "." + test.name();
}

/// Returns the suite of a test, for all instances and types of it. Tests of one suite share kernels, whose compilation
/// is most of the time of a driver, so they run on the same drivers.
std::string_view suite_of(std::string_view test) {
    const std::string_view suite = test.substr(0, test.find('.'));
    return suite.substr(0, suite.find_last_not_of("0123456789/") + 1);
}

bool is_sweep(std::string_view test) {
    return matches_any(test, patterns_of(PatternKind::sweeps));
}

bool is_on_one_driver(std::string_view test) {
    return is_sweep(test) || matches_any(test, patterns_of(PatternKind::one_driver));
}

std::uint64_t turn_of(std::string_view test) {
    return hash_of(suite_of(test)) % 1024 + rotation();
}

/// Returns the number of this or the next run of a test on one driver.
std::uint64_t run_of(std::string_view test) {
    return turn_of(test) / (is_sweep(test) ? 3 : 1);
}

/// Returns true if `driver` runs the test in this rotation.
bool runs_on(std::uint32_t driver, std::string_view test) {
    const std::uint64_t turn = turn_of(test);
    if (is_on_one_driver(test)) {
        // Three configurations of lavapipe. SwiftShader takes more than twice as long to compile a kernel. Mesa 25
        // takes more than twice as long to run one, because tests/drivers.sh turns LLVM's passes off for it.
        static constexpr std::array<std::uint32_t, 3> quick{2, 3, 4};
        const std::uint64_t run = run_of(test);
        // Three runs cover all drivers and all cases of is_turn, and nine runs all pairs of them.
        return (!is_sweep(test) || turn % 3 == 0) && quick.at((run + run / 3) % quick.size()) == driver;
    }
    if (matches_any(test, patterns_of(PatternKind::every_driver))) {
        return true;
    }
    const std::vector<std::uint32_t> drivers = available_drivers();
    const std::size_t distance =
        std::max<std::size_t>(drivers.size() / 2, 1); // with five drivers, three rotations cover all
    return drivers.empty() || drivers[turn % drivers.size()] == driver ||
           drivers[(turn + distance) % drivers.size()] == driver;
}

} // namespace

bool is_turn(std::uint32_t number, std::uint32_t of) {
    const testing::TestInfo* const test = testing::UnitTest::GetInstance()->current_test_info();
    if (long_tests() || test == nullptr) {
        return true;
    }
    const std::string name = full_name(*test);
    return is_on_one_driver(name) ? (number + hash_of(name) + run_of(name)) % std::min(of, 3U) == 0
                                  : (number + own_driver().value_or(0) + rotation()) % of == 0;
}

OnOneDriver::OnOneDriver(std::initializer_list<const char*> tests) {
    add_patterns(PatternKind::one_driver, tests);
}

Sweeps::Sweeps(std::initializer_list<const char*> tests) {
    add_patterns(PatternKind::sweeps, tests);
}

OnEveryDriver::OnEveryDriver(std::initializer_list<const char*> tests) {
    add_patterns(PatternKind::every_driver, tests);
}

OnlyWith::OnlyWith(const char* variable, std::initializer_list<const char*> tests) {
    if (std::getenv(variable) == nullptr) {
        add_patterns(PatternKind::left_out, tests);
    }
}

std::string filter_of_this_configuration(const std::string& filter, std::string_view in_turn) {
    const auto own = own_driver();
    std::vector<std::string> names;
    const testing::UnitTest& all = *testing::UnitTest::GetInstance();
    for (int suite = 0; suite < all.total_test_suite_count(); ++suite) {
        for (int test = 0; test < all.GetTestSuite(suite)->total_test_count(); ++test) {
            names.push_back(full_name(*all.GetTestSuite(suite)->GetTestInfo(test)));
        }
    }
    for (const PatternKind kind :
         {PatternKind::one_driver, PatternKind::sweeps, PatternKind::every_driver, PatternKind::left_out}) {
        for (const std::string_view pattern : patterns_of(kind)) {
            EXPECT_TRUE(
                std::any_of(names.begin(), names.end(), [&](const auto& name) { return matches(name, pattern); }))
                << "pattern matches no test: " << pattern;
        }
    }
    std::vector<std::string_view> of_turn;
    for (std::size_t at = 0; at <= in_turn.size();) {
        const std::size_t end = std::min(in_turn.find(':', at), in_turn.size());
        of_turn.push_back(in_turn.substr(at, end - at));
        at = end + 1;
    }
    std::string out = filter + "-";
    for (const std::string& name : names) {
        if (matches_any(name, patterns_of(PatternKind::left_out)) ||
            (own && matches_any(name, of_turn) && !runs_on(*own, name))) {
            out += ":" + name;
        }
    }
    return out;
}

} // namespace weir::tests
