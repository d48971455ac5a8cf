#include "weir_ggml.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

namespace weir_ggml {

namespace {

constexpr std::uint32_t least_pending = 64, most_pending = 1024; // recordings of a program that may be pending
constexpr std::uint64_t max_sorted = (1U << 30) - 1;             // elements of a sort

bool is_set(const char* variable, const char* value) {
    const char* text = std::getenv(variable);
    return text != nullptr && std::strcmp(text, value) == 0;
}

std::uint64_t round_up(std::uint64_t number) {
    std::uint64_t power = 1;
    while (power < number) {
        power *= 2;
    }
    return power;
}

std::uint32_t word(std::uint64_t number) {
    return static_cast<std::uint32_t>(number);
}

/// Elements of the output.
std::uint64_t output_of(Operation operation, const Shape& shape) {
    return shape.rows * (operation == Operation::top_k ? shape.k : shape.columns);
}

/// Returns whether a program with this maximum shape can be compiled.
bool fits(Operation operation, const Shape& shape, std::uint64_t max_elements) {
    const std::uint64_t most = operation == Operation::cumsum ? 0xFFFF0000U : max_sorted;
    return shape.columns <= most / shape.rows && shape.rows * shape.columns <= max_elements;
}

/// Returns the maximum shape of the program that serves a shape.
Shape maximum_of(Operation operation, const Shape& shape, std::uint64_t max_elements) {
    // The kernel of a cumsum depends on the number of elements alone.
    Shape rounded = operation == Operation::cumsum
                        ? Shape{1, round_up(shape.rows * shape.columns), 1}
                        : Shape{round_up(shape.rows), round_up(shape.columns), round_up(shape.k)};
    return fits(operation, rounded, max_elements) ? rounded
           : operation == Operation::cumsum       ? Shape{1, shape.rows * shape.columns, 1}
                                                  : shape; // a program for this shape alone
}

/// A compiled operation. At most `capacity` recordings may be pending.
class Program {
public:
    Program(weir_context* context, Operation operation, const Shape& maximum, std::uint32_t capacity, weir_error& error)
        : capacity_(capacity) {
        weir_graph* graph = nullptr;
        if (weir_graph_create(context, &graph, &error) != WEIR_SUCCESS) {
            return;
        }
        add(graph, operation, maximum);
        weir_compile_options options{};
        options.size = sizeof options;
        options.frames_in_flight = capacity;
        options.name = "ggml";
        weir_compile(context, graph, &options, &program_, &error);
        weir_graph_destroy(graph);
    }
    ~Program() { weir_program_destroy(program_); }
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;

    [[nodiscard]] bool is_compiled() const { return program_ != nullptr; }
    [[nodiscard]] bool is_full() const { return pending_ == capacity_; }
    /// States that the GPU has completed all recordings.
    void completed() { pending_ = 0; }

    bool record(VkCommandBuffer commands, const Shape& shape, const weir_buffer_view& input,
                const weir_buffer_view& output, weir_error& error) {
        const auto set = [&](const weir_count& parameter, std::uint64_t value) {
            return parameter.id == 0 || weir_program_set(program_, parameter, word(value), &error) == WEIR_SUCCESS;
        };
        // [frame]
        const bool is_recorded = set(rows_, shape.rows) && set(columns_, shape.columns) && set(k_, shape.k) &&
                                 set(elements_, shape.rows * shape.columns) &&
                                 weir_program_bind(program_, input_, input, &error) == WEIR_SUCCESS &&
                                 weir_program_bind(program_, output_, output, &error) == WEIR_SUCCESS &&
                                 weir_program_record(program_, commands, &error) == WEIR_SUCCESS;
        // [/frame]
        pending_ += is_recorded ? 1 : 0;
        return is_recorded;
    }

private:
    void add(weir_graph* graph, Operation operation, const Shape& maximum) {
        const std::uint32_t elements = word(maximum.rows * maximum.columns);
        input_ = weir_import(graph, "input", WEIR_F32, elements, WEIR_ACCESS_NONE); // ggml adds the barriers
        output_ = weir_import(graph, "output", operation == Operation::cumsum ? WEIR_F32 : WEIR_U32,
                              word(output_of(operation, maximum)), WEIR_ACCESS_NONE);
        weir_allow_smaller(graph, input_);
        weir_allow_smaller(graph, output_);
        columns_ = weir_parameter(graph, "columns", word(maximum.columns));
        weir_segments rows{};
        rows.size = sizeof rows;
        rows.variable_length = columns_;
        if (operation == Operation::cumsum) {
            elements_ = weir_parameter(graph, "elements", elements);
            rows.kind = WEIR_SEGMENTS_LENGTH;
            weir_scan_options scan{};
            scan.size = sizeof scan;
            scan.output = output_;
            scan.segments = &rows;
            weir_scan(graph, weir_with_count(input_, elements_), &scan);
            return;
        }
        rows_ = weir_parameter(graph, "rows", word(maximum.rows));
        rows.kind = WEIR_SEGMENTS_ROWS;
        rows.rows = rows_;
        if (operation == Operation::top_k) {
            k_ = weir_parameter(graph, "k", word(maximum.k));
            weir_top_k_options top{};
            top.size = sizeof top;
            top.descending = VK_TRUE;
            top.unsorted = VK_TRUE;
            top.output_indices = output_;
            top.local_indices = VK_TRUE;
            weir_segmented_top_k(graph, input_, &rows, k_, &top);
            return;
        }
        weir_sort_options sort{};
        sort.size = sizeof sort;
        sort.want_indices = VK_TRUE;
        sort.descending = operation == Operation::argsort_descending ? VK_TRUE : VK_FALSE;
        sort.omit_keys = VK_TRUE;
        sort.output_values = output_;
        sort.local_indices = VK_TRUE;
        weir_segmented_sort(graph, input_, &rows, &sort);
    }

    weir_program* program_ = nullptr;
    weir_buffer_ref input_{}, output_{};
    weir_count rows_{}, columns_{}, k_{}, elements_{}; ///< zeros: not a parameter of the operation
    std::uint32_t capacity_, pending_ = 0;
};

} // namespace

Device::Device(weir_context* context) : context_(context) {
    weir_device_properties properties{};
    properties.size = sizeof properties;
    weir_context_properties(context, &properties, nullptr);
    max_elements_ = properties.max_storage_range / 4;
}

Device::~Device() {
    weir_context_destroy(context_);
}

std::shared_ptr<Device> Device::adopt(weir_adopted_device device) {
    if (is_set("GGML_WEIR", "0")) {
        return nullptr;
    }
    device.size = sizeof device;
    device.no_glsl = VK_TRUE; // all kernels are in the library
    weir_context* context = nullptr;
    weir_error error{};
    if (weir_context_adopt(&device, &context, &error) != WEIR_SUCCESS) {
        std::fprintf(stderr, "weir_ggml: %s\n", error.message);
        return nullptr;
    }
    return std::shared_ptr<Device>(new Device(context));
}

bool Device::supports(Operation operation, const Shape& shape) const {
    return fits(operation, shape, max_elements_) && shape.k <= shape.columns;
}

struct Recorder::State {
    using Key = std::tuple<Operation, std::uint64_t, std::uint64_t, std::uint64_t>;
    std::shared_ptr<Device> device;
    std::map<Key, std::vector<std::unique_ptr<Program>>> programs; ///< instances for each maximum shape
    std::uint64_t compiled = 0, recorded = 0;
};

Recorder::Recorder(std::shared_ptr<Device> device) : state_(new State) {
    state_->device = std::move(device);
}

Recorder::~Recorder() {
    if (is_set("GGML_WEIR_LOG", "1")) {
        std::fprintf(stderr, "weir_ggml: %llu recordings of %llu programs\n",
                     static_cast<unsigned long long>(state_->recorded),
                     static_cast<unsigned long long>(state_->compiled));
    }
}

bool Recorder::record(VkCommandBuffer commands, Operation operation, const Shape& shape, weir_buffer_view input,
                      weir_buffer_view output) {
    if (!state_->device->supports(operation, shape)) {
        return false;
    }
    const Shape maximum = maximum_of(operation, shape, state_->device->max_elements_);
    auto& instances = state_->programs[{operation, maximum.rows, maximum.columns, maximum.k}];
    auto program = std::find_if(instances.begin(), instances.end(), [](const auto& one) { return !one->is_full(); });
    weir_error error{};
    if (program == instances.end()) {
        const std::uint32_t capacity =
            std::min(least_pending << std::min<std::size_t>(instances.size(), 8), most_pending);
        auto compiled = std::make_unique<Program>(state_->device->context_, operation, maximum, capacity, error);
        if (!compiled->is_compiled()) {
            std::fprintf(stderr, "weir_ggml: %s\n", error.message);
            return false;
        }
        ++state_->compiled;
        instances.push_back(std::move(compiled));
        program = instances.end() - 1;
    }
    if (!(*program)->record(commands, shape, input, output, error)) {
        std::fprintf(stderr, "weir_ggml: %s\n", error.message);
        return false;
    }
    ++state_->recorded;
    return true;
}

void Recorder::completed() {
    for (auto& [key, instances] : state_->programs) {
        for (const auto& program : instances) {
            program->completed();
        }
    }
}

} // namespace weir_ggml
