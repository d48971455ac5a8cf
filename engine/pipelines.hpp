#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <unordered_map>

#include <weir/engine/error.hpp>

#include "engine/pipeline.hpp"

namespace weir {

/// The pipelines of one device: equal ones are made once. They live as long as somebody uses them; those that were
/// asked for last are kept besides. Thread-safe.
class Pipelines {
public:
    Pipelines(Device& device, std::size_t most_kept) : device_(device), most_kept_(most_kept) {}

    /// Makes what is not there, and always those with descriptor sets of the application. Of several threads that ask
    /// for the same, one makes it. What is returned keeps the device alive. Errors: those of Pipeline::create.
    [[nodiscard]] Result<std::shared_ptr<const Pipeline>> get(const PipelineInfo& info);
    /// The same if it is there at once; null if it is not, or is being made.
    [[nodiscard]] std::shared_ptr<const Pipeline> find(const PipelineInfo& info);

private:
    using Kept = std::list<std::shared_ptr<Pipeline>>;
    struct Slot {
        std::mutex mutex; ///< held while the pipeline is made, so that others ask for other pipelines meanwhile
        std::weak_ptr<Pipeline> pipeline;
    };

    [[nodiscard]] std::shared_ptr<Slot> slot(const PipelineInfo& info);
    /// Also puts it first of those that are kept.
    [[nodiscard]] std::shared_ptr<const Pipeline> use(std::shared_ptr<Pipeline> pipeline);
    /// What keeps the device alive with the pipeline.
    [[nodiscard]] std::shared_ptr<const Pipeline> with_device(std::shared_ptr<const Pipeline> pipeline) const;
    void keep(const std::shared_ptr<Pipeline>& pipeline);

    Device& device_;
    std::size_t most_kept_;
    std::mutex mutex_;
    std::unordered_map<PipelineKey, std::shared_ptr<Slot>, PipelineKeyHash> slots_;
    std::size_t most_slots_ = 64; ///< as many may be before those are taken out whose pipelines are gone
    Kept kept_;                   ///< the last one first
    std::unordered_map<const Pipeline*, Kept::iterator> places_; ///< of those that are kept
};

} // namespace weir
