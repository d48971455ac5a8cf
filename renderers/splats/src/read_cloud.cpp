// Recognizes formats, and decodes splats in all threads.

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <new>

#include "morton.hpp"
#include "parallel.hpp"
#include "propagate.hpp"
#include "source.hpp"

namespace weir::splats {

namespace {

constexpr std::uint32_t block_splats = 4096; ///< per task of a thread

bool begins_with(Bytes bytes, std::string_view text) {
    return bytes.size() >= text.size() && std::memcmp(bytes.data(), text.data(), text.size()) == 0;
}

/// Returns true if most of the first rows of 32 bytes have a finite position and valid scales: .splat has no mark.
bool looks_like_splats(Bytes bytes) {
    constexpr std::size_t row = 32, rows = 64;
    if (bytes.empty() || bytes.size() % row != 0) {
        return false;
    }
    const std::size_t count = std::min(rows, bytes.size() / row);
    std::size_t valid = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto numbers = load<std::array<float, 6>>(&bytes[i * row]);
        valid += std::all_of(numbers.begin(), numbers.end(), [](float x) { return std::abs(x) < 1e10F; }) &&
                         std::min({numbers[3], numbers[4], numbers[5]}) >= 0
                     ? 1
                     : 0;
    }
    return valid >= (count + 1) / 2;
}

Result<SplatSource> open_cloud(Bytes bytes, const ReadOptions& options) {
    using namespace std::string_view_literals;
    if (begins_with(bytes, "ply\n") || begins_with(bytes, "ply\r\n")) {
        return open_ply(bytes);
    }
    if (begins_with(bytes, "NGSP") || begins_with(bytes, "\x1F\x8B"sv)) {
        return open_spz(bytes, options);
    }
    if (begins_with(bytes, "PK\3\4")) {
        return open_sog(bytes, options);
    }
    if (begins_with(bytes, "\0\1\0\0"sv)) { // version 0.1
        return open_ksplat(bytes);
    }
    if (looks_like_splats(bytes)) {
        return open_splat(bytes);
    }
    return invalid_file(bytes.empty()
                            ? "the file is empty"
                            : "the file is in no known format: .ply, .splat (32 bytes per splat), .spz, .sog, .ksplat");
}

/// Moves the kept splats of each block together.
void close_gaps(Cloud& cloud, const std::vector<std::uint32_t>& kept) {
    const std::size_t words = harmonic_words(cloud.degree);
    std::size_t end = 0;
    for (std::size_t block = 0; block < kept.size(); ++block) {
        const auto first = static_cast<std::ptrdiff_t>(block * block_splats), count = std::ptrdiff_t{kept[block]};
        const auto to = static_cast<std::ptrdiff_t>(end), step = static_cast<std::ptrdiff_t>(words);
        if (to != first) {
            std::move(cloud.places.begin() + first, cloud.places.begin() + first + count, cloud.places.begin() + to);
            std::move(cloud.shapes.begin() + first, cloud.shapes.begin() + first + count, cloud.shapes.begin() + to);
            std::move(cloud.harmonics.begin() + first * step, cloud.harmonics.begin() + (first + count) * step,
                      cloud.harmonics.begin() + to * step);
        }
        end += kept[block];
    }
    cloud.resize(end);
}

LoadedCloud decode(const SplatSource& source, const ReadOptions& options) {
    LoadedCloud loaded{.format = source.format, .is_antialiased = source.is_antialiased};
    Cloud& cloud = loaded.cloud;
    cloud.degree = std::min(source.degree, options.maximum_degree);
    cloud.resize(source.splats);
    const std::uint32_t blocks = (source.splats + block_splats - 1) / block_splats;
    std::vector<std::uint32_t> kept(blocks);
    const auto decode_block = [&](std::uint32_t block) {
        constexpr std::uint32_t part = 64; // stays in the cache
        std::array<Splat, part> splats;
        const std::uint32_t begin = block * block_splats, end = std::min(begin + block_splats, source.splats);
        std::uint32_t next = begin;
        for (std::uint32_t first = begin; first < end; first += part) {
            const auto some = std::span(splats).first(std::min(part, end - first));
            source.decode(first, some);
            for (const Splat& splat : some) {
                if (is_finite(splat, cloud.degree)) {
                    cloud.set(next++, splat);
                }
            }
        }
        kept[block] = next - begin;
    };
    run_parallel(options.threads, blocks, decode_block, [&](std::uint32_t done) {
        if (options.progress) {
            options.progress(static_cast<double>(done) / blocks);
        }
    });
    if (options.progress) {
        options.progress(1);
    }
    close_gaps(cloud, kept);
    loaded.dropped = source.splats - cloud.size();
    return loaded;
}

tl::unexpected<Error> file_error(const std::string& path, const std::string& why) {
    return tl::unexpected(Error{ErrorCode::io, path + ": " + why});
}

/// Reads a file or pipe to its end.
Result<std::vector<std::byte>> read_file(const std::string& name) {
    std::error_code error;
    const std::filesystem::path path(std::u8string(name.begin(), name.end()));
    if (std::filesystem::is_directory(path, error)) {
        return file_error(name, "is a directory");
    }
    std::ifstream file(path, std::ios::binary);
    if (!file) {
        return file_error(name, std::strerror(errno));
    }
    const std::uintmax_t size =
        std::filesystem::is_regular_file(path, error) ? std::filesystem::file_size(path, error) : 0;
    std::vector<std::byte> bytes;
    for (std::size_t wanted = static_cast<std::size_t>(error ? 0 : size) + 1;; wanted = std::size_t{1} << 20) {
        const std::size_t begin = bytes.size();
        bytes.resize(begin + wanted);
        file.read(reinterpret_cast<char*>(bytes.data() + begin), static_cast<std::streamsize>(wanted));
        bytes.resize(begin + static_cast<std::size_t>(file.gcount()));
        if (file.bad()) {
            return file_error(name, "cannot be read to its end");
        }
        if (bytes.size() < begin + wanted) {
            return bytes;
        }
    }
}

} // namespace

const char* name_of(CloudFormat format) {
    switch (format) {
    case CloudFormat::ply: return "PLY";
    case CloudFormat::compressed_ply: return "compressed PLY";
    case CloudFormat::splat: return "splat";
    case CloudFormat::spz: return "SPZ";
    case CloudFormat::sog: return "SOG";
    case CloudFormat::ksplat: return "KSPLAT";
    }
    return "";
}

Result<std::uint32_t> checked_count(const char* what, std::uint64_t splats) {
    if (splats == 0) {
        return invalid_file(std::string("the ") + what + " file has no splats");
    }
    if (splats > most_splats) {
        return invalid_file(std::string("the ") + what + " file has " + std::to_string(splats) +
                            " splats; the maximum is " + std::to_string(most_splats));
    }
    return static_cast<std::uint32_t>(splats);
}

std::string in_quotes(std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    constexpr std::size_t most = 40;
    std::string out = "'";
    for (const char letter : text.substr(0, most)) {
        const auto byte = static_cast<unsigned char>(letter);
        if (byte >= ' ' && byte <= '~') {
            out += letter;
        } else {
            out.append("\\x").append({digits[byte / 16], digits[byte % 16]});
        }
    }
    return out + (text.size() > most ? "...'" : "'");
}

Result<LoadedCloud> read_cloud(std::span<const std::byte> bytes, const ReadOptions& options) try {
    const auto source = open_cloud(bytes, options);
    SPLATS_PROPAGATE(source);
    LoadedCloud loaded = decode(*source, options);
    if (loaded.cloud.size() == 0) {
        return invalid_file("all " + std::to_string(source->splats) + " splats have a number that is NaN or infinite");
    }
    if (options.morton_order) {
        sort_along_morton_curve(loaded.cloud);
    }
    return loaded;
} catch (const std::bad_alloc&) {
    return tl::unexpected(Error{ErrorCode::out_of_memory,
                                "no memory for the splats of a file of " + std::to_string(bytes.size()) + " bytes"});
}

Result<LoadedCloud> read_cloud_file(const std::string& path, const ReadOptions& options) try {
    const auto bytes = read_file(path);
    SPLATS_PROPAGATE(bytes);
    auto loaded = read_cloud(*bytes, options);
    if (!loaded) {
        loaded.error().message.insert(0, path + ": ");
    }
    return loaded;
} catch (const std::bad_alloc&) {
    return tl::unexpected(Error{ErrorCode::out_of_memory, path + ": no memory for its bytes"});
}

} // namespace weir::splats
