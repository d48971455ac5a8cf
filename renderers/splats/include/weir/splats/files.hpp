#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <weir/engine/error.hpp>
#include <weir/splats/cloud.hpp>

namespace weir::splats {

/// Formats of files of splats. `read_cloud` recognizes them by their content.
enum class CloudFormat : std::uint8_t {
    ply,            ///< PLY as the original training writes it: ASCII or binary of either byte order
    compressed_ply, ///< PLY with an element `chunk` and packed properties (PlayCanvas)
    splat,          ///< 32 bytes per splat, without a header (antimatter15)
    spz,            ///< versions 2 to 4 (Niantic)
    sog,            ///< ZIP archive of WebP pictures, versions 1 and 2 (PlayCanvas)
    ksplat,         ///< version 0.1, compression levels 0 to 2 (mkkellogg)
};

/// Returns the name of a format: "PLY", "compressed PLY", "splat", "SPZ", "SOG", "KSPLAT".
const char* name_of(CloudFormat format);

/// Options of `read_cloud`.
struct ReadOptions {
    std::uint32_t threads = 0;        ///< maximum number of threads; 0: one per core
    std::uint32_t maximum_degree = 3; ///< harmonics of a higher degree are left out
    bool morton_order = false;        ///< sorts the splats along a Morton curve, so that neighbors are near in memory
    /// Keeps the axes of .spz files. By default these are converted to the axes of the other formats; see `read_cloud`.
    bool keep_axes = false;
    /// Called in the calling thread with the decoded fraction, from 0 to 1. Optional.
    std::function<void(double)> progress;
};

/// A cloud read from a file.
struct LoadedCloud {
    Cloud cloud;
    CloudFormat format = CloudFormat::ply;
    std::uint32_t dropped = 0;   ///< number of splats left out because one of their numbers is NaN or infinite
    bool is_antialiased = false; ///< the file says that it was trained with compensated opacity (Mip-Splatting)
};

/// Reads a cloud in any format of CloudFormat.
///
/// Positions have the axes of the file. These are the axes of the training data in most formats, usually x to the
/// right, y down, z to the front. The specification of .spz requires x to the right, y up, z to the back, or the axes
/// that its extension names; these are converted to x right, y down, z front.
///
/// Splats with a number that is NaN or infinite are left out; see LoadedCloud::dropped. An opacity of infinity before
/// the sigmoid is 1, and a scale of minus infinity before the exponential is 0. Harmonics above degree 3 are left out.
///
/// Errors: `io` if the bytes are in no known format, incomplete or invalid, or if they have more than 2^26 splats;
/// `unsupported` if the format needs a library that was missing when Weir was built (zlib: .sog, .spz; zstd: .spz of
/// version 4; libwebp: .sog); `out_of_memory`.
Result<LoadedCloud> read_cloud(std::span<const std::byte> bytes, const ReadOptions& options = {});

/// Reads a file, which may be a pipe, and calls `read_cloud`. Error messages begin with the path. Errors: those of
/// `read_cloud`; `io` if the file cannot be read.
Result<LoadedCloud> read_cloud_file(const std::string& path, const ReadOptions& options = {});

/// Returns a .ply file (binary, little endian) with the properties of the original training. Colors, opacities
/// and harmonics have the precision of the cloud, 16-bit floats.
std::vector<std::byte> write_ply(const Cloud& cloud);

/// Options of `write_spz`.
struct SpzOptions {
    std::uint32_t version = 3;            ///< 3: gzip; 4: zstd, which few programs read yet
    std::uint32_t fraction_bits = 12;     ///< part of the 24 bits of a coordinate; fewer if a coordinate is too large
    std::uint32_t first_degree_bits = 5;  ///< bits of a coefficient of degree 1, 1 to 8
    std::uint32_t higher_degree_bits = 4; ///< bits of a coefficient of degree 2 or 3, 1 to 8
    bool keep_axes = false;      ///< stores positions as they are, instead of converting the axes as `read_cloud` does
    bool is_antialiased = false; ///< LoadedCloud::is_antialiased
};

/// Returns a .spz file. Coefficients of harmonics are limited to -1 to 1, scales to e^-10 to e^5.9375.
///
/// Errors: `invalid_argument` if an option is out of range, or for a coordinate of 2^23 or more; `unsupported` without
/// zlib, and for version 4 without zstd; `out_of_memory`.
Result<std::vector<std::byte>> write_spz(const Cloud& cloud, const SpzOptions& options = {});

} // namespace weir::splats
