#include "graph/describe/image_size.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include <vulkan/vulkan_format_traits.hpp>

#include "engine/memory/image.hpp"

namespace weir {

std::uint64_t estimated_bytes(const ImageInfo& info) {
    const auto format = static_cast<vk::Format>(info.format);
    const std::uint64_t block_bytes = vk::blockSize(format) != 0 ? vk::blockSize(format) : 16;
    const auto block = vk::blockExtent(format);
    std::uint64_t bytes = 0;
    for (std::uint32_t mip = 0; mip < std::min(info.mips, 32U); ++mip) {
        const auto blocks = [&](std::uint32_t texels, std::uint32_t in_block) -> std::uint64_t {
            return (std::max(texels >> mip, 1U) + in_block - 1) / in_block;
        };
        bytes += block_bytes * blocks(info.extent.width, block[0]) * blocks(info.extent.height, block[1]) *
                 blocks(info.extent.depth, block[2]);
    }
    bytes *= std::uint64_t{info.layers} * static_cast<std::uint64_t>(info.samples);
    constexpr std::uint64_t unit = 64 << 10;
    return (bytes + unit - 1) / unit * unit;
}

bool is_compressed(VkFormat format) {
    return vk::blockExtent(static_cast<vk::Format>(format)) != std::array<std::uint8_t, 3>{1, 1, 1};
}

std::uint64_t image_bytes(const ImageInfo& info, const ImageRegion& region) {
    const auto format = static_cast<vk::Format>(info.format);
    const bool has_one_aspect = std::has_single_bit(aspects_of(info.format));
    const bool is_there = region.mip < info.mips && region.layers >= 1 && region.layer < info.layers &&
                          region.layers <= info.layers - region.layer;
    if (!is_there || info.samples != VK_SAMPLE_COUNT_1_BIT || !has_one_aspect) {
        return 0;
    }
    const auto block = vk::blockExtent(format);
    const auto blocks = [&](std::uint32_t texels, std::uint32_t in_block) -> std::uint64_t {
        return (std::max(texels >> region.mip, 1U) + in_block - 1) / in_block;
    };
    return std::uint64_t{vk::blockSize(format)} * blocks(info.extent.width, block[0]) *
           blocks(info.extent.height, block[1]) * blocks(info.extent.depth, block[2]) * region.layers;
}

} // namespace weir
