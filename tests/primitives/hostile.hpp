#pragma once

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "tests/primitives/harness.hpp"
#include "tests/support/host_device.hpp"

// Memory of a context that a test overwrites, also while programs run.

namespace weir::tests {

constexpr std::uint32_t hostile_items = 20'000; ///< capacity of each input; many tiles of each kernel

/// Returns a random word, often one that breaks kernels that do not check it: an extreme, a NaN, or a number near or
/// below `hostile_items`.
inline std::uint32_t hostile_word(std::mt19937_64& engine) {
    const std::uint64_t drawn = engine();
    const auto word = static_cast<std::uint32_t>(drawn >> 32);
    switch (drawn % 8) {
    case 0: return 0;
    case 1: return ~0U;
    case 2: return 1U << 31;
    case 3: return 0x7FC00001; // a NaN
    case 4: return hostile_items + word % 3 - 1;
    case 5: return word % hostile_items;
    default: return word;
    }
}

/// Host-visible memory for all buffers of a context. The test reads and writes it while programs run. Guards between
/// buffers must not be written.
class Arena {
public:
    static constexpr VkDeviceSize bytes = 64U << 20, guard = 4096;
    static constexpr std::uint32_t untouched = 0xC3C3C3C3;

    struct Range {
        VkBuffer buffer = VK_NULL_HANDLE;
        VkDeviceSize first = 0, size = 0; ///< bytes
        bool has_arguments = false;       ///< may hold arguments of indirect dispatches
    };

    explicit Arena(const HostDevice& host) : host_(host) {
        VkPhysicalDeviceMemoryProperties properties{};
        host.instance_functions().vkGetPhysicalDeviceMemoryProperties(host.physical_device(), &properties);
        constexpr VkMemoryPropertyFlags wanted =
            VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
        VkMemoryAllocateFlagsInfo flags{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO};
        flags.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT;
        VkMemoryAllocateInfo info{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, &flags, bytes};
        while ((properties.memoryTypes[info.memoryTypeIndex].propertyFlags & wanted) != wanted) {
            ++info.memoryTypeIndex;
        }
        void* mapped = nullptr;
        EXPECT_EQ(host.vk().vkAllocateMemory(host.device(), &info, nullptr, &memory_), VK_SUCCESS);
        EXPECT_EQ(host.vk().vkMapMemory(host.device(), memory_, 0, bytes, 0, &mapped), VK_SUCCESS);
        words_ = static_cast<std::uint32_t*>(mapped);
        std::fill_n(words_, bytes / 4, untouched);
    }
    ~Arena() { host_.vk().vkFreeMemory(host_.device(), memory_, nullptr); }
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;

    [[nodiscard]] MemoryHooks hooks() {
        MemoryHooks hooks;
        hooks.create_buffer = [this](const VkBufferCreateInfo& info, MemoryKind, MemoryHooks::Allocation& out) {
            return create(info, out);
        };
        hooks.destroy_buffer = [this](const MemoryHooks::Allocation& allocation) {
            host_.vk().vkDestroyBuffer(host_.device(), allocation.buffer, nullptr);
            std::erase_if(ranges_, [&](const Range& range) { return range.buffer == allocation.buffer; });
        };
        return hooks;
    }

    /// Returns the ranges of existing buffers, in the order of creation.
    [[nodiscard]] const std::vector<Range>& ranges() const { return ranges_; }
    [[nodiscard]] std::span<std::uint32_t> words(const Range& range) const {
        return {words_ + range.first / 4, range.size / 4};
    }
    [[nodiscard]] std::span<std::uint32_t> words(BufferView view) const {
        for (const Range& range : ranges_) {
            if (range.buffer == view.buffer) {
                return words(range).subspan(view.offset / 4, view.size / 4);
            }
        }
        return {};
    }

    /// Checks that no guard was written.
    void expect_guards() const {
        for (const auto& [first, end] : guards_) {
            const auto* const written = std::find_if(words_ + first / 4, words_ + end / 4,
                                                     [](std::uint32_t word) { return word != untouched; });
            if (written != words_ + end / 4) {
                ADD_FAILURE() << "word " << (written - words_) << " is outside all buffers and was written";
                return;
            }
        }
    }

private:
    VkResult create(const VkBufferCreateInfo& info, MemoryHooks::Allocation& out) {
        const VkResult made = host_.vk().vkCreateBuffer(host_.device(), &info, nullptr, &out.buffer);
        if (made != VK_SUCCESS) {
            return made;
        }
        VkMemoryRequirements needs{};
        host_.vk().vkGetBufferMemoryRequirements(host_.device(), out.buffer, &needs);
        const VkDeviceSize first = (used_ + guard + needs.alignment - 1) / needs.alignment * needs.alignment;
        if (first + needs.size + guard > bytes) {
            host_.vk().vkDestroyBuffer(host_.device(), out.buffer, nullptr);
            return VK_ERROR_OUT_OF_DEVICE_MEMORY;
        }
        guards_.emplace_back(used_, first);
        used_ = first + (info.size + 3) / 4 * 4;
        ranges_.push_back({out.buffer, first, info.size, (info.usage & VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT) != 0});
        out.mapped = words_ + first / 4;
        return host_.vk().vkBindBufferMemory(host_.device(), out.buffer, memory_, first);
    }

    const HostDevice& host_;
    VkDeviceMemory memory_ = VK_NULL_HANDLE;
    std::uint32_t* words_ = nullptr;
    VkDeviceSize used_ = 0;
    std::vector<Range> ranges_;
    std::vector<std::pair<VkDeviceSize, VkDeviceSize>> guards_;
};

/// A thread that overwrites random words of `targets` until its destruction.
class Scribbler {
public:
    Scribbler(std::vector<std::span<std::uint32_t>> targets, std::uint64_t seed,
              std::function<std::uint32_t(std::mt19937_64&)> word = hostile_word)
        : thread_([this, targets = std::move(targets), seed, word = std::move(word)] {
              std::mt19937_64 engine(seed);
              while (!ends_) {
                  for (const std::span<std::uint32_t> target : targets) {
                      std::atomic_ref(target[engine() % target.size()]).store(word(engine), std::memory_order_relaxed);
                  }
              }
          }) {}
    ~Scribbler() {
        ends_ = true;
        thread_.join();
    }
    Scribbler(const Scribbler&) = delete;
    Scribbler& operator=(const Scribbler&) = delete;

private:
    std::atomic<bool> ends_ = false;
    std::thread thread_;
};

/// Ends the process with an error unless it is destroyed within some minutes.
class Watchdog {
public:
    Watchdog(std::string what, std::uint32_t minutes) : what_(std::move(what)) {
        thread_ = std::thread([this, minutes] {
            for (std::uint32_t i = 0; i < minutes * 600 && !ends_; ++i) {
                std::this_thread::sleep_for(std::chrono::milliseconds(100));
            }
            if (!ends_) {
                std::printf("%s has not ended after %u minutes\n", what_.c_str(), minutes);
                std::fflush(stdout);
                std::_Exit(1);
            }
        });
    }
    ~Watchdog() {
        ends_ = true;
        thread_.join();
    }
    Watchdog(const Watchdog&) = delete;
    Watchdog& operator=(const Watchdog&) = delete;

private:
    std::string what_;
    std::atomic<bool> ends_ = false;
    std::thread thread_;
};

} // namespace weir::tests
