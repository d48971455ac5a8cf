// Copies, blits and clears of images.
#include <weir/graph/graph.hpp>

#include <algorithm>
#include <utility>

#include <weir/graph/description.hpp>

#include "engine/base/strings.hpp"
#include "graph/describe/conditions.hpp"
#include "graph/describe/passes.hpp"

namespace weir {

/// Checks that the image has the region, and that image work is allowed here: not under a count on the GPU.
bool Graph::accepts(ImageId image, const ImageRegion& region, const std::string& pass) {
    if (!accepts(image, pass)) {
        return false;
    }
    if (open_gate(*description_)) {
        fail({ErrorCode::invalid_graph,
              "pass '" + pass +
                  "' copies, scales or clears an image, which is not supported inside only_if of a GPU count"});
        return false;
    }
    const auto& node = description_->resources[image.index];
    const ImageInfo& info = *node.image;
    const bool has_layers =
        region.layers >= 1 && region.layer < info.layers && region.layers <= info.layers - region.layer;
    if (region.mip >= info.mips || !has_layers) {
        fail({ErrorCode::invalid_graph,
              concat("pass '", pass, "' uses mip ", region.mip, " and ", region.layers, " layers from ", region.layer,
                     " on; image '", node.name, "' has ", info.mips, " mips and ", info.layers, " layers")});
        return false;
    }
    return true;
}

bool Graph::check_copied(BufferId buffer, ImageId image, const ImageRegion& region, const std::string& pass) {
    if (!accepts(buffer, pass) || !accepts(image, region, pass)) {
        return false;
    }
    const auto &texels = description_->resources[image.index], &bytes = description_->resources[buffer.index];
    const std::uint64_t needed = image_bytes(*texels.image, region);
    if (needed == 0 || needed > bytes.bytes) {
        const ImageInfo& info = *texels.image;
        const std::string unsupported = info.samples != VK_SAMPLE_COUNT_1_BIT
                                            ? concat("has ", static_cast<int>(info.samples), " samples per texel")
                                            : concat("has VkFormat ", static_cast<int>(info.format));
        fail({ErrorCode::invalid_graph, needed == 0
                                            ? concat("pass '", pass, "' copies image '", texels.name, "', which ",
                                                     unsupported, "; copies between it and a buffer are not supported")
                                            : concat("pass '", pass, "' copies ", needed, " bytes of image '",
                                                     texels.name, "'; '", bytes.name, "' has ", bytes.bytes)});
        return false;
    }
    return true;
}

void Graph::add_copy(std::string name, ImageId source, BufferId destination, const ImageRegion& region,
                     SourceLocation where) {
    const GraphCall call(*this, where);
    if (check_copied(destination, source, region, name)) {
        append_image_work(*description_, std::move(name),
                          {.kind = GraphDescription::ImageWork::Kind::to_buffer, .source = region}, source,
                          destination);
    }
}

void Graph::add_copy(std::string name, BufferId source, ImageId destination, const ImageRegion& region,
                     SourceLocation where) {
    const GraphCall call(*this, where);
    if (check_copied(source, destination, region, name)) {
        append_image_work(*description_, std::move(name),
                          {.kind = GraphDescription::ImageWork::Kind::from_buffer, .destination = region}, source,
                          destination);
    }
}

void Graph::add_copy(std::string name, ImageId source, ImageId destination, const ImageRegion& from,
                     const ImageRegion& to, SourceLocation where) {
    const GraphCall call(*this, where);
    if (!accepts(source, from, name) || !accepts(destination, to, name)) {
        return;
    }
    const auto &a = description_->resources[source.index], &b = description_->resources[destination.index];
    const auto has_same_texels = [&](auto size) {
        return std::max(size(a) >> from.mip, 1U) == std::max(size(b) >> to.mip, 1U);
    };
    const bool has_same_extent = has_same_texels([](const auto& node) { return node.image->extent.width; }) &&
                                 has_same_texels([](const auto& node) { return node.image->extent.height; }) &&
                                 has_same_texels([](const auto& node) { return node.image->extent.depth; });
    const char* const other = !has_same_extent                                           ? "extent"
                              : from.layers != to.layers                                 ? "number of layers"
                              : a.image->samples != b.image->samples                     ? "number of samples"
                              : image_bytes(*a.image, from) != image_bytes(*b.image, to) ? "texel size"
                                                                                         : nullptr;
    if (other != nullptr) {
        fail({ErrorCode::invalid_graph, concat("pass '", name, "' copies image '", a.name, "' to image '", b.name,
                                               "', whose region has another ", other)});
        return;
    }
    append_image_work(*description_, std::move(name),
                      {.kind = GraphDescription::ImageWork::Kind::copy, .source = from, .destination = to}, source,
                      destination);
}

void Graph::add_blit(std::string name, ImageId source, ImageId destination, VkFilter filter, const ImageRegion& from,
                     const ImageRegion& to, SourceLocation where) {
    const GraphCall call(*this, where);
    if (!accepts(source, from, name) || !accepts(destination, to, name)) {
        return;
    }
    const auto &a = description_->resources[source.index], &b = description_->resources[destination.index];
    if (from.layers != to.layers) {
        fail({ErrorCode::invalid_graph,
              concat("pass '", name, "' scales ", from.layers, " layers of image '", a.name, "' to ", to.layers,
                     " of image '", b.name, "'; the numbers of layers must be equal")});
        return;
    }
    if (a.image->samples != VK_SAMPLE_COUNT_1_BIT || b.image->samples != VK_SAMPLE_COUNT_1_BIT) {
        fail({ErrorCode::invalid_graph, concat("pass '", name, "' scales image '", a.name, "' to image '", b.name,
                                               "'; both must have one sample per texel")});
        return;
    }
    append_image_work(
        *description_, std::move(name),
        {.kind = GraphDescription::ImageWork::Kind::blit, .source = from, .destination = to, .filter = filter}, source,
        destination);
}

void Graph::add_clear(std::string name, ImageId image, const VkClearValue& value, const ImageRegion& region,
                      SourceLocation where) {
    const GraphCall call(*this, where);
    if (accepts(image, region, name)) {
        append_image_work(*description_, std::move(name),
                          {.kind = GraphDescription::ImageWork::Kind::clear, .destination = region, .value = value}, {},
                          image);
    }
}

} // namespace weir
