// Checks argsort, top-k and cumsum of ggml's Vulkan back end beyond the cases of test-backend-ops: long rows, large k,
// shapes that change at each step, many operations in one graph. Uses ggml's public interface only.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include <ggml-alloc.h>
#include <ggml-backend.h>
#include <ggml.h>

namespace {

using Floats = std::vector<float>;
using Indices = std::vector<std::int32_t>;

int cases = 0, failures = 0, unsupported = 0;

void report(const std::string& name, bool passed) {
    ++cases;
    if (!passed) {
        ++failures;
        std::printf("FAIL %s\n", name.c_str());
    }
}

Floats random_floats(std::size_t count, std::uint32_t seed) {
    std::mt19937 random(seed);
    std::normal_distribution<float> normal(0, 10);
    Floats values(count);
    std::generate(values.begin(), values.end(), [&] { return normal(random); });
    return values;
}

/// One graph on the back end, with one input.
class Computation {
public:
    /// `build` adds nodes to the context and returns the result. The input is `columns` x `rows`.
    Computation(ggml_backend_t backend, std::int64_t columns, std::int64_t rows,
                const std::function<ggml_tensor*(ggml_context*, ggml_tensor*)>& build)
        : backend_(backend), context_(ggml_init({std::size_t{1} << 20, nullptr, true}), ggml_free) {
        input_ = ggml_new_tensor_2d(context_.get(), GGML_TYPE_F32, columns, rows);
        output_ = build(context_.get(), input_);
        graph_ = ggml_new_graph(context_.get());
        ggml_build_forward_expand(graph_, output_);
        buffer_.reset(ggml_backend_alloc_ctx_tensors(context_.get(), backend));
    }

    [[nodiscard]] bool is_supported() const {
        for (int i = 0; i < ggml_graph_n_nodes(graph_); ++i) {
            if (!ggml_backend_supports_op(backend_, ggml_graph_node(graph_, i))) {
                return false;
            }
        }
        return true;
    }

    template <class T>
    std::vector<T> run(const Floats& values) {
        std::vector<T> result(static_cast<std::size_t>(ggml_nelements(output_)));
        std::memset(result.data(), 0xFF, result.size() * sizeof(T)); // poison
        ggml_backend_tensor_set(output_, result.data(), 0, result.size() * sizeof(T));
        ggml_backend_tensor_set(input_, values.data(), 0, values.size() * sizeof(float));
        if (ggml_backend_graph_compute(backend_, graph_) == GGML_STATUS_SUCCESS) {
            ggml_backend_tensor_get(output_, result.data(), 0, result.size() * sizeof(T));
        }
        return result;
    }

private:
    ggml_backend_t backend_;
    std::unique_ptr<ggml_context, decltype(&ggml_free)> context_;
    std::unique_ptr<ggml_backend_buffer, decltype(&ggml_backend_buffer_free)> buffer_{nullptr,
                                                                                      ggml_backend_buffer_free};
    ggml_tensor *input_ = nullptr, *output_ = nullptr;
    ggml_cgraph* graph_ = nullptr;
};

/// Returns whether the indices of a row are distinct and in range, and sets `values` to the values at them.
bool take(const float* row, std::int64_t columns, const std::int32_t* indices, std::int64_t count, Floats& values) {
    std::vector<bool> seen(static_cast<std::size_t>(columns));
    values.clear();
    for (std::int64_t i = 0; i < count; ++i) {
        if (indices[i] < 0 || indices[i] >= columns || seen[static_cast<std::size_t>(indices[i])]) {
            return false;
        }
        seen[static_cast<std::size_t>(indices[i])] = true;
        values.push_back(row[indices[i]]);
    }
    return true;
}

std::string name_of(const char* operation, std::int64_t columns, std::int64_t rows, std::int64_t k = 0) {
    return std::string(operation) + " of " + std::to_string(rows) + " x " + std::to_string(columns) +
           (k != 0 ? ", k = " + std::to_string(k) : "");
}

void argsort(ggml_backend_t backend, std::int64_t columns, std::int64_t rows, ggml_sort_order order) {
    Computation graph(backend, columns, rows,
                      [&](auto* context, auto* in) { return ggml_argsort(context, in, order); });
    if (!graph.is_supported()) {
        ++unsupported;
        return;
    }
    const Floats values = random_floats(static_cast<std::size_t>(columns * rows), 1);
    const Indices indices = graph.run<std::int32_t>(values);
    bool passed = true;
    Floats sorted;
    for (std::int64_t row = 0; row < rows && passed; ++row) {
        passed = take(&values[row * columns], columns, &indices[row * columns], columns, sorted) &&
                 (order == GGML_SORT_ORDER_ASC ? std::is_sorted(sorted.begin(), sorted.end())
                                               : std::is_sorted(sorted.begin(), sorted.end(), std::greater<>()));
    }
    report(name_of(order == GGML_SORT_ORDER_ASC ? "argsort" : "argsort, descending,", columns, rows), passed);
}

void top_k(ggml_backend_t backend, std::int64_t columns, std::int64_t rows, int k) {
    Computation graph(backend, columns, rows, [&](auto* context, auto* in) { return ggml_top_k(context, in, k); });
    if (!graph.is_supported()) {
        ++unsupported;
        return;
    }
    const Floats values = random_floats(static_cast<std::size_t>(columns * rows), 2);
    const Indices indices = graph.run<std::int32_t>(values);
    bool passed = true;
    Floats chosen;
    for (std::int64_t row = 0; row < rows && passed; ++row) {
        Floats sorted(&values[row * columns], &values[row * columns] + columns);
        std::sort(sorted.begin(), sorted.end(), std::greater<>());
        passed = take(&values[row * columns], columns, &indices[row * k], k, chosen);
        std::sort(chosen.begin(), chosen.end(), std::greater<>());
        passed = passed && std::equal(chosen.begin(), chosen.end(), sorted.begin());
    }
    report(name_of("top-k", columns, rows, k), passed);
}

void cumsum(ggml_backend_t backend, std::int64_t columns, std::int64_t rows) {
    Computation graph(backend, columns, rows, [](auto* context, auto* in) { return ggml_cumsum(context, in); });
    if (!graph.is_supported()) {
        ++unsupported;
        return;
    }
    Floats values(static_cast<std::size_t>(columns * rows));
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<float>(i % 3) - 1; // sums are small integers: exact
    }
    const Floats sums = graph.run<float>(values);
    bool passed = true;
    for (std::int64_t row = 0; row < rows; ++row) {
        float sum = 0;
        for (std::int64_t i = row * columns; i < (row + 1) * columns; ++i) {
            sum += values[i];
            passed = passed && sums[i] == sum;
        }
    }
    report(name_of("cumsum", columns, rows), passed);
}

/// Cumsums of each other in one graph: more recordings of a program than it has descriptors, each of which reads what
/// the one before has written.
void chain(ggml_backend_t backend, int length) {
    constexpr std::int64_t columns = 4, rows = 5000;
    Computation graph(backend, columns, rows, [&](ggml_context* context, ggml_tensor* in) {
        for (int i = 0; i < length; ++i) {
            in = ggml_cumsum(context, in);
        }
        return in;
    });
    if (!graph.is_supported()) {
        ++unsupported;
        return;
    }
    Floats values(columns * rows);
    for (std::size_t i = 0; i < values.size(); i += columns) {
        values[i] = static_cast<float>(i / columns % 7);
    }
    Floats expected = values;
    for (int step = 0; step < length; ++step) {
        for (std::size_t i = 1; i < expected.size(); ++i) {
            expected[i] += i % columns == 0 ? 0 : expected[i - 1];
        }
    }
    report("chain of " + std::to_string(length) + " cumsums", graph.run<float>(values) == expected);
}

/// All cases but the steps.
void all(ggml_backend_t backend) {
    for (const std::int64_t rows : {1, 3, 16}) {
        for (const std::int64_t columns : {1, 2, 31, 1000, 4097, 65537, 200000, 1048579}) {
            if (rows * columns > 1 << 22) {
                continue;
            }
            argsort(backend, columns, rows, GGML_SORT_ORDER_ASC);
            argsort(backend, columns, rows, GGML_SORT_ORDER_DESC);
            cumsum(backend, columns, rows);
            for (const std::int64_t k : {std::int64_t{1}, std::int64_t{1023}, std::int64_t{1024}, std::int64_t{2048},
                                         std::int64_t{4096}, columns / 2, columns - 1, columns}) {
                if (k >= 1 && k <= columns) {
                    top_k(backend, columns, rows, static_cast<int>(k));
                }
            }
        }
    }
    argsort(backend, 2, 65536, GGML_SORT_ORDER_DESC);
    argsort(backend, 4194309, 1, GGML_SORT_ORDER_ASC);
    cumsum(backend, 8000000, 1);
    cumsum(backend, 1, 300000);
    chain(backend, 100);
}

/// A context that grows by some tokens at each of 100 steps: two programs serve all of them.
void steps(ggml_backend_t backend) {
    for (std::int64_t tokens = 4100; tokens < 8192; tokens += 41) {
        top_k(backend, tokens, 1, 2048);
        cumsum(backend, tokens, 1);
    }
}

} // namespace

// check BACK_END: all cases; check BACK_END steps: only the steps
int main(int argc, char** argv) {
    ggml_backend_load_all();
    ggml_backend_t backend = argc > 1 ? ggml_backend_init_by_name(argv[1], nullptr) : nullptr;
    if (backend == nullptr) {
        std::printf("usage: check BACK_END [steps], such as check Vulkan0\n");
        return 1;
    }
    if (argc == 2) {
        all(backend);
    }
    steps(backend);
    ggml_backend_free(backend);
    std::printf("%d cases, %d failures, %d not supported\n", cases, failures, unsupported);
    return failures == 0 ? 0 : 1;
}
