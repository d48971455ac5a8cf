#include <weir/splats/device_cloud.hpp>

#include <algorithm>
#include <cstddef>

#include "propagate.hpp"

namespace weir::splats {

namespace {

/// Returns the maximum number of splats whose buffers can each be allocated and bound.
std::uint32_t max_splats_of_part(const Capabilities& device, std::uint32_t degree) {
    const std::uint64_t bytes = std::max(sizeof(SplatShape), harmonic_words(degree) * sizeof(std::uint32_t));
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(max_splats, std::min(device.max_storage_range, device.max_allocation) / bytes));
}

template <class T>
Result<Buffer> buffer_of(const Context& gpu, std::span<const T> items) {
    auto buffer = gpu.create_buffer(items.size_bytes());
    SPLATS_PROPAGATE(buffer);
    SPLATS_PROPAGATE(gpu.upload(*buffer, items));
    return buffer;
}

} // namespace

Result<DeviceCloud> DeviceCloud::upload(const Context& gpu, const Cloud& cloud, std::uint32_t max_part_splats) {
    if (cloud.places.empty()) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, "the cloud has no splats"});
    }
    Contents made{.splats = cloud.size(), .degree = cloud.degree, .bounds = bounds_of(cloud)};
    const std::uint32_t words = harmonic_words(cloud.degree);
    const std::uint32_t limit = max_splats_of_part(gpu.capabilities(), cloud.degree);
    const std::uint32_t step = max_part_splats != 0 ? std::min(limit, max_part_splats) : limit;
    for (std::uint32_t first = 0; first < made.splats; first += step) {
        Part part{.splats = std::min(step, made.splats - first)};
        auto places = buffer_of(gpu, std::span(cloud.places).subspan(first, part.splats));
        SPLATS_PROPAGATE(places);
        part.places = std::move(*places);
        auto shapes = buffer_of(gpu, std::span(cloud.shapes).subspan(first, part.splats));
        SPLATS_PROPAGATE(shapes);
        part.shapes = std::move(*shapes);
        if (words > 0) {
            auto harmonics = buffer_of(
                gpu, std::span(cloud.harmonics).subspan(std::size_t{first} * words, std::size_t{part.splats} * words));
            SPLATS_PROPAGATE(harmonics);
            part.harmonics = std::move(*harmonics);
        }
        made.parts.push_back(std::move(part));
    }
    return DeviceCloud(std::make_shared<const Contents>(std::move(made)));
}

std::vector<CloudBuffers> DeviceCloud::import(const GraphCall& graph, HostData data) const {
    std::vector<CloudBuffers> imports;
    for (const Part& part : contents_->parts) {
        imports.push_back(import_cloud(graph, part.splats, contents_->degree, data));
    }
    return imports;
}

Result<> DeviceCloud::bind(Program& program, std::span<const CloudBuffers> imports) const {
    for (std::size_t i = 0; i < imports.size(); ++i) {
        const Part& part = contents_->parts[i];
        SPLATS_PROPAGATE(program.bind(imports[i].places, part.places));
        SPLATS_PROPAGATE(program.bind(imports[i].shapes, part.shapes));
        if (contents_->degree > 0) {
            SPLATS_PROPAGATE(program.bind(imports[i].harmonics, part.harmonics));
        }
    }
    return {};
}

} // namespace weir::splats
