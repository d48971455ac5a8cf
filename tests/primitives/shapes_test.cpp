#include "primitives/kernel/shapes.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <weir/graph/description.hpp>
#include <weir/weir.hpp>

#include "engine/base/strings.hpp"
#include "primitives/kernel/interface.hpp"
#include "primitives/sort/radix_tile.hpp"
#include "tests/primitives/harness.hpp"
#include "tests/primitives/instrument.hpp"
#include "weir_shaders.hpp"

namespace {

using namespace weir;
using ::testing::Contains;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using tests::imported;
using weir::testing::TileStates;

constexpr ShapeKernel kernels[] = {ShapeKernel::scan_light,     ShapeKernel::scan_shuffled,  ShapeKernel::scan_rounding,
                                   ShapeKernel::scan_segmented, ShapeKernel::reduce_by_key,  ShapeKernel::select,
                                   ShapeKernel::partition,      ShapeKernel::runs,           ShapeKernel::reduce,
                                   ShapeKernel::sort_keys,      ShapeKernel::sort_wide_keys, ShapeKernel::sort_pairs};

Capabilities device_of(std::uint32_t vendor, DeviceKind kind = DeviceKind::discrete) {
    Capabilities device;
    device.vendor_id = vendor;
    device.kind = kind;
    return device;
}

std::string_view class_for(const Capabilities& device, ShapeKernel kernel = ShapeKernel::reduce) {
    return kernel_shape(device, kernel, 1).device;
}

TEST(Shapes, TableMatchesFile) {
    const ShapeTable table = read_shapes(shaders::shapes);
    EXPECT_EQ(table.mistake, "");
    EXPECT_EQ(table.size, kernel_shapes().size());
}

TEST(Shapes, EveryDeviceHasAShapeForEverySize) {
    for (const DeviceClass& device_class : device_classes) {
        for (const DeviceKind kind :
             {DeviceKind::other, DeviceKind::integrated, DeviceKind::discrete, DeviceKind::cpu}) {
            for (const ShapeKernel kernel : kernels) {
                const auto rows = kernel_shapes(device_of(device_class.vendor, kind), kernel);
                ASSERT_FALSE(rows.empty()) << device_class.name;
                EXPECT_EQ(rows.back().up_to, KernelShape::any);
                EXPECT_EQ(&row_for(rows, 0), &rows.front());
                for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
                    EXPECT_LT(rows[i].up_to, rows[i + 1].up_to);
                    EXPECT_EQ(&row_for(rows, rows[i].up_to), &rows[i]);
                    EXPECT_EQ(&row_for(rows, rows[i].up_to + 1), &rows[i + 1]);
                }
            }
        }
    }
}

TEST(Shapes, NarrowestDeviceClassApplies) {
    EXPECT_EQ(class_for(device_of(vendors::nvidia)), "nvidia");
    EXPECT_EQ(class_for(device_of(vendors::nvidia, DeviceKind::integrated)), "nvidia");
    EXPECT_EQ(class_for(device_of(vendors::nvidia, DeviceKind::cpu)), "cpu");
    EXPECT_EQ(class_for(device_of(0x10005, DeviceKind::cpu)), "cpu");
    EXPECT_EQ(class_for(device_of(0xABCD)), "default");

    const std::string more = std::string(shaders::shapes) + "amd,reduce,any,128,4,100,0,0,0\n"
                                                            "amd-integrated,reduce,any,64,4,100,0,0,0\n";
    const ShapeTable table = read_shapes(more);
    ASSERT_EQ(table.mistake, "");
    const auto workgroup = [&](DeviceKind kind) {
        return rows_of(table.all(), device_of(vendors::amd, kind), ShapeKernel::reduce).front().workgroup;
    };
    EXPECT_EQ(workgroup(DeviceKind::discrete), 128);
    EXPECT_EQ(workgroup(DeviceKind::integrated), 64);
    EXPECT_EQ(rows_of(table.all(), device_of(vendors::amd), ShapeKernel::scan_light).front().device, "default");
}

TEST(Shapes, MistakesInTheFileAreReported) {
    const auto mistake = [](const std::string& lines) {
        const std::string text = std::string(shaders::shapes) + lines;
        const ShapeTable table = read_shapes(text);
        return concat(table.mistake, table.mistake.empty() ? "" : "; ", table.size - kernel_shapes().size(), " more");
    };
    EXPECT_EQ(mistake(""), "0 more");
    EXPECT_EQ(mistake("amd,reduce,2^4,64,1,1,0,0,0\namd,reduce,any,64,1,1,0,0,0\n"), "2 more");
    for (const auto& [lines, why] : std::vector<std::pair<std::string, std::string>>{
             {"amd,reduce,2^4,64,1,1,0,0,0\n", "must be for 'any' size"},
             {"amd,reduce,2^4,64,1,1,0,0,0\nintel,reduce,any,64,1,1,0,0,0\n", "must end with 'any'"},
             {"amd,reduce,2^4,64,1,1,0,0,0\namd,reduce,2^4,64,1,1,0,0,0\n", "sizes must ascend"},
             {"nvidia,reduce,any,64,1,1,0,0,0\n", "must be consecutive"},
             {"voodoo,reduce,any,64,1,1,0,0,0\n", "the device class does not exist"},
             {"amd,produce,any,64,1,1,0,0,0\n", "the kernel does not exist"},
             {"amd,reduce,all,64,1,1,0,0,0\n", "power of two"},
             {"amd,reduce,2^33,64,1,1,0,0,0\n", "power of two"},
             {"amd,reduce,any,64,1,1,0,0\n", "missing"},
             {"amd,reduce,any,64,1,1,0,0,0,0\n", "more columns"},
             {"amd,reduce,any,64,one,1,0,0,0\n", "not a number"},
             {"amd,reduce,any,64,1,65536,0,0,0\n", "too large"},
             {"amd,reduce,any,64,1,18446744073709551617,0,0,0\n", "too large"},
             {"amd,reduce,any,96,1,1,0,0,0\n", "power of two"},
             {"amd,reduce,any,64,0,1,0,0,0\n", "items"},
             {"amd,reduce,any,64,1,0,0,0,0\n", "groups"},
             {"amd,reduce,any,64,1,1,0,64,0\n", "max_spins"},
             {"amd,reduce,any,64,1,1,2,0,0\n", "rounds"},
             {"amd,scan_light,any,64,1,0,0,0,0\n", "max_spins"},
             {"amd,scan_light,any,64,1,1,0,64,0\n", "groups"},
             {"amd,reduce,any,64,1,1,0,0,1\n", "scans only"},
             {"amd,sort_keys,any,64,16,1,0,64,0\n", "up_to exceeds"},
             {"amd,sort_keys,any,1024,64,0,0,64,0\n", "2^16"},
         }) {
        EXPECT_THAT(mistake(lines), HasSubstr(why)) << lines;
    }
    EXPECT_THAT(read_shapes("device,kernel,up_to,workgroup\n").mistake, HasSubstr("columns"));
    EXPECT_THAT(read_shapes("").mistake, HasSubstr("no rows for default"));
}

const Pass& last_pass(const Graph& graph) {
    return *graph.description().passes.back().compute_pass();
}

/// Returns the value of a specialization constant of a pass.
template <class Interface, std::uint32_t id, class T>
std::uint32_t value_of(const Pass& pass, KernelConstant<id, T> Interface::*) {
    return pass.constants.at(id);
}

/// Checks that `device` can run the passes of scans, reductions and sorts of n items.
void expect_runnable(const Capabilities& device, std::uint32_t n) {
    const std::uint32_t most = device.max_workgroup_invocations;
    const auto check = [&](const Graph& graph, const char* what) {
        ASSERT_FALSE(graph.description().error) << what << ": " << graph.description().error->message;
        for (const auto& node : graph.description().passes) {
            if (const auto* pass = node.compute_pass()) {
                const std::uint32_t workgroup = pass->constants.at(0);
                EXPECT_TRUE(std::has_single_bit(workgroup) && workgroup <= most &&
                            workgroup >= device.subgroup_size_min)
                    << what << ": " << workgroup;
            }
        }
    };
    const auto scan_of = [&]<class T>(const T&, const char* what, const ScanOptions<T>& options) {
        Graph graph(device);
        scan(graph, graph.import_buffer<T>("input", n), options);
        check(graph, what);
    };
    const Segments of_seven = Segments::of_length(7);
    scan_of(1U, "u32", {});
    scan_of(1.0, "f64", {});
    scan_of(1U, "u32 by segments", {.segments = of_seven});
    Monoid wide{.name = "wide", .identity = "T(0)", .combine = "return left;"};
    for (int i = 0; i < 16; ++i) {
        wide.fields.push_back(concat("float f", i));
    }
    scan_of(std::array<float, 16>{}, "16 words", {.op = wide, .segments = of_seven});
    {
        Graph graph(device);
        reduce(graph, graph.import_buffer<double>("input", n));
        check(graph, "reduce");
    }
    const auto sort_of = [&]<class K>(const K&, bool pairs) {
        Graph graph(device);
        RadixSortOptions<K> options{.tuning = {.max_comparisons = 1}};
        if (pairs) {
            options.values = graph.import_buffer<std::uint32_t>("values", n);
        }
        radix_sort(graph, graph.import_buffer<K>("keys", n), options);
        check(graph, "sort");
        const Pass& pass = last_pass(graph);
        if (pass.name == "radix sort by ranks") { // one key
            return;
        }
        // All kernels that exchange tiles have the same ids for these constants. Only sweeps exchange both words of
        // wide keys at once.
        using Interface = RadixTileInterface;
        const std::uint32_t tile =
            value_of(pass, &Interface::WORKGROUP) * value_of(pass, &Interface::KEYS_PER_INVOCATION);
        const std::uint32_t rounds = value_of(pass, &Interface::ROUNDS), rows = value_of(pass, &Interface::ROWS);
        const std::uint32_t words = pass.name.starts_with("radix sort sweep") ? sizeof(K) / 4 : 1;
        const std::uint32_t pool = std::max(rows * 256, ((tile + rounds - 1) / rounds + 1) * words);
        EXPECT_LE(4 * pool + 2048 + 512, device.max_workgroup_memory);
    };
    for (const bool pairs : {false, true}) {
        sort_of(1U, pairs);
        sort_of(std::uint64_t{1}, pairs);
    }
}

TEST(Shapes, DeviceCanRunChosenShapes) {
    for (const std::uint32_t vendor : {vendors::nvidia, vendors::amd, 0xABCDU}) {
        for (const DeviceKind kind : {DeviceKind::discrete, DeviceKind::integrated, DeviceKind::cpu}) {
            for (const std::uint32_t subgroup : {4U, 8U, 32U, 64U, 128U}) {
                for (const std::uint32_t invocations : {256U, 1024U}) {
                    for (const std::uint32_t memory : {16384U, 49152U}) {
                        Capabilities device = device_of(vendor, kind);
                        device.subgroup_size = device.subgroup_size_min = device.subgroup_size_max = subgroup;
                        device.max_workgroup_invocations = invocations;
                        device.max_workgroup_subgroups = invocations / subgroup;
                        device.max_workgroup_memory = memory;
                        device.max_workgroup_count_x = device.max_workgroup_count_y = 65535;
                        device.max_storage_range = 1ULL << 32;
                        device.float64 = true;
                        for (const std::uint32_t n : {1U, 1000U, 1U << 13, 1U << 17, 1U << 22, 1U << 25}) {
                            SCOPED_TRACE(concat("vendor ", vendor, ", ", to_string(kind), ", subgroup ", subgroup, ", ",
                                                invocations, " invocations, ", memory, " bytes, n ", n));
                            expect_runnable(device, n);
                        }
                    }
                }
            }
        }
    }
}

Capabilities some_gpu(DeviceKind kind = DeviceKind::discrete) {
    Capabilities device = device_of(vendors::nvidia, kind);
    device.subgroup_size = device.subgroup_size_min = device.subgroup_size_max = 32;
    device.max_workgroup_invocations = 1024;
    device.max_workgroup_subgroups = 32;
    device.max_workgroup_memory = 49152;
    device.max_workgroup_count_x = device.max_workgroup_count_y = 65535;
    device.max_storage_range = 1ULL << 32;
    return device;
}

/// Returns a graph to which `add` has added a primitive without an error.
Graph graph_with(const std::function<void(Graph&)>& add, const Capabilities& device = some_gpu()) {
    Graph graph(device);
    add(graph);
    EXPECT_FALSE(graph.error()) << graph.error()->message;
    return graph;
}

const Pass& first_pass(const Graph& graph) {
    return *graph.description().passes.front().compute_pass();
}

TEST(Shapes, LargeReductionsUseAllWorkgroups) {
    constexpr std::uint32_t n = 1U << 26;
    const Graph graph = graph_with([](Graph& g) { reduce(g, imported(g, n)); });
    const std::uint32_t groups = kernel_shape(some_gpu(), ShapeKernel::reduce, n).groups;
    EXPECT_GT(groups, 1U);
    EXPECT_EQ(last_pass(graph).dispatch, Dispatch::groups(groups));
}

struct MergeSortInterface {
#include "shaders/sort/merge_sort_interface.h"
};

// An odd number of keys per invocation avoids bank conflicts, but one key instead of two would halve the tile.
TEST(Shapes, MergeSortsOfLargeKeysHaveTwoKeysPerInvocation) {
    using Key = std::array<std::uint32_t, 7>;
    Comparator order = {"a.w0 < b.w0", {}};
    for (std::size_t i = 0; i < Key{}.size(); ++i) {
        order.fields.push_back(concat("uint w", i));
    }
    const Graph graph =
        graph_with([&](Graph& g) { merge_sort(g, imported<Key>(g, 1000), order); }, some_gpu(DeviceKind::cpu));
    EXPECT_EQ(value_of(first_pass(graph), &MergeSortInterface::ITEMS), 2U);
}

TEST(Shapes, MergeSortsOfFewKeysHaveLargeTiles) {
    const auto workgroup_for = [](std::uint32_t n) {
        const Graph graph = graph_with([n](Graph& g) { merge_sort(g, imported(g, n), "a < b"); });
        return value_of(first_pass(graph), &MergeSortInterface::WORKGROUP);
    };
    EXPECT_EQ(workgroup_for(1U << 20), 512U);
    EXPECT_EQ(workgroup_for((1U << 20) + 1), 256U);
}

struct MergeInterface {
#include "shaders/search/merge_interface.h"
};

TEST(Shapes, MergeItemsPerInvocation) {
    const auto items_of = [](auto key, bool pairs) {
        using Key = decltype(key);
        const Graph graph = graph_with([&](Graph& g) {
            const auto keys = imported<Key>(g, 1000);
            pairs ? void(merge_by_key(g, keys, imported(g, 1000), keys, imported(g, 1000)))
                  : void(merge(g, keys, imported<Key>(g, 1000)));
        });
        return value_of(last_pass(graph), &MergeInterface::ITEMS);
    };
    EXPECT_EQ(items_of(std::uint32_t{}, false), 8U); // in registers
    EXPECT_EQ(items_of(std::uint32_t{}, true), 9U);
    EXPECT_EQ(items_of(std::uint64_t{}, false), 5U);
}

TEST(Shapes, ElementwiseKernelsHaveWorkgroupsOf256) {
    const auto workgroup_of = [](const Capabilities& device) {
        return last_pass(graph_with([](Graph& g) { fill(g, imported(g, 1000), 7U); }, device)).constants.at(0);
    };
    EXPECT_EQ(workgroup_of(some_gpu()), 256U);
    Capabilities small = some_gpu();
    small.max_workgroup_invocations = 200;
    EXPECT_EQ(workgroup_of(small), 128U);
}

// A single tile needs no search for splits.
TEST(Shapes, OneTileIsNotSplit) {
    const Graph graph =
        graph_with([](Graph& g) { merge_sort(g, imported(g), "a < b", {.tuning = {.splits_from = 1}}); });
    EXPECT_EQ(graph.description().passes.size(), 1U);
    for (const auto& resource : graph.description().resources) {
        EXPECT_THAT(resource.name, ::testing::Not(HasSubstr("splits")));
    }
}

bool has_totals(const Graph& graph) {
    return std::ranges::any_of(graph.description().resources,
                               [](const auto& resource) { return resource.name == "histogram totals"; });
}

// Workgroups of a GPU contend for the totals to which they add their counters. A single workgroup needs no totals. If
// counters do not fit into workgroup memory, all workgroups count in the output.
TEST(Shapes, HistogramsOfSeveralWorkgroupsHaveTotals) {
    const auto made = [](const Capabilities& device, std::uint32_t n, const Bins& bins) {
        return graph_with([&](Graph& g) { histogram(g, imported(g, n), bins); }, device);
    };
    const Graph many = made(some_gpu(), 1U << 24, Bins::digit(0));
    EXPECT_EQ(last_pass(many).dispatch.per_group, 1U << 16);
    EXPECT_TRUE(has_totals(many));
    const Graph few = made(some_gpu(), 100, Bins::digit(0));
    EXPECT_FALSE(has_totals(few));
    const Graph large = made(some_gpu(), 1U << 24, Bins::digit(0, 16));
    EXPECT_EQ(large.description().passes.size(), 2U); // one clears the output
    EXPECT_FALSE(has_totals(large));
    EXPECT_FALSE(has_totals(made(some_gpu(), 100, Bins::digit(0, 16))));
    const Graph on_cpu = made(some_gpu(DeviceKind::cpu), 1U << 26, Bins::digit(0));
    EXPECT_NE(last_pass(on_cpu).dispatch.per_group, 1U << 18);
}

struct SegmentedSortInterface {
#include "shaders/sort/segmented_sort_interface.h"
};

TEST(Shapes, SegmentsShareWorkgroupsByMeanLength) {
    const auto segments_for = [](std::uint32_t offsets) {
        const Graph graph = graph_with([offsets](Graph& g) {
            const auto starts = imported(g, offsets).with_count(g.parameter("segments", offsets));
            segmented_sort(g, imported(g, 1U << 20), Segments::at_offsets(starts), {.tuning = {.long_keys = ~0U}});
        });
        return value_of(last_pass(graph), &SegmentedSortInterface::GROUP_SEGMENTS);
    };
    EXPECT_EQ(segments_for(1), 1U);
    EXPECT_GT(segments_for(1U << 14), 20U); // 64 keys each
    EXPECT_EQ(segments_for(1U << 20), 256U);
}

TEST(Shapes, TileStatesDependOnElementsAndSegments) {
    Capabilities device = some_gpu();
    device.int64 = device.int64_atomics = device.float64 = true;
    const auto has = [&]<class T>(const T&, TileStates states, const ScanOptions<T>& options) {
        Graph graph(device);
        const auto scope = weir::testing::instrument(graph, {.tile_states = states});
        scan(graph, graph.import_buffer<T>("items", 1U << 20), options);
        return !graph.description().error;
    };
    const Monoid larger{
        .name = "larger", .fields = {"uint v"}, .identity = "T(0)", .combine = "return T(max(left.v, right.v));"};
    const Segments of_seven = Segments::of_length(7);
    EXPECT_TRUE(has(1U, TileStates::packed, {}));
    EXPECT_TRUE(has(1U, TileStates::packed, {.op = larger}));
    EXPECT_TRUE(has(1U, TileStates::packed, {.op = larger, .segments = of_seven}));
    EXPECT_TRUE(has(1.0F, TileStates::packed, {}));
    EXPECT_FALSE(has(1U, TileStates::packed, {.segments = of_seven}));
    EXPECT_FALSE(has(1.0, TileStates::packed, {}));
    device.int64_atomics = false;
    EXPECT_FALSE(has(1U, TileStates::packed, {}));
}

struct ScanInterface {
#include "shaders/lib/chunks_interface.h"
#include "shaders/scan/scan_interface.h"
};

// An unnecessary identity would cost a step and turn -0 of floats into 0.
TEST(Shapes, ScansAddInitialValueOnlyIfNeeded) {
    const auto initial_of = [](const ScanOptions<float>& options) {
        const Graph graph = graph_with([&](Graph& g) { scan(g, imported<float>(g, 1000), options); });
        return value_of(last_pass(graph), &ScanInterface::INITIAL);
    };
    EXPECT_EQ(initial_of({}), ScanInterface::INITIAL_OF_NOTHING);
    EXPECT_EQ(initial_of({.kind = ScanKind::exclusive}), ScanInterface::INITIAL_ALWAYS);
    EXPECT_EQ(initial_of({.initial = 2.0F}), ScanInterface::INITIAL_ALWAYS);
}

// They need one bit per element of a tile: 512 bytes for the 4096 elements here.
TEST(Shapes, ScansAtOffsetsNeedMoreWorkgroupMemory) {
    Capabilities device = some_gpu();
    device.max_workgroup_memory = 600;
    const auto fits = [&](bool at_offsets) {
        Graph graph(device);
        ScanOptions<std::uint32_t> options;
        options.tuning = {.workgroup = 256, .chunks = 4};
        if (at_offsets) {
            options.segments = Segments::at_offsets(graph.import_buffer<std::uint32_t>("offsets", 10));
        }
        scan(graph, graph.import_buffer<std::uint32_t>("items", 1U << 20), options);
        return !graph.description().error;
    };
    EXPECT_TRUE(fits(false));
    EXPECT_FALSE(fits(true));
}

/// Returns the names of a graph's passes.
std::vector<std::string> passes_of(const Graph& graph) {
    std::vector<std::string> names;
    for (const auto& pass : graph.description().passes) {
        names.push_back(pass.name);
    }
    return names;
}

TEST(Shapes, PassNamesContainTheDigit) {
    const Graph sort = graph_with([](Graph& g) { radix_sort(g, imported<std::uint64_t>(g, 1U << 20)); });
    for (const char* bit : {"bit 0", "bit 8", "bit 56"}) {
        EXPECT_THAT(passes_of(sort), Contains(EndsWith(concat("radix sort sweep of ", bit))));
    }
    const Graph choice = graph_with([](Graph& g) { top_k(g, imported(g, 1U << 22), 100); });
    EXPECT_THAT(passes_of(choice), Contains(EndsWith(", digit 1")));
}

TEST(Shapes, SegmentKeysHaveAtMostSixteenWords) {
    using Key = std::array<std::uint32_t, 16>;
    Graph graph(some_gpu());
    const auto keys = graph.import_buffer<Key>("keys", 100);
    const auto items = graph.import_buffer<std::uint32_t>("items", 100);
    scan(graph, items, {.segments = Segments::of_keys(keys)});
    EXPECT_FALSE(graph.description().error);
    Segments wider = Segments::of_keys(keys);
    wider.key_words = 17;
    scan(graph, items, {.segments = wider});
    EXPECT_TRUE(graph.description().error);
}

} // namespace
