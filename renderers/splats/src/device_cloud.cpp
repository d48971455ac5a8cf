#include <weir/splats/device_cloud.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <new>

#include "half.hpp"
#include "parallel.hpp"
#include "propagate.hpp"

namespace weir::splats {

namespace {

/// Returns the maximum number of splats whose buffers can each be allocated and bound.
std::uint32_t max_splats_of_part(const Capabilities& device, std::uint32_t degree, HarmonicFormat format) {
    const std::uint64_t bytes = std::max(sizeof(SplatShape), harmonic_words(degree, format) * sizeof(std::uint32_t));
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

/// Harmonics of HarmonicFormat::snorm8, and shapes with their factors.
struct CompactHarmonics {
    std::vector<SplatShape> shapes;
    std::vector<std::uint32_t> words;
};

/// Rounds the harmonics of a splat to 8 bits. Returns their factor.
float round_harmonics(std::span<const std::uint32_t> halfs, std::span<std::uint32_t> words) {
    std::array<float, 48> numbers{};
    float most = 0;
    for (std::size_t i = 0; i < 2 * halfs.size(); ++i) {
        numbers[i] = from_half(halfs[i / 2] >> 16 * (i % 2) & 0xFFFFU);
        most = std::max(most, std::abs(numbers[i]));
    }
    for (std::size_t i = 0; most > 0 && i < 2 * halfs.size(); ++i) {
        const auto number = static_cast<std::int8_t>(std::lround(127 * numbers[i] / most));
        words[i / 4] |= std::uint32_t{static_cast<std::uint8_t>(number)} << 8 * (i % 4);
    }
    return most;
}

/// Rounds the harmonics of splats [first, first + count) to 8 bits, in all threads. Errors: `out_of_memory`.
Result<CompactHarmonics> round_harmonics(const Cloud& cloud, std::uint32_t first, std::uint32_t count) {
    const std::uint32_t from_words = harmonic_words(cloud.degree);
    const std::uint32_t to_words = harmonic_words(cloud.degree, HarmonicFormat::snorm8);
    try {
        CompactHarmonics made{{cloud.shapes.begin() + first, cloud.shapes.begin() + first + count},
                              std::vector<std::uint32_t>(std::size_t{count} * to_words)};
        constexpr std::uint32_t step = 1U << 14;
        run_parallel(0, (count + step - 1) / step, [&](std::uint32_t item) {
            for (std::size_t i = std::size_t{item} * step; i < std::min<std::size_t>(count, (item + 1) * step); ++i) {
                made.shapes[i].harmonic_scale =
                    round_harmonics(std::span(cloud.harmonics).subspan((first + i) * from_words, from_words),
                                    std::span(made.words).subspan(i * to_words, to_words));
            }
        });
        return made;
    } catch (const std::bad_alloc&) {
        return tl::unexpected(Error{ErrorCode::out_of_memory, "harmonics of 8 bits do not fit into host memory"});
    }
}

} // namespace

Result<DeviceCloud> DeviceCloud::upload(const Context& gpu, const Cloud& cloud, const UploadOptions& options) {
    if (cloud.places.empty()) {
        return tl::unexpected(Error{ErrorCode::invalid_argument, "the cloud has no splats"});
    }
    const HarmonicFormat format = cloud.degree == 0 ? HarmonicFormat::half : options.harmonics;
    Contents made{.splats = cloud.size(), .degree = cloud.degree, .format = format, .bounds = bounds_of(cloud)};
    const std::uint32_t words = harmonic_words(cloud.degree);
    const std::uint32_t limit = max_splats_of_part(gpu.capabilities(), cloud.degree, format);
    const std::uint32_t step = options.max_part_splats != 0 ? std::min(limit, options.max_part_splats) : limit;
    for (std::uint32_t first = 0; first < made.splats; first += step) {
        Part part{.splats = std::min(step, made.splats - first)};
        auto places = buffer_of(gpu, std::span(cloud.places).subspan(first, part.splats));
        SPLATS_PROPAGATE(places);
        part.places = std::move(*places);
        auto shapes_of_part = std::span(cloud.shapes).subspan(first, part.splats);
        auto harmonics_of_part =
            std::span(cloud.harmonics).subspan(std::size_t{first} * words, std::size_t{part.splats} * words);
        CompactHarmonics compact;
        if (format == HarmonicFormat::snorm8) {
            auto rounded = round_harmonics(cloud, first, part.splats);
            SPLATS_PROPAGATE(rounded);
            compact = std::move(*rounded);
            shapes_of_part = compact.shapes;
            harmonics_of_part = compact.words;
        }
        auto shapes = buffer_of(gpu, shapes_of_part);
        SPLATS_PROPAGATE(shapes);
        part.shapes = std::move(*shapes);
        if (words > 0) {
            auto harmonics = buffer_of(gpu, harmonics_of_part);
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
        imports.push_back(import_cloud(graph, part.splats, contents_->degree, data, contents_->format));
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
