#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include <weir/splats/files.hpp>

namespace weir::splats {

using Bytes = std::span<const std::byte>;

inline constexpr std::uint32_t most_splats = 1U << 26;

/// An opened file whose splats can be decoded in any order, by several threads. The bytes of the file must still exist.
struct SplatSource {
    CloudFormat format = CloudFormat::ply;
    std::uint32_t splats = 0;
    std::uint32_t degree = 0; ///< 0 to 3
    bool is_antialiased = false;
    /// Decodes the splats from index `first` on.
    std::function<void(std::uint32_t first, std::span<Splat> splats)> decode;
};

// One function per format. They check everything that `decode` relies on.
Result<SplatSource> open_ply(Bytes bytes);
Result<SplatSource> open_splat(Bytes bytes);
Result<SplatSource> open_spz(Bytes bytes, const ReadOptions& options);
Result<SplatSource> open_sog(Bytes bytes, const ReadOptions& options);
Result<SplatSource> open_ksplat(Bytes bytes);

/// Returns the error `io`.
inline tl::unexpected<Error> invalid_file(std::string why) {
    return tl::unexpected(Error{ErrorCode::io, std::move(why)});
}

/// Returns an error if a file has no splats or too many. `what` names the file in messages.
Result<std::uint32_t> checked_count(const char* what, std::uint64_t splats);

/// Returns text of a file for messages: in quotes, shortened, with '?' for bytes that are not printable ASCII.
std::string in_quotes(std::string_view text);

/// Returns the number of coefficients of harmonics per color channel, of degree 1 to `degree`.
constexpr std::uint32_t coefficients_of(std::uint32_t degree) {
    return (degree + 1) * (degree + 1) - 1;
}

/// Reads a number in little-endian order.
template <class T>
T load(const std::byte* at) {
    T number;
    std::memcpy(&number, at, sizeof(number));
    return number;
}

inline float byte_at(const std::byte* at) {
    return static_cast<float>(std::to_integer<unsigned>(*at));
}

inline float sigmoid(float number) {
    return 1 / (1 + std::exp(-number));
}

/// Returns the inverse of `sigmoid`, limited to -16 to 16.
inline float logit(float number) {
    const double inner = std::clamp(double{number}, 1e-7, 1 - 1e-7);
    return static_cast<float>(std::log(inner / (1 - inner)));
}

} // namespace weir::splats
