#include "splats/convert.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <string_view>

#include <weir/splats/files.hpp>

#include "common/files.hpp"
#include "common/propagate.hpp"
#include "splats/clouds.hpp"

namespace samples::splats {

namespace {

using weir::Result;

/// Returns true if a name ends with an extension. Ignores case.
bool has_extension(const std::string& name, std::string_view extension) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    return name.size() >= extension.size() &&
           std::equal(extension.begin(), extension.end(), name.end() - static_cast<std::ptrdiff_t>(extension.size()),
                      [&](char a, char b) { return a == lower(b); });
}

} // namespace

bool writes_cloud(const Options& options) {
    return has_extension(options.output, ".ply") || has_extension(options.output, ".spz");
}

Result<> convert(const Options& options) {
    auto files = create_files({options.output});
    SAMPLES_PROPAGATE(files);
    const auto clouds = clouds_of(options, true);
    SAMPLES_PROPAGATE(clouds);
    const Cloud& cloud = clouds->front().cloud;
    std::vector<std::byte> bytes;
    if (has_extension(options.output, ".ply")) {
        bytes = weir::splats::write_ply(cloud);
    } else {
        auto spz = weir::splats::write_spz(cloud);
        SAMPLES_PROPAGATE(spz);
        bytes = std::move(*spz);
    }
    SAMPLES_PROPAGATE((*files)[0]->write({reinterpret_cast<const char*>(bytes.data()), bytes.size()}));
    SAMPLES_PROPAGATE(keep_files(*files));
    std::printf("cloud     %u splats of degree %u\n", cloud.size(), cloud.degree);
    std::printf("written   %.1f bytes per splat\n", static_cast<double>(bytes.size()) / cloud.size());
    return {};
}

} // namespace samples::splats
