#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include <weir/engine/error.hpp>

#include "engine/pipeline/pipeline.hpp"

namespace weir {

/// The pipelines of one device; equal ones are created once. A pipeline lives as long as it is used. The most recently
/// requested ones are kept in addition. Thread-safe.
class Pipelines {
public:
    Pipelines(DeviceHandle& device, const PipelineOptions& options, std::size_t max_kept)
        : device_(device), options_(options), max_kept_(max_kept) {}

    [[nodiscard]] const PipelineOptions& options() const { return options_; }

    /// Returns the pipeline of `info` and creates it if necessary. Pipelines with the application's descriptor sets are
    /// always created. If several threads request the same one, one thread creates it. The result keeps the device
    /// alive. Errors: those of Pipeline::create.
    [[nodiscard]] Result<std::shared_ptr<const Pipeline>> get(const PipelineInfo& info);
    /// Returns the pipeline if it exists. Returns null if it does not exist, is being created, or has the application's
    /// sets.
    [[nodiscard]] std::shared_ptr<const Pipeline> find(const PipelineInfo& info);

private:
    using Kept = std::list<std::shared_ptr<Pipeline>>;
    struct Slot {
        std::mutex mutex; ///< held while the pipeline is created, without blocking requests for others
        std::weak_ptr<Pipeline> pipeline;
    };

    [[nodiscard]] std::shared_ptr<Slot> slot(const PipelineInfo& info);
    /// Makes `pipeline` the most recently used one and returns it with its device.
    [[nodiscard]] std::shared_ptr<const Pipeline> use(std::shared_ptr<Pipeline> pipeline);
    /// Returns a pointer to the pipeline that keeps the device alive too.
    [[nodiscard]] std::shared_ptr<const Pipeline> with_device(std::shared_ptr<const Pipeline> pipeline) const;
    void keep(const std::shared_ptr<Pipeline>& pipeline);

    DeviceHandle& device_;
    PipelineOptions options_;
    std::size_t max_kept_;
    std::mutex mutex_;
    std::unordered_map<PipelineKey, std::shared_ptr<Slot>, PipelineKeyHash> slots_;
    std::size_t max_slots_ = 64; ///< slots without a pipeline are removed at this number
    Kept kept_;                  ///< most recently used first
    std::unordered_map<const Pipeline*, Kept::iterator> places_; ///< positions in `kept_`
};

} // namespace weir
