#pragma once

#include <memory>

#include <gtest/gtest.h>

#include <weir/engine/image.hpp>

#include "engine/device/device.hpp"
#include "engine/memory/image.hpp"
#include "tests/support/device.hpp"
#include "tests/support/result.hpp"

namespace weir::tests {

/// A host's image, with its memory and view.
class OwnImage {
public:
    OwnImage(VkImageUsageFlags usage, const ImageInfo& info, const Context& context = test_context())
        : image_(ok(Image::create(ContextAccess::device(context), info, usage, "the host's"))) {
        const VkMemoryRequirements& needs = image_->needs();
        memory_ = ok(ImageMemory::create(ContextAccess::device(context)->memory(), needs.size, needs.alignment,
                                         needs.memoryTypeBits, false, "the host's"));
        ok(image_->bind(memory_->memory(), memory_->offset()));
    }
    [[nodiscard]] ImageView view() const { return image_->view(); }

private:
    std::unique_ptr<ImageMemory> memory_; // destroyed after the image
    std::unique_ptr<Image> image_;
};

/// A host's sampler on the test device. By default it does not filter.
class OwnSampler {
public:
    explicit OwnSampler(const VkSamplerCreateInfo& info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO}) {
        EXPECT_EQ(ContextAccess::device(test_context())
                      ->vk()
                      .vkCreateSampler(test_context().device(), &info, nullptr, &sampler_),
                  VK_SUCCESS);
    }
    ~OwnSampler() {
        ContextAccess::device(test_context())->vk().vkDestroySampler(test_context().device(), sampler_, nullptr);
    }
    OwnSampler(const OwnSampler&) = delete;
    OwnSampler& operator=(const OwnSampler&) = delete;
    operator VkSampler() const { return sampler_; }

private:
    VkSampler sampler_ = VK_NULL_HANDLE;
};

} // namespace weir::tests
