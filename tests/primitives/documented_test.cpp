// Checks figures in docs/ against plans: scratch memory, dispatches and sweeps of primitives. Each test reads its
// figures from the page.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iterator>
#include <regex>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <weir/graph/description.hpp>
#include <weir/graph/plan.hpp>
#include <weir/weir.hpp>

#include "tests/primitives/instrument.hpp"
#include "tests/primitives/small_device.hpp"

namespace weir::tests::documented_test {
namespace {

using Words = BufferRef<std::uint32_t>;
using Cells = std::vector<std::string>;

/// Reads a page of docs/, without the thousands separators of its numbers.
std::string page(const std::string& name) {
    std::ifstream file(std::string(WEIR_DOCS) + "/" + name);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    EXPECT_FALSE(text.empty()) << "cannot read " << WEIR_DOCS << "/" << name;
    return std::regex_replace(text, std::regex("(\\d),(\\d{3})"), "$1$2");
}

/// Returns the numbers in the groups of `pattern`, or fails the test and returns zeros.
std::vector<double> numbers_in(const std::string& text, const std::string& pattern) {
    std::smatch found;
    const std::regex regex(pattern);
    if (!std::regex_search(text, found, regex)) {
        ADD_FAILURE() << "no text matches " << pattern;
        return std::vector<double>(regex.mark_count());
    }
    std::vector<double> numbers;
    for (std::size_t i = 1; i < found.size(); ++i) {
        numbers.push_back(std::stod(found[i].str()));
    }
    return numbers;
}

/// Returns the cells of the table whose first row begins with `head`.
std::vector<Cells> table(const std::string& text, const std::string& head) {
    std::istringstream lines(text.substr(std::min(text.find(head), text.size())));
    std::vector<Cells> rows;
    for (std::string line; std::getline(lines, line) && line.starts_with('|');) {
        Cells cells;
        std::istringstream parts(line.substr(1));
        for (std::string cell; std::getline(parts, cell, '|');) {
            cells.push_back(cell.substr(1, cell.size() - 2));
        }
        rows.push_back(cells);
    }
    EXPECT_GT(rows.size(), 2U) << "no table begins with " << head;
    rows.erase(rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(2, rows.size())));
    return rows;
}

Capabilities device_of(std::uint32_t vendor, DeviceKind kind = DeviceKind::discrete) {
    Capabilities device = small_device();
    device.vendor_id = vendor;
    device.kind = kind;
    device.subgroup_size = device.subgroup_size_min = device.subgroup_size_max = 32;
    device.max_workgroup_invocations = 1024;
    device.max_workgroup_memory = 32768;
    device.max_storage_range = ~0U;
    device.narrow_storage = true;
    return device;
}

/// Returns a device of each class that has rows in primitives/shapes.csv.
std::vector<Capabilities> devices() {
    return {device_of(0), device_of(0x1002), device_of(0x10DE), device_of(0, DeviceKind::cpu)};
}

/// Adds a primitive whose inputs and outputs are imports.
using Add = std::function<void(Graph& graph, std::uint32_t n)>;

template <class T = std::uint32_t>
BufferRef<T> made(Graph& graph, const char* name, std::uint32_t n) {
    return graph.import_buffer<T>(name, n);
}

/// Plans a primitive on a device.
Plan plan_of(const Add& add, std::uint32_t n, const Capabilities& device) {
    Graph graph(device);
    add(graph, n);
    auto plan = make_plan(graph.description());
    EXPECT_TRUE(plan) << plan.error().message;
    return plan ? *plan : Plan{};
}

/// Returns the device memory of a program in bytes: blocks of transients, and states.
double scratch(const Plan& plan) {
    auto bytes = static_cast<double>(plan.memory.bytes());
    for (std::size_t i = 0; i < plan.graph->resources.size(); ++i) {
        const auto& resource = plan.graph->resources[i];
        bytes += plan.used[i] && resource.lifetime == GraphDescription::Lifetime::state
                     ? static_cast<double>(resource.bytes)
                     : 0;
    }
    return bytes;
}

/// Returns the total bytes of all resources named `name`.
double bytes_of(const Plan& plan, std::string_view name) {
    double bytes = 0;
    for (const auto& resource : plan.graph->resources) {
        bytes += resource.name == name ? static_cast<double>(resource.bytes) : 0;
    }
    return bytes;
}

/// Returns the passes whose names begin with `name`.
std::vector<Pass> passes_of(const Plan& plan, std::string_view name) {
    std::vector<Pass> passes;
    for (const auto& pass : plan.graph->passes) {
        if (pass.name.starts_with(name)) {
            passes.push_back(*pass.compute_pass());
        }
    }
    return passes;
}

constexpr std::uint32_t many = 1U << 22; // elements, as in docs/memory.md
constexpr const char* sort_states = "radix sort tile states";

template <class K>
void sort_keys(Graph& g, std::uint32_t n) {
    radix_sort(g, made<K>(g, "keys", n), {.output_keys = made<K>(g, "sorted", n)});
}
template <class K, std::size_t words = 1>
void sort_pairs(Graph& g, std::uint32_t n) {
    using Value = std::array<std::uint32_t, words>;
    const auto values = made<Value>(g, "values", n);
    radix_sort(g, made<K>(g, "keys", n), values,
               {.output_keys = made<K>(g, "sorted", n), .output_values = made<Value>(g, "sorted values", n)});
}
void sort_indices(Graph& g, std::uint32_t n) {
    argsort(g, made(g, "keys", n), {.output_values = made(g, "sorted", n)});
}
void select_some(Graph& g, std::uint32_t n) {
    select_if(g, made(g, "in", n), Predicate::compare(Comparison::less, 3U),
              {.output = made(g, "out", n), .output_count = made(g, "count", 1)});
}
void keep_unique(Graph& g, std::uint32_t n) {
    unique(g, made(g, "in", n), {.output = made(g, "out", n), .output_count = made(g, "count", 1)});
}
void part_three(Graph& g, std::uint32_t n) {
    partition(g, made(g, "in", n), {Predicate::compare(Comparison::less, 3U), Predicate::compare(Comparison::less, 9U)},
              {.outputs = {made(g, "first", n), made(g, "second", n), made(g, "third", n)},
               .output_counts = made(g, "count", 3)});
}
void encode_runs(Graph& g, std::uint32_t n) {
    run_length_encode(g, made(g, "in", n),
                      {.output_values = made(g, "out", n),
                       .output_lengths = made(g, "lengths", n),
                       .output_count = made(g, "count", 1)});
}
void reduce_runs(Graph& g, std::uint32_t n) {
    reduce_by_key(
        g, made(g, "in", n), made(g, "values", n),
        {.output_keys = made(g, "out", n), .output_values = made(g, "sums", n), .output_count = made(g, "count", 1)});
}
template <class T>
void sum(Graph& g, std::uint32_t n) {
    scan(g, made<T>(g, "in", n), {.output = made<T>(g, "out", n)});
}
template <class K>
void merge_halves(Graph& g, std::uint32_t n) {
    merge(g, made<K>(g, "in", n / 2), made<K>(g, "more", n / 2), {.output_keys = made<K>(g, "out", n)});
}

void sort_segments(Graph& g, std::uint32_t n) {
    segmented_sort(g, made(g, "in", n), Segments::of_length(100), {.output_keys = made(g, "out", n)});
}
void sort_medium_segments(Graph& g, std::uint32_t n) {
    segmented_sort(g, made(g, "in", n), Segments::at_offsets(made(g, "offsets", 1000)),
                   {.output_keys = made(g, "out", n), .tuning = {.long_keys = ~0U}});
}
void sort_any_segments(Graph& g, std::uint32_t n) {
    segmented_sort(g, made(g, "in", n), Segments::at_offsets(made(g, "offsets", 1000)),
                   {.output_keys = made(g, "out", n)});
}
void find_middle(Graph& g, std::uint32_t n) {
    kth_element(g, made(g, "in", n), n / 2, {.output = made(g, "out", 1)});
}
void choose_some(Graph& g, std::uint32_t n) {
    top_k(g, made(g, "in", n), 100, {.output_keys = made(g, "out", 100), .output_count = made(g, "count", 1)});
}

/// Checks that `documented` is the maximum of the bytes per element of all primitives `adds` on all devices, rounded to
/// its number of decimal places. A figure without "up to" must also be the minimum.
void expect_scratch(const std::string& documented, const std::vector<Add>& adds) {
    SCOPED_TRACE(documented);
    const bool is_limit = documented.starts_with("up to ");
    const std::string figure = is_limit ? documented.substr(6) : documented;
    const auto point = figure.find('.');
    const double unit = std::pow(10, point == std::string::npos ? 0 : -static_cast<double>(figure.size() - point - 1));
    double least = 1e9, most = 0;
    for (const Add& add : adds) {
        for (const Capabilities& device : devices()) {
            const Plan plan = plan_of(add, many, device);
            const double bytes = (scratch(plan) - bytes_of(plan, sort_states)) / many;
            least = std::min(least, bytes);
            most = std::max(most, bytes);
        }
    }
    EXPECT_NEAR(most, std::stod(figure), unit / 2);
    if (!is_limit) {
        EXPECT_NEAR(least, std::stod(figure), unit / 2);
    }
}

/// Splits the part of a cell before ": " or "; and" at "; ".
Cells figures(const std::string& cell) {
    Cells parts;
    std::string rest = cell.substr(0, std::min(cell.find(": "), cell.find("; and")));
    for (std::size_t at = rest.find("; "); at != std::string::npos; at = rest.find("; ")) {
        parts.push_back(rest.substr(0, at));
        rest = rest.substr(at + 2);
    }
    parts.push_back(rest);
    return parts;
}

TEST(Documented, ScratchPerElementMatchesTable) {
    const std::vector<Cells> rows = table(page("memory.md"), "| primitive | bytes per element |");
    const auto cell = [&](const char* begin) {
        const auto row = std::ranges::find_if(rows, [&](const Cells& cells) { return cells[0].starts_with(begin); });
        EXPECT_NE(row, rows.end()) << begin;
        return row == rows.end() ? std::string("0") : (*row)[1];
    };
    const auto expect = [&](const char* begin, const std::vector<std::vector<Add>>& adds) {
        const Cells documented = figures(cell(begin));
        ASSERT_EQ(documented.size(), adds.size()) << begin;
        for (std::size_t i = 0; i < adds.size(); ++i) {
            expect_scratch(documented[i], adds[i]);
        }
    };
    expect("`reduce`", {{[](Graph& g, std::uint32_t n) { reduce(g, made(g, "in", n), {.output = made(g, "out", 1)}); },
                         sum<std::uint32_t>, sum<float>, reduce_runs}});
    expect("`select_if`", {{select_some, encode_runs, keep_unique, part_three}});
    expect("`histogram`", {{[](Graph& g, std::uint32_t n) {
               histogram(g, made(g, "in", n), Bins::even(256, 0U, 256U), {.output = made(g, "out", 256)});
           }}});
    expect("`merge`", {{merge_halves<std::uint32_t>}});
    expect("`expand`", {{[](Graph& g, std::uint32_t n) {
               expand(g, made(g, "in", n), {.output_sources = made(g, "out", n), .output_count = made(g, "count", 1)});
           }}});
    expect("`radix_sort` of keys;", {{sort_keys<std::uint32_t>}, {sort_pairs<std::uint32_t>}, {sort_indices}});
    expect("`radix_sort` of keys of eight",
           {{sort_keys<std::uint64_t>}, {sort_keys<std::uint16_t>}, {sort_keys<std::uint8_t>}});
}

TEST(Documented, SegmentedSortAndTopKScratchMatchesTable) {
    const std::string text = page("memory.md");
    const auto text_of = [](double number) {
        return std::regex_replace(std::to_string(number), std::regex("\\.?0+$"), "");
    };
    const auto of_segments =
        numbers_in(text, R"(\| `segmented_sort` \| (\d+), (\d+) where .*, or up to ([\d.]+) where)");
    expect_scratch(text_of(of_segments[0]), {sort_segments});
    expect_scratch(text_of(of_segments[1]), {sort_medium_segments});
    expect_scratch("up to " + text_of(of_segments[2]), {sort_any_segments});
    const double of_choices = numbers_in(text, R"(\| `kth_element`, `top_k` \| ([\d.]+),)")[0];
    expect_scratch(text_of(of_choices), {find_middle, choose_some});
}

TEST(Documented, SortTileStatesMatchBytesPerTileAndKey) {
    const auto documented = numbers_in(
        page("memory.md"), R"((\d+) bytes for each tile of (\d+) keys \(([\d.]+)\) to (\d+) keys \(([\d.]+)\))");
    EXPECT_EQ(numbers_in(page("sort.md"), R"(the table above and (\d+) bytes per tile)")[0], documented[0]);
    std::uint32_t least = ~0U, most = 0;
    for (const Add& add : {Add(sort_keys<std::uint32_t>), Add(sort_keys<std::uint64_t>), Add(sort_pairs<std::uint32_t>),
                           Add(sort_pairs<std::uint64_t>)}) {
        for (const Capabilities& device : devices()) {
            for (std::uint32_t n = 1U << 14; n <= 1U << 24; n *= 4) {
                const Plan plan = plan_of(add, n, device);
                const std::uint32_t tile = passes_of(plan, "radix sort sweep").at(0).dispatch.per_group;
                least = std::min(least, tile);
                most = std::max(most, tile);
                const double tiles = std::ceil(static_cast<double>(n) / tile);
                EXPECT_NEAR(bytes_of(plan, sort_states) / tiles, documented[0], 257 / tiles) << n;
            }
        }
    }
    EXPECT_EQ(least, documented[1]);
    EXPECT_EQ(most, documented[3]);
    EXPECT_NEAR(documented[0] / least, documented[2], 0.005);
    EXPECT_NEAR(documented[0] / most, documented[4], 0.005);
}

TEST(Documented, SortSweepsAndScratchMatchTable) {
    const std::vector<Cells> rows = table(page("sort.md"), "| keys | order | sweeps |");
    const auto expect = [&](const char* begin, const Add& alone, const Add& pairs, const Add& quads) {
        SCOPED_TRACE(begin);
        const auto row = std::ranges::find_if(rows, [&](const Cells& cells) { return cells[0].starts_with(begin); });
        ASSERT_NE(row, rows.end());
        const std::string& bytes = (*row)[3];
        for (Capabilities device : devices()) {
            for (const bool narrow : {true, false}) {
                device.narrow_storage = narrow;
                const auto per_key = [&](const Add& add) {
                    const Plan plan = plan_of(add, many, device);
                    return std::round((scratch(plan) - bytes_of(plan, sort_states)) / many);
                };
                EXPECT_EQ(passes_of(plan_of(alone, many, device), "radix sort sweep").size(), std::stoul((*row)[2]));
                const auto other = bytes.find('('); // without storage of 8 and 16 bits
                const bool is_other = !narrow && other != std::string::npos;
                EXPECT_EQ(per_key(alone), std::stod(is_other ? bytes.substr(other + 1) : bytes)) << narrow;
                const bool has_more = (*row)[4] == "its size";
                EXPECT_EQ(per_key(pairs) - per_key(alone), has_more ? 4 : 0) << narrow;
                EXPECT_EQ(per_key(quads) - per_key(alone), has_more ? 16 : 0) << narrow;
            }
        }
    };
    expect("`uint32_t`", sort_keys<std::uint32_t>, sort_pairs<std::uint32_t>, sort_pairs<std::uint32_t, 4>);
    expect("`float`", sort_keys<float>, sort_pairs<float>, sort_pairs<float, 4>);
    expect("`uint64_t`", sort_keys<std::uint64_t>, sort_pairs<std::uint64_t>, sort_pairs<std::uint64_t, 4>);
    expect("`double`", sort_keys<double>, sort_pairs<double>, sort_pairs<double, 4>);
    expect("`uint8_t`", sort_keys<std::uint8_t>, sort_pairs<std::uint8_t>, sort_pairs<std::uint8_t, 4>);
    expect("`uint16_t`", sort_keys<std::uint16_t>, sort_pairs<std::uint16_t>, sort_pairs<std::uint16_t, 4>);
    expect("`weir::Half`", sort_keys<Half>, sort_pairs<Half>, sort_pairs<Half, 4>);
}

/// Checks the size of the states named `states` of a single-pass kernel: the ticket, `per_tile` bytes per tile, and
/// `per_32_tiles` bytes per 32 tiles.
void expect_states(const Add& add, const char* states, const char* pass, double per_tile, double per_32_tiles) {
    SCOPED_TRACE(states);
    for (const Capabilities& device : devices()) {
        const Plan plan = plan_of(add, many, device);
        const double tiles = std::ceil(many / static_cast<double>(passes_of(plan, pass).at(0).dispatch.per_group));
        constexpr double ticket = 128; // bytes
        EXPECT_EQ(bytes_of(plan, states), ticket + tiles * per_tile + std::ceil(tiles / 32) * per_32_tiles);
    }
}

TEST(Documented, TileStatesMatchBytesPerTile) {
    const char* both = R"(Scratch: (\d+) bytes per tile and (\d+) bytes per (?:\d+) tiles)";
    const auto of_scan = numbers_in(page("scan.md"), both);
    expect_states(sum<std::uint32_t>, "scan tile states", "scan", of_scan[0], of_scan[1]);
    expect_states(sum<std::array<float, 4>>, "scan tile states", "scan", of_scan[0], of_scan[1]);
    const auto of_runs = numbers_in(page("reduce.md"), both);
    expect_states(reduce_runs, "scan tile states", "reduce by key", of_runs[0], of_runs[1]);
    const double of_selection = numbers_in(page("compact.md"), R"(Scratch: (\d+) bytes per tile)")[0];
    expect_states(select_some, "compaction tile states", "select", of_selection, 0);
    expect_states(encode_runs, "compaction tile states", "run-length encode", of_selection, 0);
}

TEST(Documented, ScanColumnsDispatchesMatchColumnLimit) {
    const auto columns =
        numbers_in(page("scan.md"), R"(more than (\d+) columns of one-word elements, or (\d+) of larger)");
    const auto dispatches = [&](auto element, double count) {
        using T = decltype(element);
        const auto add = [&](Graph& g, std::uint32_t n) {
            scan_columns(g, made<T>(g, "in", n),
                         {.rows = n / static_cast<std::uint32_t>(count), .columns = static_cast<std::uint32_t>(count)},
                         {.output = made<T>(g, "out", n)});
        };
        return plan_of(add, static_cast<std::uint32_t>(count) * 1000, devices()[0]).graph->passes.size();
    };
    EXPECT_EQ(dispatches(std::uint32_t(), columns[0]), 3U);
    EXPECT_EQ(dispatches(std::uint32_t(), columns[0] + 1), 1U);
    EXPECT_EQ(dispatches(std::uint64_t(), columns[1]), 3U);
    EXPECT_EQ(dispatches(std::uint64_t(), columns[1] + 1), 1U);
}

} // namespace
} // namespace weir::tests::documented_test
