#pragma once

#include <cstdint>
#include <memory>

#include <weir.h>

/// Argsort, top-k and cumsum of the rows of a matrix of floats, for ggml's Vulkan back end, by Weir's C interface.
/// Nothing here depends on ggml.
namespace weir_ggml {

enum class Operation : std::uint8_t {
    argsort_ascending,  ///< columns indices per row
    argsort_descending, ///< columns indices per row
    top_k,              ///< the k largest per row: k indices per row, in no particular order
    cumsum,             ///< columns floats per row
};

/// Shape of a contiguous row-major matrix. All numbers are at least 1.
struct Shape {
    std::uint64_t rows = 1, columns = 1;
    std::uint64_t k = 1; ///< Operation::top_k only; at most `columns`
};

/// Adopts the device of ggml, once per VkDevice. Thread-safe.
class Device {
public:
    /// Returns null if the environment variable GGML_WEIR is 0, or if Weir cannot use the device, which it prints.
    static std::shared_ptr<Device> adopt(weir_adopted_device device);
    ~Device();
    Device(const Device&) = delete;
    Device& operator=(const Device&) = delete;

    /// Returns whether a Recorder can record an operation.
    [[nodiscard]] bool supports(Operation operation, const Shape& shape) const;

private:
    friend class Recorder;
    explicit Device(weir_context* context);
    weir_context* context_;
    std::uint64_t max_elements_; ///< maximum number of elements of a buffer
};

/// Records operations for one back end of ggml. Used by one thread at a time.
///
/// Compiles a program per operation and maximum shape, whose numbers are powers of two. It serves every shape up to
/// the maximum and more than half of it, with any buffers: the shape is set and the buffers are bound when it is
/// recorded. Only the first recording of a maximum shape compiles and allocates.
class Recorder {
public:
    explicit Recorder(std::shared_ptr<Device> device);
    ~Recorder();
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    /// Records an operation. The caller adds barriers: the operation reads and writes the buffers in compute shaders.
    /// Returns false and prints the error if it fails. Nothing was recorded then.
    bool record(VkCommandBuffer commands, Operation operation, const Shape& shape, weir_buffer_view input,
                weir_buffer_view output);
    /// States that the GPU has completed all recordings. Call it often: more than 64 recordings of a program between
    /// two calls compile further instances of it, with more descriptors each.
    void completed();

private:
    struct State;
    std::unique_ptr<State> state_;
};

} // namespace weir_ggml
