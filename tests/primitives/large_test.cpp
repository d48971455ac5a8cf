// Primitives on buffers beyond the real limits of a device: 2^26 + 5 words on a device of the CPU, more than 4 GiB and
// up to 2^32 + 5 words on a GPU. Inputs are made and results are checked on the device.

#include <numeric>

#include "tests/primitives/trial.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::large_test {
namespace {

const OnlyWith only_long{"WEIR_TESTS_LONG", {"Large.*"}};
const OnOneDriver on_one_driver{"Large.*"};

using Large = LargeBuffer<std::uint32_t>;

/// Returns the words of the parts in which inputs are made and results are checked.
std::uint32_t window() {
    return test_context().capabilities().kind == DeviceKind::cpu ? 1U << 24 : 1U << 28;
}

const char* const hash_glsl = "uint hash(uint x) {\n"
                              "    x = (x ^ x >> 16) * 0x7FEB352Du;\n"
                              "    x = (x ^ x >> 15) * 0x846CA68Bu;\n"
                              "    return x ^ x >> 16;\n"
                              "}\n";

std::uint32_t hash(std::uint32_t x) {
    x = (x ^ x >> 16) * 0x7FEB352DU;
    x = (x ^ x >> 15) * 0x846CA68BU;
    return x ^ x >> 16;
}

/// Returns `elements` on a GPU, and fewer on a CPU.
std::uint64_t size_on_device(std::uint64_t elements) {
    return test_context().capabilities().kind == DeviceKind::cpu ? (1U << 26) + 5 : elements;
}

/// A graph on large buffers, its program, and sums that are computed on the device.
class LargeProgram {
public:
    Graph graph{test_context()};

    /// Returns true if the device has memory for `bytes` bytes, of which one buffer has at most `buffer_bytes`.
    static bool has_room(std::uint64_t bytes, std::uint64_t buffer_bytes) {
        const Capabilities& device = test_context().capabilities();
        return bytes <= device.device_local_memory / 8 * 7 && buffer_bytes <= device.max_buffer_size;
    }

    Large buffer(const char* name, std::uint64_t n) {
        const auto made = graph.import_large_buffer<std::uint32_t>(name, n);
        buffers_.emplace_back(made, ok(test_context().create_buffer(n * 4)));
        return made;
    }

    /// Sets element i to hash(i).
    void fill_with_hashes(Large buffer) {
        each_part(buffer, 0, [&](Ref part, std::uint32_t first) {
            Pass pass;
            pass.name = "hashes";
            pass.shader =
                ShaderSource::glsl(std::string("#version 460\n#extension GL_GOOGLE_include_directive : require\n"
                                               "layout(local_size_x = 256) in;\n"
                                               "layout(push_constant) uniform Push { uint first, n; };\n"
                                               "layout(set = 0, binding = 0) writeonly buffer Out { uint o[]; };\n"
                                               "#include <weir/dispatch.glsl>\n") +
                                   hash_glsl +
                                   "void main() {\n"
                                   "    const uint i = weir_workgroup_index() * 256 + gl_LocalInvocationIndex;\n"
                                   "    if (i < n) {\n        o[i] = hash(first + i);\n    }\n}\n");
            pass.bindings = {write(part)};
            pass.push = {first, part.capacity};
            pass.dispatch = Dispatch::elements(part.capacity, 256);
            graph.add_pass(pass);
        });
    }

    /// Adds the sum of a GLSL expression of `k`, the elements, `i` and `first` over all elements that have `after` more
    /// elements behind them. Returns its number.
    std::size_t add_sum(Large buffer, std::uint32_t after, const std::string& expression) {
        std::vector<Ref> parts;
        each_part(buffer, after, [&](Ref part, std::uint32_t first) {
            const auto sum = fused_reduce<std::uint32_t>(graph, {.count = part.capacity - after,
                                                                 .buffers = {{"uint k[]", read(part)}},
                                                                 .values = {{"first", first}},
                                                                 .functions = hash_glsl,
                                                                 .load = "return " + expression + ";"});
            graph.export_buffer(sum);
            parts.push_back(sum);
        });
        sums_.push_back(std::move(parts));
        return sums_.size() - 1;
    }

    void run() {
        program_.emplace(ok(compile(test_context(), graph)));
        for (const auto& [id, buffer] : buffers_) {
            ok(program_->bind(id, buffer));
        }
        ok(program_->run());
    }

    [[nodiscard]] std::uint32_t sum(std::size_t number) const {
        std::uint32_t sum = 0;
        for (const Ref part : sums_[number]) {
            sum += contents<std::uint32_t>(program_->view(part), 1)[0];
        }
        return sum;
    }

    template <class T>
    [[nodiscard]] std::vector<T> words(BufferId buffer, std::size_t count) const {
        const auto found =
            std::find_if(buffers_.begin(), buffers_.end(), [&](const auto& bound) { return bound.first == buffer; });
        return contents<T>(found->second, count);
    }

private:
    /// Calls `visit` with parts of window() elements, each with `more` elements of the next one, and their first index.
    template <class Visit>
    void each_part(Large buffer, std::uint32_t more, const Visit& visit) {
        for (std::uint64_t first = 0; first + more < buffer.capacity; first += window()) {
            const std::uint64_t size = std::min<std::uint64_t>(std::uint64_t{window()} + more, buffer.capacity - first);
            visit(graph.part(buffer, first, static_cast<std::uint32_t>(size)), static_cast<std::uint32_t>(first));
        }
    }

    std::vector<std::pair<BufferId, Buffer>> buffers_;
    std::vector<std::vector<Ref>> sums_;
    std::optional<Program> program_;
};

TEST(Large, SortOf2To31Keys) {
    const std::uint64_t n = size_on_device((std::uint64_t{1} << 31) + 5);
    if (!test_context().capabilities().buffer_address || !LargeProgram::has_room(8 * n, 4 * n)) {
        GTEST_SKIP() << "needs buffer addresses and " << (8 * n >> 20U) << " MiB in two buffers";
    }
    LargeProgram large;
    const Large keys = large.buffer("keys", n);
    large.fill_with_hashes(keys);
    const char* const mixed = "(k[i] * 0x9E3779B9u ^ k[i] >> 7)";
    const std::size_t before = large.add_sum(keys, 0, mixed);
    radix_sort(large.graph, keys, {.output_keys = keys});
    const std::size_t after = large.add_sum(keys, 0, mixed), descents = large.add_sum(keys, 1, "uint(k[i] > k[i + 1])");
    large.run();
    EXPECT_EQ(large.sum(descents), 0U);
    EXPECT_EQ(large.sum(after), large.sum(before));
}

TEST(Large, ScanOf2To32Elements) {
    const std::uint64_t n = size_on_device((std::uint64_t{1} << 32) + 5);
    if (!LargeProgram::has_room(4 * n, 4 * n)) {
        GTEST_SKIP() << "needs " << (4 * n >> 20U) << " MiB in one buffer";
    }
    LargeProgram large;
    const Large words = large.buffer("words", n), last = large.buffer("totals", 2);
    large.fill_with_hashes(words);
    reduce(large.graph, words, {.output = large.graph.part(last, 0, 1)});
    const std::size_t sum = large.add_sum(words, 0, "k[i]");
    scan(large.graph, words, {.output = words});
    const std::size_t wrong = large.add_sum(words, 1, "uint(k[i + 1] - k[i] != hash(first + i + 1))");
    large.run();
    EXPECT_EQ(large.words<std::uint32_t>(words, 1)[0], hash(0));
    EXPECT_EQ(large.sum(wrong), 0U);
    EXPECT_EQ(large.words<std::uint32_t>(last, 1)[0], large.sum(sum));
}

TEST(Large, HistogramOf2To33Bytes) {
    const std::uint64_t n = size_on_device(std::uint64_t{1} << 31);
    if (!LargeProgram::has_room(4 * n, 4 * n)) {
        GTEST_SKIP() << "needs " << (4 * n >> 20U) << " MiB in one buffer";
    }
    LargeProgram large;
    const Large words = large.buffer("words", n), counts = large.buffer("counts", 512);
    fill(large.graph, words, 0x01010102);
    const auto hashes = large.graph.part(words, 0, 1024);
    iota(large.graph, hashes, 5, 0x01234567);
    // The buffer of 512 words has 256 counts of 64 bits.
    const auto counted = histogram(large.graph, words, Bins::bytes());
    large.graph.add_copy("copy counts", counted, counts, 2048);
    large.run();
    std::vector<std::uint64_t> expected(256, 0);
    const auto count = [&](std::uint32_t word, std::uint64_t times) {
        for (std::uint32_t byte = 0; byte < 4; ++byte) {
            expected[word >> 8 * byte & 255] += times;
        }
    };
    count(0x01010102, n - 1024);
    for (std::uint32_t i = 0; i < 1024; ++i) {
        count(5 + i * 0x01234567U, 1);
    }
    EXPECT_EQ(large.words<std::uint64_t>(counts, 256), expected);
}

TEST(Large, SelectFrom2To31Elements) {
    const std::uint64_t n = size_on_device((std::uint64_t{1} << 31) + 5);
    const std::uint32_t least = test_context().capabilities().kind == DeviceKind::cpu ? 1U << 24 : 1U << 30;
    if (!test_context().capabilities().buffer_address || !LargeProgram::has_room(8 * n, 4 * n)) {
        GTEST_SKIP() << "needs buffer addresses and " << (8 * n >> 20U) << " MiB in two buffers";
    }
    LargeProgram large;
    const Large words = large.buffer("words", n), items = large.buffer("items", n - least),
                count = large.buffer("count", 2);
    iota(large.graph, words);
    const auto selected =
        select_if(large.graph, words, Predicate::compare(Comparison::greater_equal, least), {.output = items});
    large.graph.add_copy("copy count", selected.count, count, 8);
    const std::size_t wrong = large.add_sum(items, 1, "uint(k[i + 1] - k[i] != 1)");
    large.run();
    EXPECT_EQ(large.words<std::uint64_t>(count, 1)[0], n - least);
    EXPECT_EQ(large.words<std::uint32_t>(items, 1)[0], least);
    EXPECT_EQ(large.sum(wrong), 0U);
}

} // namespace
} // namespace weir::tests::large_test
