// Runs the operations of weir_bench that CUB has, and prints rows as JSON lines. CMake builds it if it finds nvcc; by hand:
//   nvcc -O3 -std=c++17 -gencode arch=compute_90,code=sm_90 -gencode arch=compute_80,code=compute_80
//        -o weir_bench_cub cub_bench.cu
//
// Put -I with the folders of another CCCL first.
//
// The first line describes device and versions, every other line is a row. "cub" calls CUB. "cub graph" launches a CUDA
// graph of the same calls, which corresponds to recording a program of Weir once. Options are those of weir_bench.

#define CUB_DISABLE_TOPK_UNSUPPORTED_ARCH_ASSERT // some kernels need newer devices than the oldest architecture compiled here

#include <cub/cub.cuh>
#include <cuda/std/functional>
#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/random.h>
#include <thrust/set_operations.h>
#include <thrust/shuffle.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <iterator>
#include <limits>
#include <map>
#include <numeric>
#include <regex>
#include <string>
#include <vector>

namespace {

void check(cudaError_t status, const char* what) {
    if (status != cudaSuccess) {
        std::fprintf(stderr, "weir_bench_cub: %s: %s\n", what, cudaGetErrorString(status));
        std::exit(1);
    }
}
#define CHECK(call) check((call), #call)

struct Options {
    int from = 10, to = 28, step = 2; // powers of two
    bool asked_for_sizes = false;     // otherwise skips sizes of operations with few_sizes
    std::string filter;
    int repeats = 30;
    double warm_up_ms = 150;
    /// Times runs as the host launches them. Otherwise the device waits until all runs of a batch are queued, so the time of
    /// a small run does not include the host's time between its kernels.
    bool as_launched = false;
};

struct Times {
    double median_ms = std::numeric_limits<double>::infinity();
    double min_ms = std::numeric_limits<double>::infinity();
};

/// Device memory; freed with the object.
class Buffer {
public:
    /// Allocates memory. Returns false if there is not enough.
    bool allocate(std::size_t bytes) {
        const cudaError_t status = cudaMalloc(&data_, bytes);
        if (status == cudaErrorMemoryAllocation) {
            static_cast<void>(cudaGetLastError()); // otherwise later launches would report it
            return false;
        }
        check(status, "cudaMalloc");
        return true;
    }
    Buffer() = default;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;
    ~Buffer() { cudaFree(data_); }

    std::uint32_t* words() const { return static_cast<std::uint32_t*>(data_); }
    void* data() const { return data_; }

private:
    void* data_ = nullptr;
};

/// Inputs and outputs of every operation.
struct Data {
    Buffer keys, values, out_keys, out_values, count;
};

/// Contents of an input, as in weir_bench.
enum class Input {
    words,
    low_entropy,
    constant,
    mostly_equal,
    ascending,
    one_of_two,
    runs_of_8,
    offsets_64,
    offsets_1024,
    small_floats,
    unit_floats,
    tile_depths,
    affine_maps
};

__device__ std::uint32_t random_word(std::uint64_t i) {
    std::uint64_t x = i * 0x9E3779B97F4A7C15ULL; // splitmix64
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ULL;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBULL;
    return static_cast<std::uint32_t>(x >> 32);
}

/// Begin of segment i. Segments after the last one are empty.
__device__ std::uint32_t offset(std::uint64_t i, std::uint32_t n, std::uint32_t length, std::uint32_t random) {
    const std::uint64_t begin = i == 0 ? 0 : i * length + random % (length + 1);
    return static_cast<std::uint32_t>(begin < n ? begin : n);
}

/// Word i of an input of n items. Seeds are 2^40 apart.
__device__ std::uint32_t word_of(Input input, std::uint64_t i, std::uint32_t n, std::uint64_t seed) {
    const std::uint32_t random = random_word(i + seed);
    const float small = float(int(random % 3) - 1);
    const float unit = float(random >> 8) * 0x1p-24f;
    switch (input) {
    case Input::low_entropy:
        return random & random_word(i + seed + (1ULL << 38)) & random_word(i + seed + (1ULL << 39));
    case Input::constant: return 0x01020304;
    case Input::mostly_equal: return random % 10 != 0 ? 0x01020304 : random / 10 * 0x9E3779B9;
    case Input::ascending: return static_cast<std::uint32_t>(((i << 32) + random) / n);
    case Input::one_of_two: return static_cast<std::uint32_t>(2 * i + random % 2);
    case Input::runs_of_8: return static_cast<std::uint32_t>(i / 8);
    case Input::offsets_64: return offset(i, n, 64, random);
    case Input::offsets_1024: return offset(i, n, 1024, random);
    case Input::small_floats: return __float_as_uint(small);
    case Input::unit_floats: return __float_as_uint(unit);
    case Input::tile_depths: return i % 2 != 0 ? random % 8160 : __float_as_uint(unit);
    case Input::affine_maps: return __float_as_uint(i % 2 != 0 ? small : random % 2 == 0 ? 1.0f : -1.0f);
    default: return random;
    }
}

__global__ void fill(std::uint32_t* words, std::uint64_t count, Input input, std::uint32_t n, std::uint64_t seed) {
    const std::uint64_t i = std::uint64_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < count) {
        words[i] = word_of(input, i, n, seed);
    }
}

struct Affine {
    float a, b;
};

struct Compose {
    __host__ __device__ Affine operator()(const Affine& left, const Affine& right) const {
        return {right.a * left.a, right.a * left.b + right.b};
    }
};

__global__ void copy_vectors(const uint4* from, uint4* to, std::uint32_t vectors) {
    const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < vectors) {
        to[i] = from[i];
    }
}

/// Waits for the host to raise `go`, but not longer than 50 ms.
__global__ void hold(const volatile int* go) {
    std::uint64_t start, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (*go == 0 && now - start < 50'000'000);
}

/// Measures calls, or with `as_graph` launches of a graph of them. All run in its stream.
class Timer {
public:
    Timer(const Options& options, bool as_graph) : options_(options), as_graph_(as_graph) {
        CHECK(cudaStreamCreate(&stream_)); // the default one cannot be captured
        int* go = nullptr;
        CHECK(cudaHostAlloc(&go, sizeof(int), cudaHostAllocMapped));
        CHECK(cudaHostGetDevicePointer(&device_go_, go, 0));
        go_ = go;
        events_.resize(2 * batch);
        for (cudaEvent_t& event : events_) {
            CHECK(cudaEventCreate(&event));
        }
    }
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;
    ~Timer() {
        for (cudaEvent_t event : events_) {
            cudaEventDestroy(event);
        }
        cudaFreeHost(const_cast<int*>(go_));
        cudaStreamDestroy(stream_);
    }

    cudaStream_t stream() const { return stream_; }
    const char* impl() const { return as_graph_ ? "cub graph" : "cub"; }

    /// Measures `run`. `held`: the device may be held back if the options allow it. Must be false if the host waits for the
    /// device in `run`. The times are infinite if `run` cannot be captured.
    Times time(const std::function<cudaError_t()>& run, bool held = true) const {
        CHECK(run()); // loads the kernels
        CHECK(cudaStreamSynchronize(stream_));
        if (!as_graph_) {
            return time_runs([&] { CHECK(run()); }, held);
        }
        cudaGraphExec_t graph = captured(run);
        if (graph == nullptr) {
            return {};
        }
        const Times times = time_runs([&] { CHECK(cudaGraphLaunch(graph, stream_)); }, true);
        CHECK(cudaGraphExecDestroy(graph));
        return times;
    }

private:
    static constexpr int batch = 16; // runs that fit the launch queue while the device is held back

    /// Captures a graph. Returns null if `run` cannot be captured, for example because it waits for the device.
    cudaGraphExec_t captured(const std::function<cudaError_t()>& run) const {
        CHECK(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
        cudaError_t status = run();
        cudaGraph_t graph = nullptr;
        const cudaError_t ended = cudaStreamEndCapture(stream_, &graph);
        status = status != cudaSuccess ? status : ended;
        std::size_t nodes = 0;
        if (status == cudaSuccess) {
            CHECK(cudaGraphGetNodes(graph, nullptr, &nodes));
        }
        cudaGraphExec_t executable = nullptr;
        if (nodes != 0) {
            CHECK(cudaGraphInstantiate(&executable, graph, 0));
        } else {
            static_cast<void>(cudaGetLastError()); // otherwise later launches would report it
        }
        if (graph != nullptr) {
            CHECK(cudaGraphDestroy(graph));
        }
        return executable;
    }

    Times time_runs(const std::function<void()>& run, bool held) const {
        warm_up(run);
        std::vector<double> runs_ms;
        while (runs_ms.size() < static_cast<std::size_t>(options_.repeats)) {
            const int count = std::min(batch, options_.repeats - static_cast<int>(runs_ms.size()));
            *go_ = 0;
            if (held && !options_.as_launched) {
                hold<<<1, 1, 0, stream_>>>(device_go_);
            }
            for (int i = 0; i < count; ++i) {
                CHECK(cudaEventRecord(events_[2 * i], stream_));
                run();
                CHECK(cudaEventRecord(events_[2 * i + 1], stream_));
            }
            *go_ = 1;
            CHECK(cudaDeviceSynchronize());
            for (int i = 0; i < count; ++i) {
                runs_ms.push_back(elapsed(events_[2 * i], events_[2 * i + 1]));
            }
        }
        std::sort(runs_ms.begin(), runs_ms.end());
        const std::size_t middle = runs_ms.size() / 2;
        Times times;
        times.min_ms = runs_ms.front();
        times.median_ms = runs_ms.size() % 2 != 0 ? runs_ms[middle] : (runs_ms[middle - 1] + runs_ms[middle]) / 2;
        return times;
    }

    static double elapsed(cudaEvent_t from, cudaEvent_t to) {
        float ms = 0;
        CHECK(cudaEventElapsedTime(&ms, from, to));
        return ms;
    }

    /// Warms up the device: after idling, clocks take about 150 ms of work to rise.
    void warm_up(const std::function<void()>& run) const {
        double done_ms = 0;
        for (int runs = 1; done_ms < options_.warm_up_ms;) {
            CHECK(cudaEventRecord(events_[0], stream_));
            for (int i = 0; i < runs; ++i) {
                run();
            }
            CHECK(cudaEventRecord(events_[1], stream_));
            CHECK(cudaDeviceSynchronize());
            const double ms = elapsed(events_[0], events_[1]);
            done_ms += ms;
            if (ms < 10) {
                runs *= 2; // until the waits between batches do not matter
            }
        }
    }

    Options options_;
    bool as_graph_;
    cudaStream_t stream_ = nullptr;
    volatile int* go_ = nullptr;
    int* device_go_ = nullptr;
    std::vector<cudaEvent_t> events_;
};

/// Calls a CUB function twice: once for the size of its scratch memory, then for the work. Returns false if there is not
/// enough memory.
template <class Call>
bool time_call(const Timer& timer, const Call& call, Times& times, bool held = true) {
    std::size_t bytes = 0;
    CHECK(call(nullptr, bytes));
    Buffer scratch;
    if (!scratch.allocate(std::max<std::size_t>(bytes, 1))) {
        return false;
    }
    times = timer.time([&] { return call(scratch.data(), bytes); }, held);
    return true;
}

/// Uses the faster of 32-bit and 64-bit offsets, which are selected by the type of the number of items.
template <class Call>
bool time_offsets(const Timer& timer, std::uint32_t n, const Call& call, Times& times) {
    Times wide, narrow;
    const auto with = [&](auto count) {
        return [&call, count](void* scratch, std::size_t& bytes) { return call(scratch, bytes, count); };
    };
    if (!time_call(timer, with(static_cast<std::int64_t>(n)), wide)) {
        return false;
    }
    if (n <= static_cast<std::uint32_t>(std::numeric_limits<int>::max()) &&
        !time_call(timer, with(static_cast<int>(n)), narrow)) {
        return false;
    }
    times = narrow.median_ms < wide.median_ms ? narrow : wide;
    return true;
}

using Words = std::vector<std::uint32_t>;

struct Operation {
    std::string op;
    double bytes_per_item; // as in weir_bench
    bool pairs;            // has one-word values, and writes them if `two_outputs`
    std::function<bool(const Timer&, const Data&, std::uint32_t n, Times&)> time;
    std::function<void(Words& keys, Words& values)> expected; // in place
    const char* type = "u32";
    std::uint32_t words_per_item = 1;
    Input keys = Input::words;
    bool two_outputs = true; // only with values
    Input values = Input::words;
    bool few_sizes = false;           // by default, measures only 2^12, 2^16 and so on
    std::uint32_t items_per_word = 1; // 2 or 4 if keys are narrower than a word
    bool any_order = false;           // results have no order and are sorted before they are compared
};

/// Returns the items in words.
template <class T>
std::vector<T> items_of(const Words& words) {
    std::vector<T> items(words.size() * 4 / sizeof(T));
    std::memcpy(items.data(), words.data(), items.size() * sizeof(T));
    return items;
}

template <class T>
void put_items(Words& words, const std::vector<T>& items) {
    words.resize(items.size() * sizeof(T) / 4);
    std::memcpy(words.data(), items.data(), items.size() * sizeof(T));
}

/// An inclusive sum of T.
template <class T>
Operation inclusive_sum(const char* type, Input input) {
    return {"inclusive_scan",
            2 * sizeof(T),
            false,
            [](const Timer& timer, const Data& data, std::uint32_t n, Times& times) {
                return time_offsets(
                    timer, n,
                    [&](void* scratch, std::size_t& bytes, auto count) {
                        return cub::DeviceScan::InclusiveSum(scratch, bytes, static_cast<const T*>(data.keys.data()),
                                                             static_cast<T*>(data.out_keys.data()), count,
                                                             timer.stream());
                    },
                    times);
            },
            [](Words& keys, Words&) {
                auto items = items_of<T>(keys);
                std::partial_sum(items.begin(), items.end(), items.begin());
                put_items(keys, items);
            },
            type,
            sizeof(T) / 4,
            input};
}

template <class T>
Operation sum(const char* type, Input input) {
    return {"reduce",
            4,
            false,
            [](const Timer& timer, const Data& data, std::uint32_t n, Times& times) {
                return time_offsets(
                    timer, n,
                    [&](void* scratch, std::size_t& bytes, auto count) {
                        return cub::DeviceReduce::Sum(scratch, bytes, static_cast<const T*>(data.keys.data()),
                                                      static_cast<T*>(data.out_keys.data()), count, timer.stream());
                    },
                    times);
            },
            [](Words& keys, Words&) {
                const auto items = items_of<T>(keys);
                put_items(keys, std::vector<T>{std::accumulate(items.begin(), items.end(), T{})});
            },
            type,
            1,
            input};
}

struct TimesMagnitude {
    __host__ __device__ float operator()(float x) const { return x * (x < 0 ? -x : x); }
};

constexpr std::uint32_t half = 1U << 31; // half of the random words are below it

struct OneIfLow {
    __host__ __device__ std::uint32_t operator()(std::uint32_t word) const { return word < half ? 1 : 0; }
};

/// The sum of `make` of each key.
template <class T, class Make>
Operation fused_sum(const char* op, const char* type, Input input, const Make& make) {
    return {op,
            4,
            false,
            [make](const Timer& timer, const Data& data, std::uint32_t n, Times& times) {
                return time_offsets(
                    timer, n,
                    [&](void* scratch, std::size_t& bytes, auto count) {
                        return cub::DeviceReduce::TransformReduce(
                            scratch, bytes, static_cast<const T*>(data.keys.data()),
                            static_cast<T*>(data.out_keys.data()), count, cuda::std::plus<>{}, make, T{});
                    },
                    times);
            },
            [make](Words& keys, Words&) {
                T sum{};
                for (const T& item : items_of<T>(keys)) {
                    sum += make(item);
                }
                put_items(keys, std::vector<T>{sum});
            },
            type,
            1,
            input};
}

struct TopByte {
    __host__ __device__ std::uint8_t operator()(std::uint32_t word) const { return word >> 24; }
};

/// A histogram with 256 bins, of every byte of the keys or of the top byte of each key.
template <class Call>
Operation histogram(const char* type, std::uint32_t per_word, const Call& samples) {
    constexpr int bins = 256;
    return {"histogram",
            4.0 / per_word,
            false,
            [samples](const Timer& timer, const Data& data, std::uint32_t n, Times& times) {
                return time_offsets(
                    timer, n,
                    [&](void* scratch, std::size_t& bytes, auto count) {
                        return cub::DeviceHistogram::HistogramEven(scratch, bytes, samples(data.keys),
                                                                   data.out_keys.words(), bins + 1, 0, bins, count,
                                                                   timer.stream());
                    },
                    times);
            },
            [per_word](Words& keys, Words&) {
                const Words words(keys.begin(), keys.begin() + std::max<std::size_t>(1, keys.size() / per_word));
                keys.assign(bins, 0);
                for (const std::uint32_t word : words) {
                    for (std::uint32_t item = 0; item < per_word; ++item) {
                        ++keys[per_word == 1 ? word >> 24 : word >> 8 * item & 0xFF];
                    }
                }
            },
            type};
}

/// A histogram with bins between given edges, which are the first values.
Operation edges_histogram() {
    constexpr int bins = 256, edges = bins + 1;
    return {"histogram edges",
            4,
            true,
            [](const Timer& timer, const Data& data, std::uint32_t n, Times& times) {
                if (n < edges) {
                    return false; // the edges do not fit
                }
                fill<<<2, 256>>>(data.values.words(), edges, Input::ascending, edges, 1ULL << 40);
                CHECK(cudaGetLastError());
                return time_offsets(
                    timer, n,
                    [&](void* scratch, std::size_t& bytes, auto count) {
                        return cub::DeviceHistogram::HistogramRange(
                            scratch, bytes, data.keys.words(), data.out_keys.words(), edges,
                            static_cast<const std::uint32_t*>(data.values.words()), count, timer.stream());
                    },
                    times);
            },
            [](Words& keys, Words& values) {
                values.resize(edges);
                Words counts(bins, 0);
                for (const std::uint32_t key : keys) {
                    if (key >= values.front() && key < values.back()) {
                        ++counts[std::upper_bound(values.begin(), values.end(), key) - values.begin() - 1];
                    }
                }
                keys = counts;
            },
            "u32",
            1,
            Input::words,
            false};
}

/// A histogram of three of the four bytes of each pixel.
Operation multi_histogram() {
    constexpr int bins = 256, channels = 3;
    return {"multi_histogram",
            4,
            false,
            [](const Timer& timer, const Data& data, std::uint32_t n, Times& times) {
                return time_call(
                    timer,
                    [&](void* scratch, std::size_t& bytes) {
                        std::uint32_t* counts[channels];
                        int levels[channels], lower[channels], upper[channels];
                        for (int channel = 0; channel < channels; ++channel) {
                            counts[channel] = data.out_keys.words() + channel * bins;
                            levels[channel] = bins + 1;
                            lower[channel] = 0;
                            upper[channel] = bins;
                        }
                        return cub::DeviceHistogram::MultiHistogramEven<4, channels>(
                            scratch, bytes, static_cast<const std::uint8_t*>(data.keys.data()), counts, levels, lower,
                            upper, static_cast<int>(n), timer.stream());
                    },
                    times);
            },
            [](Words& keys, Words&) {
                Words counts(channels * bins, 0);
                for (const std::uint32_t pixel : keys) {
                    for (int channel = 0; channel < channels; ++channel) {
                        ++counts[channel * bins + (pixel >> 8 * channel & 0xFF)];
                    }
                }
                keys = counts;
            },
            "u8x4"};
}

/// Begin and length of range r, in units of a number of bytes.
struct RangeBegin {
    std::uint32_t* words;
    const std::uint32_t* begins;
    __host__ __device__ std::uint32_t* operator()(std::uint32_t r) const { return words + begins[r]; }
};
struct RangeSize {
    const std::uint32_t* begins;
    std::uint32_t n, length, units; ///< `units`: units per word
    __host__ __device__ std::uint32_t operator()(std::uint32_t r) const {
        const std::uint32_t left = n - begins[r];
        return (left < length ? left : length) * units;
    }
};

/// Uses the faster of copies of words and of bytes. Ranges are copied to their own positions. Some overlap, others leave gaps.
Operation copy_ranges() {
    constexpr std::uint32_t length = 64;
    const auto number = [](std::size_t n) { return std::max<std::size_t>(1, n / length); };
    return {"copy_ranges of_64",
            8,
            true,
            [number](const Timer& timer, const Data& data, std::uint32_t n, Times& times) {
                const auto ranges = static_cast<std::int64_t>(number(n));
                const std::uint32_t* begins = data.values.words();
                const thrust::counting_iterator<std::uint32_t> first(0);
                const auto from = thrust::make_transform_iterator(first, RangeBegin{data.keys.words(), begins});
                const auto to = thrust::make_transform_iterator(first, RangeBegin{data.out_keys.words(), begins});
                const auto words = thrust::make_transform_iterator(first, RangeSize{begins, n, length, 1});
                const auto bytes_each = thrust::make_transform_iterator(first, RangeSize{begins, n, length, 4});
                Times as_bytes;
                if (!time_call(
                        timer,
                        [&](void* scratch, std::size_t& bytes) {
                            return cub::DeviceCopy::Batched(scratch, bytes, from, to, words, ranges, timer.stream());
                        },
                        times) ||
                    !time_call(
                        timer,
                        [&](void* scratch, std::size_t& bytes) {
                            return cub::DeviceMemcpy::Batched(scratch, bytes, from, to, bytes_each, ranges,
                                                              timer.stream());
                        },
                        as_bytes)) {
                    return false;
                }
                times = as_bytes.median_ms < times.median_ms ? as_bytes : times;
                return true;
            },
            [number](Words& keys, Words& begins) {
                Words copied(keys.size(), 0xA5A5A5A5);
                begins.resize(number(keys.size()));
                for (const std::uint32_t begin : begins) {
                    const auto end = std::min<std::size_t>(keys.size(), std::size_t{begin} + length);
                    std::copy(keys.begin() + begin, keys.begin() + static_cast<std::ptrdiff_t>(end),
                              copied.begin() + begin);
                }
                keys = copied;
            },
            "u32",
            1,
            Input::words,
            false,
            Input::offsets_64};
}

/// A shuffle. The order is thrust's own.
Operation shuffle() {
    return {"shuffle",
            8,
            false,
            [](const Timer& timer, const Data& data, std::uint32_t n, Times& times) {
                times = timer.time(
                    [&] {
                        try {
                            thrust::shuffle_copy(thrust::cuda::par_nosync.on(timer.stream()), data.keys.words(),
                                                 data.keys.words() + n, data.out_keys.words(),
                                                 thrust::default_random_engine(7));
                        } catch (const std::exception&) { // thrust cannot wait while a graph is captured
                            static_cast<void>(cudaGetLastError());
                            return cudaErrorStreamCaptureUnsupported;
                        }
                        return cudaGetLastError();
                    },
                    false);
                return true;
            },
            [](Words& keys, Words&) { std::sort(keys.begin(), keys.end()); },
            "u32",
            1,
            Input::words,
            true,
            Input::words,
            false,
            1,
            true};
}

struct IsLow {
    __host__ __device__ bool operator()(std::uint32_t word) const { return word < half; }
};

/// An operation that selects elements. `call` is a CUB function. `expected` computes its result from the keys and, if there
/// is a second output, from the values.
template <class Call>
Operation compaction(const char* op, double bytes, bool two_outputs, Input input, const Call& call,
                     std::function<void(Words& keys, Words& values)> expected) {
    return {op,
            bytes,
            two_outputs,
            [call](const Timer& timer, const Data& data, std::uint32_t n, Times& times) {
                return time_offsets(
                    timer, n,
                    [&](void* scratch, std::size_t& bytes, auto count) {
                        return call(scratch, bytes, data, count, timer.stream());
                    },
                    times);
            },
            std::move(expected),
            "u32",
            1,
            input};
}

Operation select_if() {
    return compaction(
        "select_if", 6, false, Input::words,
        [](void* scratch, std::size_t& bytes, const Data& data, auto count, cudaStream_t stream) {
            return cub::DeviceSelect::If(scratch, bytes, data.keys.words(), data.out_keys.words(), data.count.words(),
                                         count, IsLow{}, stream);
        },
        [](Words& keys, Words&) {
            keys.erase(std::remove_if(keys.begin(), keys.end(), [](auto key) { return !IsLow{}(key); }), keys.end());
        });
}

Operation partition() {
    return compaction(
        "partition", 8, false, Input::words,
        [](void* scratch, std::size_t& bytes, const Data& data, auto count, cudaStream_t stream) {
            return cub::DevicePartition::If(scratch, bytes, data.keys.words(), data.out_keys.words(),
                                            data.count.words(), count, IsLow{}, stream);
        },
        [](Words& keys, Words&) {
            std::reverse(std::stable_partition(keys.begin(), keys.end(), IsLow{}), keys.end());
        });
}

Operation unique() {
    return compaction(
        "unique", 4.5, false, Input::runs_of_8,
        [](void* scratch, std::size_t& bytes, const Data& data, auto count, cudaStream_t stream) {
            return cub::DeviceSelect::Unique(scratch, bytes, data.keys.words(), data.out_keys.words(),
                                             data.count.words(), count, stream);
        },
        [](Words& keys, Words&) { keys.erase(std::unique(keys.begin(), keys.end()), keys.end()); });
}

Operation run_length_encode() {
    return compaction(
        "run_length_encode", 5, true, Input::runs_of_8,
        [](void* scratch, std::size_t& bytes, const Data& data, auto count, cudaStream_t stream) {
            return cub::DeviceRunLengthEncode::Encode(scratch, bytes, data.keys.words(), data.out_keys.words(),
                                                      data.out_values.words(), data.count.words(), count, stream);
        },
        [](Words& keys, Words& lengths) { // runs of 8
            const std::size_t n = keys.size();
            keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
            lengths.assign(keys.size(), 8);
            if (n % 8 != 0) {
                lengths.back() = static_cast<std::uint32_t>(n % 8);
            }
        });
}

Operation reduce_by_key() {
    return compaction(
        "reduce_by_key", 9, true, Input::runs_of_8,
        [](void* scratch, std::size_t& bytes, const Data& data, auto count, cudaStream_t stream) {
            return cub::DeviceReduce::ReduceByKey(scratch, bytes, data.keys.words(), data.out_keys.words(),
                                                  data.values.words(), data.out_values.words(), data.count.words(),
                                                  cuda::std::plus<>{}, count, stream);
        },
        [](Words& keys, Words& values) { // runs of 8
            Words sums((keys.size() + 7) / 8);
            for (std::size_t i = 0; i < values.size(); ++i) {
                sums[i / 8] += values[i];
            }
            keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
            values = sums;
        });
}

/// `of`: describes keys that are not random. `bits`: number of compared bits; all other bits are 0.
template <class K>
Operation sort_keys(const char* type, Input input = Input::words, const char* of = "", int bits = 8 * sizeof(K)) {
    return {std::string("radix_sort_keys") + of,
            sizeof(K) + (bits + 7) / 8 * 2.0 * sizeof(K),
            false,
            [bits](const Timer& timer, const Data& data, std::uint32_t n, Times& times) {
                return time_offsets(
                    timer, n,
                    [&](void* scratch, std::size_t& bytes, auto count) {
                        return cub::DeviceRadixSort::SortKeys(scratch, bytes, static_cast<const K*>(data.keys.data()),
                                                              static_cast<K*>(data.out_keys.data()), count, 0, bits,
                                                              timer.stream());
                    },
                    times);
            },
            [](Words& words, Words&) {
                auto keys = items_of<K>(words);
                std::sort(keys.begin(), keys.end());
                put_items(words, keys);
            },
            type,
            std::max<std::uint32_t>(1, sizeof(K) / 4),
            input,
            true,
            Input::words,
            input != Input::words,
            std::max<std::uint32_t>(1, 4 / sizeof(K))};
}

template <class K>
Operation sort_pairs(const char* type, Input input = Input::words, const char* of = "", int bits = 8 * sizeof(K)) {
    return {std::string("radix_sort_pairs") + of,
            sizeof(K) + (bits + 7) / 8 * 2.0 * (sizeof(K) + 4),
            true,
            [bits](const Timer& timer, const Data& data, std::uint32_t n, Times& times) {
                return time_offsets(
                    timer, n,
                    [&](void* scratch, std::size_t& bytes, auto count) {
                        return cub::DeviceRadixSort::SortPairs(scratch, bytes, static_cast<const K*>(data.keys.data()),
                                                               static_cast<K*>(data.out_keys.data()),
                                                               static_cast<const std::uint32_t*>(data.values.words()),
                                                               data.out_values.words(), count, 0, bits, timer.stream());
                    },
                    times);
            },
            [](Words& words, Words& values) {
                const auto keys = items_of<K>(words);
                const Words old_values = values;
                std::vector<std::uint32_t> order(keys.size());
                std::iota(order.begin(), order.end(), 0U);
                std::stable_sort(order.begin(), order.end(),
                                 [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
                auto sorted = keys;
                for (std::size_t i = 0; i < order.size(); ++i) {
                    sorted[i] = keys[order[i]];
                    values[i] = old_values[order[i]];
                }
                put_items(words, sorted);
            },
            type,
            std::max<std::uint32_t>(1, sizeof(K) / 4),
            input,
            true,
            Input::words,
            input != Input::words,
            std::max<std::uint32_t>(1, 4 / sizeof(K))};
}

/// A key with data that moves with it.
struct Item {
    std::uint32_t depth, id;
};

struct IsNearer {
    __host__ __device__ bool operator()(const Item& a, const Item& b) const { return a.depth < b.depth; }
};

/// A sort of keys of type K, by an order of type Before.
template <class K, class Before>
Operation merge_sort_keys(const char* type) {
    return {"merge_sort_keys",
            2.0 * sizeof(K),
            false,
            [](const Timer& timer, const Data& data, std::uint32_t n, Times& times) {
                return time_offsets(
                    timer, n,
                    [&](void* scratch, std::size_t& bytes, auto count) {
                        return cub::DeviceMergeSort::StableSortKeysCopy(
                            scratch, bytes, static_cast<const K*>(data.keys.data()),
                            static_cast<K*>(data.out_keys.data()), count, Before{}, timer.stream());
                    },
                    times);
            },
            [](Words& words, Words&) {
                auto keys = items_of<K>(words);
                std::stable_sort(keys.begin(), keys.end(), Before{});
                put_items(words, keys);
            },
            type,
            sizeof(K) / 4};
}

Operation merge_sort_pairs() {
    return {"merge_sort_pairs",
            16,
            true,
            [](const Timer& timer, const Data& data, std::uint32_t n, Times& times) {
                return time_offsets(
                    timer, n,
                    [&](void* scratch, std::size_t& bytes, auto count) {
                        return cub::DeviceMergeSort::SortPairsCopy(
                            scratch, bytes, static_cast<const std::uint32_t*>(data.keys.words()),
                            static_cast<const std::uint32_t*>(data.values.words()), data.out_keys.words(),
                            data.out_values.words(), count, cuda::std::less<>{}, timer.stream());
                    },
                    times);
            },
            sort_pairs<std::uint32_t>("u32").expected,
            "u32"};
}

/// If there are several hundred segments, CUB waits on the host in the middle, for the numbers of long and short segments.
Operation segmented_sort(std::uint32_t length, Input offsets) {
    const auto segments = [length](std::size_t n) { return std::max<std::size_t>(1, n / length); };
    return {"segmented_sort of_" + std::to_string(length),
            8 + 4.0 / length,
            true,
            [segments](const Timer& timer, const Data& data, std::uint32_t n, Times& times) {
                return time_call(
                    timer,
                    [&](void* scratch, std::size_t& bytes) {
                        const std::uint32_t* begins = data.values.words();
                        return cub::DeviceSegmentedSort::SortKeys(
                            scratch, bytes, static_cast<const std::uint32_t*>(data.keys.words()), data.out_keys.words(),
                            n, static_cast<std::int64_t>(segments(n)), begins, begins + 1, timer.stream());
                    },
                    times, false);
            },
            [segments](Words& keys, Words& begins) {
                begins.resize(segments(keys.size()));
                begins.push_back(static_cast<std::uint32_t>(keys.size()));
                for (std::size_t i = 1; i < begins.size(); ++i) {
                    std::sort(keys.begin() + begins[i - 1], keys.begin() + begins[i]);
                }
            },
            "u32",
            1,
            Input::words,
            false,
            offsets};
}

/// A merge of n keys, half in each array.
Operation merge() {
    return {"merge",
            8,
            true,
            [](const Timer& timer, const Data& data, std::uint32_t n, Times& times) {
                return time_call(
                    timer,
                    [&](void* scratch, std::size_t& bytes) {
                        return cub::DeviceMerge::MergeKeys(scratch, bytes, data.keys.words(), n - n / 2,
                                                           data.values.words(), n / 2, data.out_keys.words(),
                                                           cuda::std::less<>{}, timer.stream());
                    },
                    times);
            },
            [](Words& keys, Words& others) {
                const auto half = static_cast<std::ptrdiff_t>(keys.size() / 2);
                Words merged(keys.size());
                std::merge(keys.begin(), keys.end() - half, others.begin(), others.begin() + half, merged.begin());
                keys = merged;
            },
            "u32",
            1,
            Input::ascending,
            false,
            Input::ascending};
}

/// A set operation of thrust on n keys, half in each array. On average every other key is in both. The host waits for the
/// end of the result.
template <class Call>
Operation set_operation(const char* op, const Call& call,
                        void (*expected)(const Words& first, const Words& second, std::back_insert_iterator<Words>)) {
    return {op,
            8,
            true,
            [call](const Timer& timer, const Data& data, std::uint32_t n, Times& times) {
                times = timer.time(
                    [&] {
                        try {
                            call(thrust::cuda::par.on(timer.stream()), data.keys.words(),
                                 data.keys.words() + (n - n / 2), data.values.words(), data.values.words() + n / 2,
                                 data.out_keys.words());
                        } catch (const std::exception&) { // thrust cannot wait while a graph is captured
                            static_cast<void>(cudaGetLastError());
                            return cudaErrorStreamCaptureUnsupported;
                        }
                        return cudaGetLastError();
                    },
                    false);
                return true;
            },
            [expected](Words& keys, Words& others) {
                const auto half = static_cast<std::ptrdiff_t>(keys.size() / 2);
                const Words first(keys.begin(), keys.end() - half), second(others.begin(), others.begin() + half);
                keys.clear();
                expected(first, second, std::back_inserter(keys));
            },
            "u32",
            1,
            Input::one_of_two,
            false,
            Input::one_of_two};
}

std::vector<Operation> set_operations() {
    return {set_operation(
                "set_union", [](const auto& policy, auto... ranges) { thrust::set_union(policy, ranges...); },
                [](const Words& first, const Words& second, std::back_insert_iterator<Words> result) {
                    std::set_union(first.begin(), first.end(), second.begin(), second.end(), result);
                }),
            set_operation(
                "set_intersection",
                [](const auto& policy, auto... ranges) { thrust::set_intersection(policy, ranges...); },
                [](const Words& first, const Words& second, std::back_insert_iterator<Words> result) {
                    std::set_intersection(first.begin(), first.end(), second.begin(), second.end(), result);
                }),
            set_operation(
                "set_difference", [](const auto& policy, auto... ranges) { thrust::set_difference(policy, ranges...); },
                [](const Words& first, const Words& second, std::back_insert_iterator<Words> result) {
                    std::set_difference(first.begin(), first.end(), second.begin(), second.end(), result);
                })};
}

#if CUB_VERSION >= 300300
constexpr std::uint32_t chosen = 1024;

/// The smallest keys. `call` is a CUB function.
template <class Call>
Operation top_k(const char* op, bool any_order, const Call& call) {
    return {op,
            12,
            false,
            [call](const Timer& timer, const Data& data, std::uint32_t n, Times& times) {
                return time_offsets(
                    timer, n,
                    [&](void* scratch, std::size_t& bytes, auto count) {
                        return call(scratch, bytes, data, count, timer.stream());
                    },
                    times);
            },
            [](Words& keys, Words&) {
                const auto results = std::min<std::size_t>(chosen, keys.size());
                std::partial_sort(keys.begin(), keys.begin() + static_cast<std::ptrdiff_t>(results), keys.end());
                keys.resize(results);
            },
            "u32",
            1,
            Input::words,
            true,
            Input::words,
            false,
            1,
            any_order};
}

template <class Count>
cudaError_t choose(void* scratch, std::size_t& bytes, const Data& data, std::uint32_t* output, Count count,
                   cudaStream_t stream) {
    const auto options = cuda::std::execution::env{
        cuda::stream_ref{stream}, cuda::execution::require(cuda::execution::determinism::not_guaranteed,
                                                           cuda::execution::output_ordering::unsorted)};
    return cub::DeviceTopK::MinKeys(scratch, bytes, data.keys.words(), output, count, static_cast<Count>(chosen),
                                    options);
}

/// CUB has an unordered top-k since 3.3. For an ordered result, the selected keys are sorted afterwards.
std::vector<Operation> top_k_operations() {
    const auto unsorted = [](void* scratch, std::size_t& bytes, const Data& data, auto count, cudaStream_t stream) {
        return choose(scratch, bytes, data, data.out_keys.words(), count, stream);
    };
    const auto sorted = [](void* scratch, std::size_t& bytes, const Data& data, auto count, cudaStream_t stream) {
        constexpr std::size_t room = chosen * sizeof(std::uint32_t); // the selected keys, followed by the scratch memory
        const auto results = std::min<decltype(count)>(count, chosen);
        auto* keys = static_cast<std::uint32_t*>(scratch);
        void* rest = scratch == nullptr ? nullptr : keys + chosen;
        std::size_t choice_bytes = bytes - room, sort_bytes = bytes - room;
        if (const cudaError_t status = choose(rest, choice_bytes, data, keys, count, stream); status != cudaSuccess) {
            return status;
        }
        const cudaError_t status = cub::DeviceRadixSort::SortKeys(
            rest, sort_bytes, static_cast<const std::uint32_t*>(keys), data.out_keys.words(), results, 0, 32, stream);
        if (scratch == nullptr) {
            bytes = room + std::max(choice_bytes, sort_bytes);
        }
        return status;
    };
    return {top_k("top_k of_1024", false, sorted), top_k("top_k of_1024 unsorted", true, unsorted)};
}
#else
std::vector<Operation> top_k_operations() {
    return {};
}
#endif

#if CUB_VERSION >= 300500
/// Row i of a matrix.
template <class Iterator>
struct RowBegin {
    Iterator first;
    std::uint32_t columns;
    __host__ __device__ Iterator operator()(std::uint32_t row) const {
        return first + static_cast<std::ptrdiff_t>(row) * columns;
    }
};

template <class Iterator>
auto rows_of(Iterator first, std::uint32_t columns) {
    return thrust::make_transform_iterator(thrust::counting_iterator<std::uint32_t>(0),
                                           RowBegin<Iterator>{first, columns});
}

/// Functions that select the greatest keys of each row and that sort them.
enum class Choice { batched, of_one_row };
enum class Order { none, segmented_sort, segmented_radix_sort };

/// The k greatest keys of each row of a matrix, with their indices. CUB has this since 3.5, without an order. For an ordered
/// result, the fastest segmented sort of CUB follows. For one row, CUB's top-k of a single array may be faster.
template <std::uint32_t columns, std::uint32_t k>
struct RowsTopK {
    const Timer& timer;
    const Data& data;
    std::uint32_t n;
    Choice choice;
    Order order;

    std::uint32_t rows() const { return std::max(1U, n / columns); }
    std::uint32_t length() const { return std::min(columns, n); }
    std::uint32_t wanted() const { return std::min(k, length()); }

    cudaError_t choose(void* scratch, std::size_t& bytes, std::uint32_t* keys, std::uint32_t* indices) const {
        using cuda::execution::require;
        const auto unsorted = cuda::execution::output_ordering::unsorted;
        const auto any = cuda::execution::determinism::not_guaranteed;
        const std::uint32_t* input = data.keys.words();
        const thrust::counting_iterator<std::uint32_t> places(0);
        const cuda::stream_ref stream{timer.stream()};
        if (choice == Choice::of_one_row) {
            return cub::DeviceTopK::MaxPairs(scratch, bytes, input, keys, places, indices, n, wanted(),
                                             cuda::std::execution::env{stream, require(any, unsorted)});
        }
        return cub::DeviceBatchedTopK::MaxPairs(
            scratch, bytes, rows_of(input, columns), rows_of(keys, wanted()), rows_of(places, columns),
            rows_of(indices, wanted()), cuda::args::immediate{length(), cuda::args::bounds<1U, columns>()},
            cuda::args::immediate{wanted(), cuda::args::bounds<1U, k>()}, static_cast<std::int64_t>(rows()),
            cuda::std::execution::env{stream, require(any, cuda::execution::tie_break::unspecified, unsorted)});
    }

    cudaError_t sort(void* scratch, std::size_t& bytes, const std::uint32_t* keys, const std::uint32_t* indices) const {
        const std::int64_t items = std::int64_t{rows()} * wanted();
        const auto begins = rows_of(std::int64_t{0}, wanted());
        if (order == Order::segmented_sort) {
            return cub::DeviceSegmentedSort::SortPairsDescending(scratch, bytes, keys, data.out_keys.words(), indices,
                                                                 data.out_values.words(), items, rows(), begins,
                                                                 begins + 1, timer.stream());
        }
        return cub::DeviceSegmentedRadixSort::SortPairsDescending(scratch, bytes, keys, data.out_keys.words(), indices,
                                                                  data.out_values.words(), items, rows(), begins,
                                                                  begins + 1, 0, 32, timer.stream());
    }

    cudaError_t operator()(void* scratch, std::size_t& bytes) const {
        if (order == Order::none) {
            return choose(scratch, bytes, data.out_keys.words(), data.out_values.words());
        }
        const std::size_t items = (std::size_t{rows()} * wanted() + 63) / 64 * 64, room = items * 8;
        auto* keys = static_cast<std::uint32_t*>(scratch);
        std::uint32_t* indices = scratch == nullptr ? nullptr : keys + items;
        void* rest = scratch == nullptr ? nullptr : indices + items;
        std::size_t choice_bytes = bytes - room, sort_bytes = bytes - room;
        cudaError_t status = choose(rest, choice_bytes, keys, indices);
        if (status == cudaSuccess) {
            status = sort(rest, sort_bytes, keys, indices);
        }
        if (scratch == nullptr) {
            bytes = room + std::max(choice_bytes, sort_bytes);
        }
        return status;
    }
};

/// A sort of the rows of a matrix, by the faster of CUB's segmented sorts. Keys after the last whole row are not sorted.
Operation segmented_sort_of_rows(std::uint32_t columns) {
    return {"segmented_sort of_rows_of_" + std::to_string(columns),
            8,
            true,
            [columns](const Timer& timer, const Data& data, std::uint32_t n, Times& times) {
                const std::uint32_t length = std::min(columns, n);
                const std::int64_t rows = n / length;
                const auto begins = rows_of(std::int64_t{0}, length);
                const std::uint32_t* keys = data.keys.words();
                times = {};
                for (const Order order : {Order::segmented_sort, Order::segmented_radix_sort}) {
                    Times others;
                    const auto sort = [&](void* scratch, std::size_t& bytes) {
                        if (order == Order::segmented_sort) {
                            return cub::DeviceSegmentedSort::SortKeys(scratch, bytes, keys, data.out_keys.words(), n,
                                                                      rows, begins, begins + 1, timer.stream());
                        }
                        return cub::DeviceSegmentedRadixSort::SortKeys(scratch, bytes, keys, data.out_keys.words(), n,
                                                                       rows, begins, begins + 1, 0, 32, timer.stream());
                    };
                    if (!time_call(timer, sort, others, false)) {
                        return false;
                    }
                    times = others.median_ms < times.median_ms ? others : times;
                }
                return true;
            },
            [columns](Words& keys, Words&) {
                const std::size_t length = std::min<std::size_t>(columns, keys.size());
                for (std::size_t end = length; end <= keys.size(); end += length) {
                    const auto last = keys.begin() + static_cast<std::ptrdiff_t>(end);
                    std::sort(last - static_cast<std::ptrdiff_t>(length), last);
                }
            },
            "u32"};
}

template <std::uint32_t columns, std::uint32_t k>
Operation segmented_top_k(bool sorted) {
    return {"segmented_top_k of_" + std::to_string(k) + "_in_" + std::to_string(columns) + (sorted ? "" : " unsorted"),
            8,
            true,
            [sorted](const Timer& timer, const Data& data, std::uint32_t n, Times& times) {
                times = {};
                for (const Choice choice : {Choice::batched, Choice::of_one_row}) {
                    for (const Order order : {Order::none, Order::segmented_sort, Order::segmented_radix_sort}) {
                        if ((order == Order::none) == sorted || (choice == Choice::of_one_row && n > columns)) {
                            continue;
                        }
                        Times others;
                        if (!time_call(timer, RowsTopK<columns, k>{timer, data, n, choice, order}, others, false)) {
                            return false;
                        }
                        times = others.median_ms < times.median_ms ? others : times;
                    }
                }
                return true;
            },
            [sorted](Words& keys, Words&) {
                Words chosen_keys;
                for (std::size_t first = 0; first < keys.size(); first += columns) {
                    const auto end = std::min<std::size_t>(keys.size(), first + columns);
                    const auto begin = keys.begin() + static_cast<std::ptrdiff_t>(first);
                    const auto last = begin + static_cast<std::ptrdiff_t>(std::min<std::size_t>(k, end - first));
                    std::partial_sort(begin, last, keys.begin() + static_cast<std::ptrdiff_t>(end), std::greater<>());
                    chosen_keys.insert(chosen_keys.end(), begin, last);
                }
                keys = chosen_keys;
                if (!sorted) {
                    std::sort(keys.begin(), keys.end());
                }
            },
            "u32",
            1,
            Input::words,
            false, // any of several equal keys may be selected, so indices are not compared
            Input::words,
            false,
            1,
            !sorted};
}

std::vector<Operation> operations_on_rows() {
    std::vector<Operation> all{segmented_sort_of_rows(200000)};
    for (const bool sorted : {true, false}) {
        all.push_back(segmented_top_k<256, 8>(sorted));
        all.push_back(segmented_top_k<65536, 2048>(sorted));
        all.push_back(segmented_top_k<131072, 40>(sorted));
        all.push_back(segmented_top_k<200000, 2048>(sorted));
    }
    return all;
}
#else
std::vector<Operation> operations_on_rows() {
    return {};
}
#endif

/// The fastest search of thrust and, since 3.5, of CUB. Searches n random or ascending keys in n elements.
Operation lower_bound(const char* op, Input keys) {
    return {op,
            12,
            true,
            [keys](const Timer& timer, const Data& data, std::uint32_t n, Times& times) {
                const std::uint32_t* sorted = data.keys.words();
                const std::uint32_t* wanted = data.values.words();
                times = timer.time([&] {
                    thrust::lower_bound(thrust::cuda::par_nosync.on(timer.stream()), sorted, sorted + n, wanted,
                                        wanted + n, data.out_keys.words());
                    return cudaGetLastError();
                });
#if CUB_VERSION >= 300500
                Times others;
                const auto in_any_order = [&](void* scratch, std::size_t& bytes, auto count) {
                    return cub::DeviceFind::LowerBound(scratch, bytes, sorted, count, wanted, count,
                                                       data.out_keys.words(), cuda::std::less<>{},
                                                       cuda::std::execution::env{cuda::stream_ref{timer.stream()}});
                };
                if (!time_offsets(timer, n, in_any_order, others)) {
                    return false;
                }
                times = others.median_ms < times.median_ms ? others : times;
                if (keys == Input::ascending) {
                    const auto ascending = [&](void* scratch, std::size_t& bytes, auto count) {
                        return cub::DeviceFind::LowerBoundSortedValues(scratch, bytes, sorted, count, wanted, count,
                                                                       data.out_keys.words(), cuda::std::less<>{},
                                                                       timer.stream());
                    };
                    if (!time_offsets(timer, n, ascending, others)) {
                        return false;
                    }
                    times = others.median_ms < times.median_ms ? others : times;
                }
#endif
                return true;
            },
            [](Words& sorted, Words& keys) {
                for (std::uint32_t& key : keys) {
                    key = static_cast<std::uint32_t>(std::lower_bound(sorted.begin(), sorted.end(), key) -
                                                     sorted.begin());
                }
                sorted = keys;
            },
            "u32",
            1,
            Input::ascending,
            false,
            keys};
}

std::vector<Operation> operations() {
    std::vector<Operation> all = {
        {"copy", 8, false,
         [](const Timer& timer, const Data& data, std::uint32_t n, Times& times) {
             const std::uint32_t vectors = (n + 3) / 4;
             times = timer.time([&] {
                 copy_vectors<<<(vectors + 255) / 256, 256, 0, timer.stream()>>>(
                     reinterpret_cast<const uint4*>(data.keys.words()), reinterpret_cast<uint4*>(data.out_keys.words()),
                     vectors);
                 return cudaGetLastError();
             });
             return true;
         },
         [](Words&, Words&) {}},
        inclusive_sum<std::uint32_t>("u32", Input::words),
        {"exclusive_scan", 8, false,
         [](const Timer& timer, const Data& data, std::uint32_t n, Times& times) {
             return time_offsets(
                 timer, n,
                 [&](void* scratch, std::size_t& bytes, auto count) {
                     return cub::DeviceScan::ExclusiveSum(scratch, bytes, data.keys.words(), data.out_keys.words(),
                                                          count, timer.stream());
                 },
                 times);
         },
         [](Words& keys, Words&) { std::exclusive_scan(keys.begin(), keys.end(), keys.begin(), 0U); }},
        inclusive_sum<float>("f32", Input::small_floats),
        inclusive_sum<std::uint64_t>("u64", Input::words),
        {"inclusive_scan", 16, false,
         [](const Timer& timer, const Data& data, std::uint32_t n, Times& times) {
             return time_offsets(
                 timer, n,
                 [&](void* scratch, std::size_t& bytes, auto count) {
                     return cub::DeviceScan::InclusiveScan(scratch, bytes, static_cast<const Affine*>(data.keys.data()),
                                                           static_cast<Affine*>(data.out_keys.data()), Compose{}, count,
                                                           timer.stream());
                 },
                 times);
         },
         [](Words& keys, Words&) {
             auto items = items_of<Affine>(keys);
             std::partial_sum(items.begin(), items.end(), items.begin(), Compose{});
             put_items(keys, items);
         },
         "affine", 2, Input::affine_maps},
        {"inclusive_scan_by_key", 12, true,
         [](const Timer& timer, const Data& data, std::uint32_t n, Times& times) {
             return time_offsets(
                 timer, n,
                 [&](void* scratch, std::size_t& bytes, auto count) {
                     return cub::DeviceScan::InclusiveSumByKey(scratch, bytes, data.keys.words(), data.values.words(),
                                                               data.out_keys.words(), count, cuda::std::equal_to<>{},
                                                               timer.stream());
                 },
                 times);
         },
         [](Words& keys, Words& values) {
             for (std::size_t i = 1; i < keys.size(); ++i) {
                 values[i] += keys[i] == keys[i - 1] ? values[i - 1] : 0;
             }
             keys = values;
         },
         "u32", 1, Input::runs_of_8, false},
        select_if(),
        partition(),
        unique(),
        run_length_encode(),
        sum<std::uint32_t>("u32", Input::words),
        sum<float>("f32", Input::small_floats),
        fused_sum<float>("fused_reduce", "f32", Input::small_floats, TimesMagnitude{}),
        fused_sum<std::uint32_t>("count_if", "u32", Input::words, OneIfLow{}),
        reduce_by_key(),
        histogram("u8", 4, [](const Buffer& keys) { return static_cast<const std::uint8_t*>(keys.data()); }),
        histogram("u32", 1,
                  [](const Buffer& keys) { return thrust::make_transform_iterator(keys.words(), TopByte{}); }),
        edges_histogram(),
        multi_histogram(),
        shuffle(),
        copy_ranges(),
        sort_keys<std::uint32_t>("u32"),
        sort_keys<std::uint32_t>("u32", Input::low_entropy, " low_entropy"),
        sort_keys<std::uint32_t>("u32", Input::ascending, " sorted"),
        sort_keys<std::uint32_t>("u32", Input::constant, " constant"),
        sort_keys<std::uint32_t>("u32", Input::mostly_equal, " mostly_equal"),
        sort_keys<float>("f32", Input::unit_floats, " unit"),
        sort_keys<std::uint64_t>("u64"),
        sort_keys<std::uint16_t>("u16"),
        sort_keys<std::uint8_t>("u8"),
        sort_pairs<std::uint32_t>("u32"),
        sort_pairs<std::uint32_t>("u32", Input::low_entropy, " low_entropy"),
        sort_pairs<std::uint32_t>("u32", Input::ascending, " sorted"),
        sort_pairs<std::uint32_t>("u32", Input::constant, " constant"),
        sort_pairs<std::uint32_t>("u32", Input::mostly_equal, " mostly_equal"),
        sort_pairs<float>("f32", Input::unit_floats, " unit"),
        sort_pairs<std::uint64_t>("u64"),
        sort_pairs<std::uint64_t>("u64", Input::tile_depths, " of_45_bits", 45),
        sort_pairs<std::uint16_t>("u16"),
        sort_pairs<std::uint8_t>("u8"),
        segmented_sort(64, Input::offsets_64),
        segmented_sort(1024, Input::offsets_1024),
        merge_sort_keys<std::uint32_t, cuda::std::less<>>("u32"),
        merge_sort_keys<Item, IsNearer>("u32x2"),
        merge_sort_pairs(),
        merge(),
        lower_bound("lower_bound", Input::words),
        lower_bound("lower_bound sorted", Input::ascending),
    };
    for (auto& more : {set_operations(), top_k_operations(), operations_on_rows()}) {
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

Words download(const Buffer& buffer, std::uint32_t n) {
    Words words(n);
    CHECK(cudaMemcpy(words.data(), buffer.data(), n * sizeof(std::uint32_t), cudaMemcpyDeviceToHost));
    return words;
}

/// Compares the outputs with the expected ones. Outputs must be poisoned before the runs.
void verify(const Operation& operation, const Data& data, std::uint32_t n) {
    const std::uint32_t words = n * operation.words_per_item / operation.items_per_word;
    const bool two = operation.pairs && operation.two_outputs;
    Words keys = download(data.keys, words);
    Words values = operation.pairs ? download(data.values, n) : Words();
    operation.expected(keys, values);
    Words found = download(data.out_keys, static_cast<std::uint32_t>(keys.size()));
    if (operation.any_order) {
        std::sort(found.begin(), found.end());
    }
    if (found != keys || (two && download(data.out_values, static_cast<std::uint32_t>(values.size())) != values)) {
        std::fprintf(stderr, "weir_bench_cub: wrong result of %s of %s at %u\n", operation.op.c_str(), operation.type,
                     n);
        std::exit(1);
    }
}

bool make_input(Buffer& buffer, std::uint64_t words, Input input, std::uint32_t n, std::uint64_t seed) {
    if (!buffer.allocate(words * 4)) {
        return false;
    }
    fill<<<static_cast<unsigned>((words + 255) / 256), 256>>>(buffer.words(), words, input, n, seed);
    CHECK(cudaGetLastError());
    return true;
}

bool make_poisoned(Buffer& buffer, std::uint64_t words) {
    if (!buffer.allocate(words * 4)) {
        return false;
    }
    CHECK(cudaMemset(buffer.data(), 0xA5, words * 4));
    return true;
}

/// Returns false if there is not enough memory.
bool measure(const Timer& timer, const Operation& operation, std::uint32_t n, Times& times) {
    constexpr std::uint32_t most_verified = 1U << 22; // larger results take too long on the CPU
    const std::uint64_t words =
        (n * std::uint64_t{operation.words_per_item} + 3) / 4 * 4; // whole vectors, for the copy
    Data data;
    if (!make_input(data.keys, words, operation.keys, n, 1) || !make_poisoned(data.out_keys, words) ||
        !make_poisoned(data.count, 4)) {
        return false;
    }
    if (operation.pairs &&
        (!make_input(data.values, words, operation.values, n, 1ULL << 40) || !make_poisoned(data.out_values, words))) {
        return false;
    }
    if (!operation.time(timer, data, n, times)) {
        return false;
    }
    if (n <= most_verified) {
        verify(operation, data, n);
    }
    return true;
}

void print_row(const Options& options, const Operation& operation, const char* impl, std::uint32_t n,
               const Times& times, double copy_ms) {
    const double per_s = n / times.median_ms * 1e3;
    std::printf("{\"op\":\"%s\",\"type\":\"%s\",\"n\":%u,\"impl\":\"%s\",\"median_ms\":%.9g,\"min_ms\":%.9g,"
                "\"repeats\":%d,\"items_per_s\":%.9g,\"bytes_per_s\":%.9g,\"ratio_to_copy\":",
                operation.op.c_str(), operation.type, n, impl, times.median_ms, times.min_ms, options.repeats, per_s,
                per_s * operation.bytes_per_item);
    if (copy_ms > 0) {
        std::printf("%.9g}\n", copy_ms / times.median_ms);
    } else {
        std::printf("null}\n");
    }
    std::fflush(stdout);
}

int usage() {
    std::fprintf(stderr, "usage: weir_bench_cub [--sizes FROM:TO:STEP] [--filter REGEX] [--repeat N] [--warm-up MS] "
                         "[--as-launched]\n");
    return 2;
}

bool parse(int argc, char** argv, Options& options) {
    for (int i = 1; i < argc; ++i) {
        const std::string name = argv[i];
        if (name == "--as-launched") {
            options.as_launched = true;
            continue;
        }
        if (++i == argc) {
            return false;
        }
        if (name == "--filter") {
            options.filter = argv[i];
        } else if (name == "--repeat") {
            options.repeats = std::atoi(argv[i]);
        } else if (name == "--warm-up") {
            options.warm_up_ms = std::atof(argv[i]);
        } else if (name == "--sizes") {
            options.step = 1;
            options.asked_for_sizes = true;
            const int numbers = std::sscanf(argv[i], "%d:%d:%d", &options.from, &options.to, &options.step);
            if (numbers == 1) {
                options.to = options.from;
            }
            if (numbers < 1) {
                return false;
            }
        } else {
            return false;
        }
    }
    return options.repeats > 0 && options.from >= 0 && options.to < 32 && options.step > 0;
}

} // namespace

int main(int argc, char** argv) {
    Options options;
    if (!parse(argc, argv, options)) {
        return usage();
    }
    std::regex filter;
    try {
        filter = std::regex(options.filter);
    } catch (const std::regex_error&) {
        return usage();
    }

    cudaDeviceProp properties;
    CHECK(cudaGetDeviceProperties(&properties, 0));
    int driver = 0, runtime = 0;
    CHECK(cudaDriverGetVersion(&driver));
    CHECK(cudaRuntimeGetVersion(&runtime));
    std::printf("{\"peer\":\"cub\",\"version\":\"%d.%d.%d\",\"device\":\"%s\",\"cuda_driver\":%d,\"cuda_runtime\":%d,"
                "\"as_launched\":%s}\n",
                CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION, properties.name, driver, runtime,
                options.as_launched ? "true" : "false");

    const Timer timers[] = {Timer(options, false), Timer(options, true)};
    const std::vector<Operation> all = operations();
    std::map<std::uint64_t, double> copy_ms; // by words
    for (const Operation& operation : all) {
        for (int power = options.from; power <= options.to; power += options.step) {
            const bool left_out = operation.few_sizes && !options.asked_for_sizes && power % 4 != 0;
            const std::uint32_t n = 1U << power;
            if (left_out || n < operation.items_per_word) {
                continue;
            }
            for (const Timer& timer : timers) {
                // Every row is compared with the copy by a call, which is therefore always measured.
                const bool copy = &operation == &all.front() && &timer == &timers[0];
                const bool selected =
                    std::regex_search(operation.op + "/" + operation.type + "/" + timer.impl(), filter);
                if (!selected && !copy) {
                    continue;
                }
                Times times;
                if (!measure(timer, operation, n, times)) {
                    std::fprintf(stderr, "weir_bench_cub: skipped %s at 2^%d: not enough device memory\n",
                                 operation.op.c_str(), power);
                    continue;
                }
                if (times.median_ms == std::numeric_limits<double>::infinity()) {
                    std::fprintf(stderr, "weir_bench_cub: skipped %s of %s at 2^%d as a graph: it cannot be captured\n",
                                 operation.op.c_str(), operation.type, power);
                    continue;
                }
                if (copy) {
                    copy_ms[n] = times.median_ms;
                }
                if (selected) {
                    // Compared with a copy of the same number of words, if that was measured.
                    const std::uint64_t words = std::uint64_t{n} * operation.words_per_item / operation.items_per_word;
                    const auto copied = copy_ms.find(words);
                    print_row(options, operation, timer.impl(), n, times, copied != copy_ms.end() ? copied->second : 0);
                }
            }
        }
    }
    return 0;
}
