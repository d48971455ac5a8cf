#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include <weir/engine/buffer.hpp>
#include <weir/engine/error.hpp>

#include "engine/pipeline.hpp"

namespace weir {

class Device;

/// Where a program keeps its descriptors: `copies` times a table with one entry per pass, so that a new copy can be
/// written while the GPU still reads an older one. Pooled sets today; a descriptor buffer fits the same interface.
class Descriptors {
public:
    virtual ~Descriptors() = default;

    /// Points the storage buffers of pass `pass` in `copy` at `buffers`, one per binding of the pass, in order.
    /// Allocates nothing. The GPU must not be using the copy.
    virtual void write(std::uint32_t copy, std::uint32_t pass, std::span<const BufferView> buffers) = 0;

    /// Binds what `write` wrote for set 0 of the pass's pipeline. Allocates nothing.
    virtual void bind(VkCommandBuffer commands, std::uint32_t copy, std::uint32_t pass) const = 0;
};

/// One entry of the table. A null pipeline has no descriptors: `write` and `bind` do nothing for it.
struct DescriptorPass {
    std::shared_ptr<const Pipeline> pipeline;
    std::uint32_t bindings = 0; ///< as in the pipeline
};

/// Room for `copies` of one set per pass, in one pool. Errors: `out_of_memory`.
Result<std::unique_ptr<Descriptors>> make_pooled_sets(std::shared_ptr<Device> device,
                                                      std::span<const DescriptorPass> passes, std::uint32_t copies);

} // namespace weir
