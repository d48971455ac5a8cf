#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>
#include <locale>
#include <optional>
#include <span>
#include <sstream>
#include <string_view>
#include <utility>

#include <weir/splats/cloud.hpp>

#include "propagate.hpp"

namespace weir::splats {

namespace {

constexpr std::uint32_t most_splats = 1U << 26;
constexpr std::size_t header_bytes = std::size_t{1} << 16; // maximum

tl::unexpected<Error> io_error(const std::string& path, const std::string& why) {
    return tl::unexpected(Error{ErrorCode::io, path + ": " + why});
}

/// An input file that is read sequentially.
class InputFile {
public:
    /// Errors: `io`.
    static Result<InputFile> open(const std::string& name) {
        std::error_code error;
        const std::filesystem::path path(std::u8string(name.begin(), name.end()));
        if (std::filesystem::is_directory(path, error)) {
            return io_error(name, "is a directory");
        }
        InputFile file{name, std::ifstream(path, std::ios::binary)};
        if (!file.file_) {
            return io_error(name, std::strerror(errno));
        }
        file.size_ = std::filesystem::is_regular_file(path, error) ? std::filesystem::file_size(path, error) : 0;
        return file;
    }

    /// Returns the size in bytes; 0 if it is unknown, as for pipes.
    [[nodiscard]] std::uint64_t size() const { return size_; }
    /// Reads up to bytes.size() bytes, fewer only at the end of the file. Returns their number. Errors: `io`.
    Result<std::size_t> read(std::span<char> bytes) {
        file_.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        if (file_.bad()) {
            return io_error(name_, "cannot be read to its end");
        }
        return static_cast<std::size_t>(file_.gcount());
    }

private:
    InputFile(std::string name, std::ifstream file) : name_(std::move(name)), file_(std::move(file)) {}

    std::string name_;
    std::ifstream file_;
    std::uint64_t size_ = 0;
};

/// Returns the reason why a file cannot be read, for io_error.
tl::unexpected<std::string> wrong(const std::string& why) {
    return tl::unexpected(why);
}

/// A property of a splat in a PLY file.
struct Property {
    std::string type, name;
    std::size_t offset = 0; ///< byte offset in a row
};

std::size_t size_of(const std::string& type) {
    const std::pair<const char*, std::size_t> sizes[] = {
        {"char", 1},  {"uchar", 1},   {"int8", 1},   {"uint8", 1},   {"short", 2}, {"ushort", 2},
        {"int16", 2}, {"uint16", 2},  {"int", 4},    {"uint", 4},    {"int32", 4}, {"uint32", 4},
        {"float", 4}, {"float32", 4}, {"double", 8}, {"float64", 8},
    };
    const auto* found =
        std::find_if(std::begin(sizes), std::end(sizes), [&](const auto& s) { return type == s.first; });
    return found == std::end(sizes) ? 0 : found->second;
}

/// Header of a PLY file.
struct Header {
    std::uint64_t splats = 0;
    std::size_t row = 0; ///< bytes per row
    std::vector<Property> properties;
    std::size_t size = 0; ///< bytes of the header

    /// Returns the offset of a float property in a row.
    [[nodiscard]] std::optional<std::size_t> find(const std::string& name) const {
        for (const Property& property : properties) {
            if (property.name == name && (property.type == "float" || property.type == "float32")) {
                return property.offset;
            }
        }
        return std::nullopt;
    }
};

/// Parses the header at the start of a file. Returns the reason if that fails.
tl::expected<Header, std::string> read_header(std::string_view bytes) {
    constexpr std::string_view end_mark = "end_header\n";
    const std::size_t end = bytes.find(end_mark);
    if (!bytes.starts_with("ply") || end == std::string_view::npos) {
        return wrong("it does not begin with the header of a PLY file");
    }
    Header header{.size = end + end_mark.size()};
    bool is_binary = false, is_first_element = true, is_vertex = false;
    std::istringstream lines{std::string(bytes.substr(0, end))};
    lines.imbue(std::locale::classic());
    for (std::string line; std::getline(lines, line);) {
        std::istringstream words(line);
        words.imbue(std::locale::classic());
        std::string first, second, third;
        words >> first >> second >> third;
        if (first == "format") {
            is_binary = second == "binary_little_endian";
        } else if (first == "element") {
            if (is_first_element && second != "vertex") {
                return wrong("its first element is not vertex but " + second);
            }
            is_vertex = is_first_element;
            if (is_vertex) {
                std::istringstream number(third);
                number.imbue(std::locale::classic());
                if (!(number >> header.splats) || header.splats > most_splats) {
                    return wrong("it has '" + third + "' splats; at most " + std::to_string(most_splats) +
                                 " are supported");
                }
            }
            is_first_element = false;
        } else if (first == "property" && is_vertex) {
            const std::size_t size = size_of(second);
            if (size == 0) {
                return wrong("its property " + third + " has the unknown type " + second);
            }
            header.properties.push_back({second, third, header.row});
            header.row += size;
        }
    }
    if (!is_binary) {
        return wrong("it is not binary_little_endian");
    }
    if (header.splats == 0) {
        return wrong("it has no splats");
    }
    return header;
}

float float_at(const char* row, std::size_t offset) {
    float number = 0;
    std::memcpy(&number, row + offset, sizeof(number));
    return number;
}

/// Byte offsets of a splat's properties in a row.
struct Layout {
    std::vector<std::size_t> mean, scale, rotation, opacity, color, rest;
    std::uint32_t degree = 0;
};

tl::expected<Layout, std::string> layout_of(const Header& header) {
    Layout layout;
    std::string missing;
    const auto find = [&](std::vector<std::size_t>& offsets, std::initializer_list<const char*> names) {
        for (const char* name : names) {
            if (const auto offset = header.find(name)) {
                offsets.push_back(*offset);
            } else if (missing.empty()) {
                missing = name;
            }
        }
    };
    find(layout.mean, {"x", "y", "z"});
    find(layout.scale, {"scale_0", "scale_1", "scale_2"});
    find(layout.rotation, {"rot_0", "rot_1", "rot_2", "rot_3"});
    find(layout.opacity, {"opacity"});
    find(layout.color, {"f_dc_0", "f_dc_1", "f_dc_2"});
    if (!missing.empty()) {
        return wrong("its splats have no property " + missing + " of type float");
    }
    while (const auto offset = header.find("f_rest_" + std::to_string(layout.rest.size()))) {
        layout.rest.push_back(*offset);
    }
    constexpr std::size_t by_degree[] = {0, 9, 24, 45};
    while (layout.degree < 3 && layout.rest.size() >= by_degree[layout.degree + 1]) {
        ++layout.degree;
    }
    if (layout.rest.size() != by_degree[layout.degree]) {
        return wrong("its splats have " + std::to_string(layout.rest.size()) +
                     " properties f_rest; 0, 9, 24 or 45 are supported");
    }
    return layout;
}

Splat splat_of(const char* row, const Layout& layout) {
    Splat splat;
    for (std::size_t i = 0; i < 3; ++i) {
        splat.mean[i] = float_at(row, layout.mean[i]);
        splat.scale[i] = std::exp(float_at(row, layout.scale[i]));
        splat.color[i] = float_at(row, layout.color[i]);
    }
    for (std::size_t i = 0; i < 4; ++i) {
        splat.rotation[i] = float_at(row, layout.rotation[i]);
    }
    splat.opacity = 1 / (1 + std::exp(-float_at(row, layout.opacity[0])));
    const std::size_t coefficients = layout.rest.size() / 3; // per channel; all of red come first
    for (std::size_t i = 0; i < layout.rest.size(); ++i) {
        splat.harmonics[i % coefficients][i / coefficients] = float_at(row, layout.rest[i]);
    }
    return splat;
}

/// Reads rows of a file and adds a splat for each. `begun` contains the first bytes of the rows.
Result<> read_rows(const std::string& path, InputFile& file, std::string begun, std::uint64_t rows, std::size_t row,
                   Cloud& cloud, const std::function<Splat(const char*)>& splat_of_row) {
    constexpr std::uint64_t at_once = 1U << 14;
    cloud.reserve(static_cast<std::size_t>(std::min<std::uint64_t>(rows, file.size() / row + 1)));
    for (std::uint64_t done = 0; done < rows;) {
        const std::uint64_t count = std::min(at_once, rows - done);
        const std::size_t have = begun.size(), wanted = static_cast<std::size_t>(count) * row;
        if (have < wanted) {
            begun.resize(wanted);
            const auto read = file.read(std::span(begun).subspan(have));
            SPLATS_PROPAGATE(read);
            if (have + *read < wanted) {
                return io_error(path, "it ends after " + std::to_string(done + (have + *read) / row) + " of " +
                                          std::to_string(rows) + " splats");
            }
        }
        for (std::uint64_t i = 0; i < count; ++i) {
            cloud.add(splat_of_row(begun.data() + i * row));
        }
        begun.erase(0, wanted);
        done += count;
    }
    return {};
}

/// Converts a row of the 32-byte format that browser viewers load.
Splat splat_of_32_bytes(const char* row) {
    Splat splat;
    const auto byte = [&](std::size_t i) { return static_cast<float>(static_cast<unsigned char>(row[i])); };
    for (std::size_t i = 0; i < 3; ++i) {
        splat.mean[i] = float_at(row, 4 * i);
        splat.scale[i] = float_at(row, 12 + 4 * i);
        splat.color[i] = coefficient_of(byte(24 + i) / 255);
    }
    splat.opacity = byte(27) / 255;
    for (std::size_t i = 0; i < 4; ++i) {
        splat.rotation[i] = (byte(28 + i) - 128) / 128;
    }
    return splat;
}

Result<Cloud> read_ply(const std::string& path, InputFile& file) {
    std::string begun(header_bytes, '\0');
    const auto read = file.read(std::span(begun));
    SPLATS_PROPAGATE(read);
    begun.resize(*read);
    const auto header = read_header(begun);
    if (!header) {
        return io_error(path, header.error());
    }
    const auto layout = layout_of(*header);
    if (!layout) {
        return io_error(path, layout.error());
    }
    Cloud cloud{.degree = layout->degree};
    begun.erase(0, header->size);
    SPLATS_PROPAGATE(read_rows(path, file, std::move(begun), header->splats, header->row, cloud,
                               [&](const char* row) { return splat_of(row, *layout); }));
    return cloud;
}

} // namespace

Result<Cloud> read_cloud(const std::string& path) {
    auto file = InputFile::open(path);
    SPLATS_PROPAGATE(file);
    if (!path.ends_with(".splat")) {
        return read_ply(path, *file);
    }
    constexpr std::size_t row = 32;
    const std::uint64_t splats = file->size() / row;
    if (splats == 0 || file->size() % row != 0 || splats > most_splats) {
        return io_error(path,
                        "the size of a .splat file must be a multiple of 32 bytes, at least 32 and at most 2^31, not " +
                            std::to_string(file->size()));
    }
    Cloud cloud;
    SPLATS_PROPAGATE(read_rows(path, *file, {}, splats, row, cloud, splat_of_32_bytes));
    return cloud;
}

} // namespace weir::splats
