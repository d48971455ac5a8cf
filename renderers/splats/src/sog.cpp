// .sog of PlayCanvas: a ZIP archive of meta.json and pictures in WebP format with a pixel per splat. Bytes of pixels
// are indices of tables in meta.json (version 2) or fractions between bounds there (version 1, without a number of the
// version). Positions have 16 bits in two pictures and are logarithms. Harmonics are indices of a palette, which is a
// picture with 64 entries per row.

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include <nlohmann/json.hpp>

#include "compression.hpp"
#include "parallel.hpp"
#include "propagate.hpp"
#include "zip.hpp"

namespace weir::splats {

namespace {

using Json = nlohmann::json;
using Table = std::array<float, 256>;

/// Pictures and tables of a file.
struct SogFile {
    enum Picture : std::uint8_t { low, high, scales, rotations, colors, labels, palette, pictures };

    std::uint32_t splats = 0, degree = 0;
    std::uint64_t palette_entries = 0;
    std::array<Pixels, pictures> pixels;
    std::array<std::string, pictures> names; ///< empty without harmonics
    Vec3 min{}, max{};                       ///< bounds of positions, as logarithms
    std::array<Table, 3> scale{};            ///< logarithms
    std::array<Table, 4> color{};            ///< coefficients of degree 0, and opacity
    Table coefficient{};
};

tl::unexpected<Error> bad_meta(const std::string& name) {
    return invalid_file("meta.json of the SOG file has no valid " + name);
}

/// Returns a member of an object, or null.
const Json& member(const Json& object, const char* name) {
    static const Json null;
    const auto found = object.find(name); // the end if it is no object
    return found == object.end() ? null : *found;
}

/// Reads an array of `numbers.size()` numbers. A null, which an old writer produces first in tables, becomes NaN.
Result<> read_numbers(const Json& array, const std::string& name, std::span<float> numbers) {
    if (!array.is_array() || array.size() != numbers.size()) {
        return bad_meta(name);
    }
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (!array[i].is_number() && !array[i].is_null()) {
            return bad_meta(name);
        }
        numbers[i] = array[i].is_null() ? std::nanf("") : array[i].get<float>();
    }
    return {};
}

/// Reads a table of version 2.
Result<> read_table(const Json& part, const std::string& name, Table& table) {
    SPLATS_PROPAGATE(read_numbers(member(part, "codebook"), name + ".codebook", table));
    if (std::isnan(table[0])) {
        table[0] = table[1] + (table[1] - table[255]) / 255;
    }
    return {};
}

/// Returns the table of version 1 for bounds.
Table even_table(float min, float max) {
    Table table{};
    for (std::size_t i = 0; i < table.size(); ++i) {
        table[i] = min + (max - min) * (static_cast<float>(i) / 255);
    }
    return table;
}

template <std::size_t n>
Result<> read_bounds(const Json& part, const std::string& name, std::array<Table, n>& tables) {
    std::array<float, n> min{}, max{};
    SPLATS_PROPAGATE(read_numbers(member(part, "mins"), name + ".mins", min));
    SPLATS_PROPAGATE(read_numbers(member(part, "maxs"), name + ".maxs", max));
    for (std::size_t i = 0; i < n; ++i) {
        tables[i] = even_table(min[i], max[i]);
    }
    return {};
}

Result<> read_names(const Json& part, const std::string& name, std::span<std::string> names) {
    const Json& files = member(part, "files");
    if (!files.is_array() || files.size() < names.size()) {
        return bad_meta(name + ".files");
    }
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (!files[i].is_string()) {
            return bad_meta(name + ".files");
        }
        names[i] = files[i].get<std::string>();
    }
    return {};
}

Result<std::uint64_t> read_count(const Json& number, const std::string& name) {
    if (!number.is_number_unsigned()) {
        return bad_meta(name);
    }
    return number.get<std::uint64_t>();
}

/// Reads the tables of scales and colors.
Result<> read_tables(const Json& meta, bool is_second, SogFile& file) {
    const Json &scales = member(meta, "scales"), &colors = member(meta, "sh0");
    if (!is_second) {
        SPLATS_PROPAGATE(read_bounds(scales, "scales", file.scale));
        SPLATS_PROPAGATE(read_bounds(colors, "sh0", file.color));
        for (float& opacity : file.color[3]) {
            opacity = sigmoid(opacity);
        }
        return {};
    }
    SPLATS_PROPAGATE(read_table(scales, "scales", file.scale[0]));
    SPLATS_PROPAGATE(read_table(colors, "sh0", file.color[0]));
    file.scale[1] = file.scale[2] = file.scale[0];
    file.color[1] = file.color[2] = file.color[0];
    file.color[3] = even_table(0, 1);
    return {};
}

Result<> read_harmonics(const Json& meta, bool is_second, SogFile& file) {
    const Json& part = member(meta, "shN");
    if (part.is_null()) {
        return {};
    }
    std::array<std::string, 2> names;
    SPLATS_PROPAGATE(read_names(part, "shN", names));
    file.names[SogFile::palette] = names[0];
    file.names[SogFile::labels] = names[1];
    if (!is_second) {
        const Json &min = member(part, "mins"), &max = member(part, "maxs");
        if (!min.is_number() || !max.is_number()) {
            return bad_meta("shN.mins and shN.maxs");
        }
        file.coefficient = even_table(min.get<float>(), max.get<float>());
        return {}; // the width of the palette tells the degree
    }
    SPLATS_PROPAGATE(read_table(part, "shN", file.coefficient));
    const auto degree = read_count(member(part, "bands"), "shN.bands");
    SPLATS_PROPAGATE(degree);
    if (*degree < 1 || *degree > 3) {
        return invalid_file("the SOG file has harmonics of degree " + std::to_string(*degree) +
                            "; 1 to 3 are supported");
    }
    const auto entries = read_count(member(part, "count"), "shN.count");
    SPLATS_PROPAGATE(entries);
    file.degree = static_cast<std::uint32_t>(*degree);
    file.palette_entries = *entries;
    return {};
}

Result<SogFile> read_meta(Bytes bytes) {
    const auto* const text = reinterpret_cast<const char*>(bytes.data());
    const Json meta = Json::parse(text, text + bytes.size(), nullptr, false);
    if (!meta.is_object()) {
        return invalid_file("meta.json of the SOG file is not a JSON object");
    }
    const Json& version = member(meta, "version");
    const bool is_second = !version.is_null();
    if (is_second && version != 2) {
        return invalid_file("the SOG file has an unknown version; 1 and 2 are supported");
    }
    const Json& means = member(meta, "means");
    const Json& shape = member(means, "shape");
    const auto number = is_second ? read_count(member(meta, "count"), "count")
                                  : read_count(shape.is_array() && !shape.empty() ? shape[0] : shape, "means.shape");
    SPLATS_PROPAGATE(number);
    const auto count = checked_count("SOG", *number);
    SPLATS_PROPAGATE(count);
    SogFile file{.splats = *count};
    const std::span<std::string> names = file.names;
    SPLATS_PROPAGATE(read_numbers(member(means, "mins"), "means.mins", file.min));
    SPLATS_PROPAGATE(read_numbers(member(means, "maxs"), "means.maxs", file.max));
    SPLATS_PROPAGATE(read_names(means, "means", names.first(2)));
    SPLATS_PROPAGATE(read_names(member(meta, "scales"), "scales", names.subspan(SogFile::scales, 1)));
    SPLATS_PROPAGATE(read_names(member(meta, "quats"), "quats", names.subspan(SogFile::rotations, 1)));
    SPLATS_PROPAGATE(read_names(member(meta, "sh0"), "sh0", names.subspan(SogFile::colors, 1)));
    SPLATS_PROPAGATE(read_tables(meta, is_second, file));
    SPLATS_PROPAGATE(read_harmonics(meta, is_second, file));
    return file;
}

/// Decodes the pictures. They are in the folder of meta.json.
Result<> read_pictures(const Zip& zip, const std::string& folder, std::uint32_t threads, SogFile& file) {
    constexpr std::size_t most = std::size_t{1} << 30;
    std::array<Result<>, SogFile::pictures> done;
    run_parallel(threads, SogFile::pictures, [&](std::uint32_t i) {
        if (file.names[i].empty()) {
            return;
        }
        const auto bytes = zip.read(folder + file.names[i], most);
        auto pixels = bytes ? unwebp(*bytes) : tl::unexpected(bytes.error());
        if (!pixels) {
            done[i] = tl::unexpected(pixels.error());
            return;
        }
        file.pixels[i] = std::move(*pixels);
    });
    for (std::size_t i = 0; i < SogFile::pictures; ++i) {
        SPLATS_PROPAGATE(done[i]);
        if (i != SogFile::palette && !file.names[i].empty() && file.pixels[i].count() < file.splats) {
            return invalid_file("the SOG file's picture " + in_quotes(file.names[i]) + " has " +
                                std::to_string(file.pixels[i].count()) + " pixels for " + std::to_string(file.splats) +
                                " splats");
        }
    }
    return {};
}

/// Checks the size of the palette. Finds the degree in version 1.
Result<> check_palette(SogFile& file) {
    const Pixels& palette = file.pixels[SogFile::palette];
    if (file.names[SogFile::palette].empty()) {
        return {};
    }
    for (std::uint32_t degree = 1; degree <= 3 && file.degree == 0; ++degree) {
        file.degree = palette.width == 64 * coefficients_of(degree) ? degree : 0;
    }
    if (file.degree == 0 || palette.width != 64 * coefficients_of(file.degree)) {
        return invalid_file("the SOG file's palette of harmonics is " + std::to_string(palette.width) +
                            " pixels wide; 192, 512 and 960 are supported, for degrees 1, 2 and 3");
    }
    const std::uint64_t in_picture = std::uint64_t{64} * palette.height;
    file.palette_entries = file.palette_entries == 0 ? in_picture : std::min(file.palette_entries, in_picture);
    return {};
}

/// Returns the rotation of a pixel: alpha minus 252 names the largest component, which is not stored.
Quaternion rotation_of_pixel(const Pixels& pixels, std::size_t index) {
    const int largest = pixels.at(index, 3) - 252;
    if (largest < 0) {
        return {1, 0, 0, 0};
    }
    Quaternion rotation{};
    float rest = 1;
    for (std::size_t i = 0, channel = 0; i < 4; ++i) {
        if (i != static_cast<std::size_t>(largest)) {
            rotation[i] = (static_cast<float>(pixels.at(index, channel++)) / 127.5F - 1) / std::sqrt(2.0F);
            rest -= rotation[i] * rotation[i];
        }
    }
    rotation[static_cast<std::size_t>(largest)] = std::sqrt(std::max(0.0F, rest));
    return rotation;
}

Splat splat_of_pixels(const SogFile& file, std::size_t index) {
    Splat splat;
    const Pixels &colors = file.pixels[SogFile::colors], &palette = file.pixels[SogFile::palette];
    for (std::size_t i = 0; i < 3; ++i) {
        const int fixed = file.pixels[SogFile::low].at(index, i) | file.pixels[SogFile::high].at(index, i) << 8;
        const float logarithm = file.min[i] + (file.max[i] - file.min[i]) * (static_cast<float>(fixed) / 65535);
        splat.mean[i] = std::copysign(std::expm1(std::abs(logarithm)), logarithm);
        splat.scale[i] = std::exp(file.scale[i][file.pixels[SogFile::scales].at(index, i)]);
        splat.color[i] = file.color[i][colors.at(index, i)];
    }
    splat.opacity = file.color[3][colors.at(index, 3)];
    splat.rotation = rotation_of_pixel(file.pixels[SogFile::rotations], index);
    if (file.degree == 0) {
        return splat;
    }
    const Pixels& labels = file.pixels[SogFile::labels];
    const std::size_t label = labels.at(index, 0) | std::size_t{labels.at(index, 1)} << 8;
    const std::size_t coefficients = coefficients_of(file.degree);
    for (std::size_t i = 0; i < coefficients && label < file.palette_entries; ++i) {
        const std::size_t pixel = label / 64 * palette.width + label % 64 * coefficients + i;
        for (std::size_t color = 0; color < 3; ++color) {
            splat.harmonics[i][color] = file.coefficient[palette.at(pixel, color)];
        }
    }
    return splat;
}

} // namespace

Result<SplatSource> open_sog(Bytes bytes, const ReadOptions& options) {
    const auto zip = Zip::open(bytes);
    SPLATS_PROPAGATE(zip);
    constexpr std::string_view meta = "meta.json";
    const std::string name = zip->find(meta);
    if (name.empty()) {
        return invalid_file("the ZIP archive is not a SOG file: it has no meta.json");
    }
    constexpr std::size_t most_json = std::size_t{1} << 20;
    const auto json = zip->read(name, most_json);
    SPLATS_PROPAGATE(json);
    auto read = read_meta(*json);
    SPLATS_PROPAGATE(read);
    const auto file = std::make_shared<SogFile>(std::move(*read));
    SPLATS_PROPAGATE(read_pictures(*zip, name.substr(0, name.size() - meta.size()), options.threads, *file));
    SPLATS_PROPAGATE(check_palette(*file));
    return SplatSource{.format = CloudFormat::sog,
                       .splats = file->splats,
                       .degree = file->degree,
                       .decode = [file](std::uint32_t first, std::span<Splat> splats) {
                           for (std::size_t i = 0; i < splats.size(); ++i) {
                               splats[i] = splat_of_pixels(*file, first + i);
                           }
                       }};
}

} // namespace weir::splats
