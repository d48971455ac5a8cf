// .ksplat of mkkellogg, version 0.1: a header of 4096 bytes, headers of sections (1024 bytes each), sections. A section
// has the sizes of its partially filled buckets, the centers of all buckets, and splats. Level 0 has floats; levels 1
// and 2 have positions relative to the center of their bucket and 16-bit floats; level 2 has harmonics in bytes.

#include <algorithm>
#include <array>
#include <memory>

#include "half.hpp"
#include "propagate.hpp"

#include "source.hpp"

namespace weir::splats {

namespace {

constexpr std::size_t ksplat_header = 4096, section_header = 1024;

struct KsplatSection {
    std::uint64_t splats = 0, first = 0; ///< first: index of its first splat in the file
    std::uint32_t degree = 0, bucket_splats = 0;
    std::uint64_t full_buckets = 0;
    std::vector<std::uint64_t> partial_ends; ///< indices behind the splats of each partially filled bucket
    const std::byte* centers = nullptr;
    std::uint64_t buckets = 0;
    float unit = 0, range = 0; ///< scale of positions
    const std::byte* rows = nullptr;
    std::size_t row = 0; ///< bytes per splat
};

struct KsplatFile {
    std::uint32_t level = 0;
    float min = 0, max = 0; ///< range of harmonics of level 2
    std::vector<KsplatSection> sections;
};

/// Returns the bytes of a coefficient of harmonics.
std::size_t coefficient_size(std::uint32_t level) {
    return level == 0 ? 4 : level == 1 ? 2 : 1;
}

tl::unexpected<Error> short_ksplat() {
    return invalid_file("the KSPLAT file is incomplete, or its headers are damaged");
}

/// Reads a section whose header is at `header` and whose data begins at `at`. Moves `at` behind it.
Result<KsplatSection> read_section(Bytes bytes, const std::byte* header, const KsplatFile& file, std::uint64_t& at) {
    KsplatSection section{.splats = load<std::uint32_t>(header)};
    const std::uint64_t capacity = load<std::uint32_t>(header + 4);
    section.bucket_splats = load<std::uint32_t>(header + 8);
    section.buckets = load<std::uint32_t>(header + 12);
    const std::uint64_t center_size = load<std::uint16_t>(header + 20);
    const auto range = load<std::uint32_t>(header + 24);
    section.range = static_cast<float>(range != 0 ? range : file.level == 0 ? 1 : 32767);
    section.unit = load<float>(header + 16) / 2 / section.range;
    section.full_buckets = load<std::uint32_t>(header + 32);
    const std::uint64_t partial = load<std::uint32_t>(header + 36);
    section.degree = load<std::uint16_t>(header + 40);
    if (section.degree > 2) {
        return invalid_file("the KSPLAT file has harmonics of degree " + std::to_string(section.degree) +
                            "; the maximum is 2");
    }
    section.row = (file.level == 0 ? 44 : 24) + 3 * coefficients_of(section.degree) * coefficient_size(file.level);
    const std::uint64_t centers = at + 4 * partial, rows = centers + center_size * section.buckets;
    const std::uint64_t end = rows + capacity * section.row;
    if (section.splats > capacity || end > bytes.size() || (file.level > 0 && center_size != 12)) {
        return short_ksplat();
    }
    section.centers = bytes.data() + centers;
    section.rows = bytes.data() + rows;
    std::uint64_t in_buckets = section.full_buckets * section.bucket_splats;
    for (std::uint64_t i = 0; i < partial; ++i) {
        in_buckets += load<std::uint32_t>(&bytes[at + 4 * i]);
        section.partial_ends.push_back(in_buckets);
    }
    if (file.level > 0 && (in_buckets < section.splats || section.full_buckets + partial > section.buckets)) {
        return short_ksplat();
    }
    at = end;
    return section;
}

/// Returns the center of a splat's bucket.
Vec3 center_of(const KsplatSection& section, std::uint64_t index) {
    std::uint64_t bucket = 0;
    if (index < section.full_buckets * section.bucket_splats) {
        bucket = index / section.bucket_splats;
    } else {
        const auto end = std::upper_bound(section.partial_ends.begin(), section.partial_ends.end(), index);
        bucket = section.full_buckets + static_cast<std::uint64_t>(end - section.partial_ends.begin());
    }
    return load<Vec3>(section.centers + 12 * bucket);
}

/// Returns number `i` of a splat: position, scale and rotation.
float ksplat_number(const std::byte* row, std::uint32_t level, std::size_t i) {
    return level == 0 ? load<float>(row + 4 * i) : from_half(load<std::uint16_t>(row + 2 * i));
}

float ksplat_coefficient(const KsplatFile& file, const std::byte* at) {
    switch (file.level) {
    case 0: return load<float>(at);
    case 1: return from_half(load<std::uint16_t>(at));
    default: return file.min + byte_at(at) / 255 * (file.max - file.min);
    }
}

Splat splat_of_section(const KsplatFile& file, const KsplatSection& section, std::uint64_t index) {
    const std::byte* const row = section.rows + index * section.row;
    Splat splat;
    for (std::size_t i = 0; i < 3; ++i) {
        splat.mean[i] = ksplat_number(row, file.level, i);
        splat.scale[i] = ksplat_number(row, file.level, 3 + i);
    }
    for (std::size_t i = 0; i < 4; ++i) {
        splat.rotation[i] = ksplat_number(row, file.level, 6 + i);
    }
    if (file.level > 0) {
        const Vec3 center = center_of(section, index);
        for (std::size_t i = 0; i < 3; ++i) {
            const auto fixed = static_cast<float>(load<std::uint16_t>(row + 2 * i));
            splat.mean[i] = center[i] + (fixed - section.range) * section.unit;
        }
    }
    const std::byte* const color = row + (file.level == 0 ? 40 : 20);
    for (std::size_t i = 0; i < 3; ++i) {
        splat.color[i] = coefficient_of(byte_at(color + i) / 255);
    }
    splat.opacity = byte_at(color + 3) / 255;
    // The coefficients of a degree are together, those of a color one after the other.
    const std::byte* at = color + 4;
    for (std::size_t degree = 1; degree <= section.degree; ++degree) {
        const std::size_t first = coefficients_of(static_cast<std::uint32_t>(degree) - 1), count = 2 * degree + 1;
        for (std::size_t i = 0; i < 3 * count; ++i, at += coefficient_size(file.level)) {
            splat.harmonics[first + i % count][i / count] = ksplat_coefficient(file, at);
        }
    }
    return splat;
}

} // namespace

Result<SplatSource> open_ksplat(Bytes bytes) {
    if (bytes.size() < ksplat_header) {
        return invalid_file("the KSPLAT file is shorter than its header");
    }
    const auto file = std::make_shared<KsplatFile>();
    const std::uint64_t sections = load<std::uint32_t>(&bytes[4]);
    file->level = load<std::uint16_t>(&bytes[20]);
    if (file->level > 2) {
        return invalid_file("the KSPLAT file has compression level " + std::to_string(file->level) +
                            "; the maximum is 2");
    }
    const auto min = load<float>(&bytes[36]), max = load<float>(&bytes[40]);
    file->min = min != 0 ? min : -1.5F;
    file->max = max != 0 ? max : 1.5F;
    std::uint64_t at = ksplat_header + sections * section_header, splats = 0;
    if (at > bytes.size()) {
        return short_ksplat();
    }
    SplatSource source{.format = CloudFormat::ksplat};
    for (std::uint64_t i = 0; i < sections; ++i) {
        auto section = read_section(bytes, &bytes[ksplat_header + i * section_header], *file, at);
        SPLATS_PROPAGATE(section);
        section->first = splats;
        splats += section->splats;
        source.degree = std::max(source.degree, section->degree);
        file->sections.push_back(std::move(*section));
    }
    const auto count = checked_count("KSPLAT", splats);
    SPLATS_PROPAGATE(count);
    source.splats = *count;
    source.decode = [file](std::uint32_t first, std::span<Splat> out) {
        auto section = file->sections.begin();
        for (std::size_t i = 0; i < out.size(); ++i) {
            while (first + i >= section->first + section->splats) {
                ++section;
            }
            out[i] = splat_of_section(*file, *section, first + i - section->first);
        }
    };
    return source;
}

} // namespace weir::splats
