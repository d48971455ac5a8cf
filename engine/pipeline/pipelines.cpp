#include "engine/pipeline/pipelines.hpp"

#include <algorithm>

#include "engine/base/device_handle.hpp"
#include "engine/base/propagate.hpp"

namespace weir {

std::shared_ptr<Pipelines::Slot> Pipelines::slot(const PipelineInfo& info) {
    PipelineKey key(info, device_.capabilities());
    const std::lock_guard lock(mutex_);
    if (slots_.size() >= max_slots_) {
        // A slot that another thread holds is about to get its pipeline.
        std::erase_if(slots_,
                      [](const auto& one) { return one.second.use_count() == 1 && one.second->pipeline.expired(); });
        max_slots_ = std::max<std::size_t>(64, 2 * slots_.size());
    }
    auto& slot = slots_[std::move(key)];
    if (slot == nullptr) {
        slot = std::make_shared<Slot>();
    }
    return slot;
}

void Pipelines::keep(const std::shared_ptr<Pipeline>& pipeline) {
    std::shared_ptr<Pipeline> surplus; // destroyed without the lock
    const std::lock_guard lock(mutex_);
    if (const auto place = places_.find(pipeline.get()); place != places_.end()) {
        kept_.splice(kept_.begin(), kept_, place->second);
        return;
    }
    kept_.push_front(pipeline);
    places_.emplace(pipeline.get(), kept_.begin());
    if (kept_.size() > max_kept_) {
        surplus = std::move(kept_.back());
        places_.erase(surplus.get());
        kept_.pop_back();
    }
}

Result<std::shared_ptr<const Pipeline>> Pipelines::get(const PipelineInfo& info) {
    if (!info.sets.empty()) { // no key: a destroyed layout's handle may be reused for another layout
        auto made = Pipeline::create(device_, options_, info);
        WEIR_PROPAGATE(made);
        return with_device(std::move(*made));
    }
    const std::shared_ptr<Slot> place = slot(info);
    const std::lock_guard lock(place->mutex);
    std::shared_ptr<Pipeline> pipeline = place->pipeline.lock();
    if (pipeline == nullptr) {
        auto made = Pipeline::create(device_, options_, info);
        WEIR_PROPAGATE(made);
        pipeline = std::move(*made);
        place->pipeline = pipeline;
    }
    return use(std::move(pipeline));
}

std::shared_ptr<const Pipeline> Pipelines::find(const PipelineInfo& info) {
    if (!info.sets.empty()) {
        return nullptr;
    }
    const std::shared_ptr<Slot> place = slot(info);
    const std::unique_lock lock(place->mutex, std::try_to_lock);
    auto pipeline = lock.owns_lock() ? place->pipeline.lock() : nullptr;
    return pipeline != nullptr ? use(std::move(pipeline)) : nullptr;
}

std::shared_ptr<const Pipeline> Pipelines::use(std::shared_ptr<Pipeline> pipeline) {
    keep(pipeline);
    return with_device(std::move(pipeline));
}

std::shared_ptr<const Pipeline> Pipelines::with_device(std::shared_ptr<const Pipeline> pipeline) const {
    struct Use { // the pipeline is destroyed before its device
        std::shared_ptr<DeviceHandle> device;
        std::shared_ptr<const Pipeline> pipeline;
    };
    const auto use = std::make_shared<const Use>(Use{device_.shared_from_this(), std::move(pipeline)});
    return {use, use->pipeline.get()};
}

} // namespace weir
