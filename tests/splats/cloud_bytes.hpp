#pragma once

// Writers of bytes for tests of files of splats.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <weir/splats/files.hpp>

namespace weir::tests {

/// Appends the bytes of numbers, in the order of the host: little endian.
template <class... T>
void add_bytes(std::string& bytes, const T&... numbers) {
    (bytes.append(reinterpret_cast<const char*>(&numbers), sizeof(numbers)), ...);
}

inline std::span<const std::byte> as_bytes(const std::string& text) {
    return std::as_bytes(std::span(text));
}

inline std::string as_string(const std::vector<std::byte>& bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

/// Names of the properties of a splat in a PLY file, without harmonics.
inline constexpr std::array<const char*, 14> ply_names = {"x",      "y",       "z",       "f_dc_0",  "f_dc_1",
                                                          "f_dc_2", "opacity", "scale_0", "scale_1", "scale_2",
                                                          "rot_0",  "rot_1",   "rot_2",   "rot_3"};

/// Returns number `property` of splat `splat` in the files of `ply`. Positions of all splats differ.
inline float ply_value(std::size_t property, std::size_t splat) {
    return 0.125F * static_cast<float>(property) + static_cast<float>(property < 3 ? splat : splat % 64);
}

/// Returns lines of a header for all properties except `without`, and `rest` properties f_rest.
inline std::string ply_properties(std::uint32_t rest, const std::string& type = "float",
                                  const std::string& without = {}) {
    std::string lines;
    for (const char* const name : ply_names) {
        lines += name == without ? "" : "property " + type + " " + name + "\n";
    }
    for (std::uint32_t i = 0; i < rest; ++i) {
        lines += "property " + type + " f_rest_" + std::to_string(i) + "\n";
    }
    return lines;
}

/// Returns rows of `ply_value` with numbers of type T.
template <class T = float>
std::string ply_rows(std::uint32_t splats, std::size_t numbers) {
    std::string rows;
    for (std::uint32_t i = 0; i < splats; ++i) {
        for (std::size_t k = 0; k < numbers; ++k) {
            add_bytes(rows, static_cast<T>(ply_value(k, i)));
        }
    }
    return rows;
}

/// Returns a PLY file of `ply_value`.
inline std::string ply(std::uint32_t splats, std::uint32_t rest = 0) {
    return "ply\nformat binary_little_endian 1.0\nelement vertex " + std::to_string(splats) + "\n" +
           ply_properties(rest) + "end_header\n" + ply_rows(splats, ply_names.size() + rest);
}

/// Returns a gzip file that stores bytes without compression.
inline std::string gzip_of(const std::string& bytes) {
    std::string file("\x1F\x8B\x08\0\0\0\0\0\0\xFF", 10);
    for (std::size_t at = 0; at < bytes.size();) {
        const auto size = static_cast<std::uint16_t>(std::min<std::size_t>(bytes.size() - at, 0xFFFF));
        file += at + size == bytes.size() ? '\1' : '\0';
        add_bytes(file, size, static_cast<std::uint16_t>(~size));
        file.append(bytes, at, size);
        at += size;
    }
    std::uint32_t sum = ~0U;
    for (const char letter : bytes) {
        sum ^= static_cast<std::uint8_t>(letter);
        for (int i = 0; i < 8; ++i) {
            sum = sum >> 1 ^ (sum & 1 ? 0xEDB88320U : 0);
        }
    }
    add_bytes(file, ~sum, static_cast<std::uint32_t>(bytes.size()));
    return file;
}

/// Returns a zstd file that stores up to 128 KiB without compression.
inline std::string zstd_of(const std::string& bytes) {
    std::string file = "\x28\xB5\x2F\xFD\xA0"; // frame with one segment and a size of 4 bytes
    const auto size = static_cast<std::uint32_t>(bytes.size());
    const std::uint32_t block = size << 3 | 1; // the last one, raw
    add_bytes(file, size);
    file.append(reinterpret_cast<const char*>(&block), 3);
    return file + bytes;
}

/// Returns a ZIP archive that stores files.
inline std::string zip_of(const std::vector<std::pair<std::string, std::string>>& files) {
    std::string zip, directory;
    for (const auto& [name, contents] : files) {
        const auto at = static_cast<std::uint32_t>(zip.size()), size = static_cast<std::uint32_t>(contents.size());
        const auto length = static_cast<std::uint16_t>(name.size());
        const std::uint16_t none = 0;
        add_bytes(zip, std::uint32_t{0x04034B50}, none, none, none, none, none, std::uint32_t{0}, size, size, length,
                  none);
        zip += name + contents;
        add_bytes(directory, std::uint32_t{0x02014B50}, none, none, none, none, none, none, std::uint32_t{0}, size,
                  size, length, none, none, none, none, std::uint32_t{0}, at);
        directory += name;
    }
    const auto at = static_cast<std::uint32_t>(zip.size()), size = static_cast<std::uint32_t>(directory.size());
    const auto count = static_cast<std::uint16_t>(files.size());
    zip += directory;
    add_bytes(zip, std::uint32_t{0x06054B50}, std::uint32_t{0}, count, count, size, at, std::uint16_t{0});
    return zip;
}

} // namespace weir::tests
