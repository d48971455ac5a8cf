#include "splats/clouds.hpp"

#include <cstdio>
#include <utility>

#include <weir/splats/files.hpp>

#include "common/paths.hpp"
#include "common/progress.hpp"
#include "common/propagate.hpp"
#include "common/text.hpp"

namespace samples::splats {

namespace {

weir::Result<NamedCloud> read_input(const std::string& file, const Options& options) {
    Progress progress("read");
    auto read = read_cloud_file(file, {.maximum_degree = options.degree.value_or(3),
                                       .morton_order = options.morton,
                                       .progress = [&](double done) { progress.show(done); }});
    SAMPLES_PROPAGATE(read);
    if (read->dropped != 0) {
        std::fprintf(stderr, "splats: %s: %u of %u splats are left out: a number is NaN or infinite\n",
                     escaped(file, file.size()).c_str(), read->dropped, read->dropped + read->cloud.size());
    }
    return NamedCloud{escaped(samples::name_of(path_of(file).filename())), std::move(read->cloud)};
}

} // namespace

weir::Result<std::vector<NamedCloud>> clouds_of(const Options& options, bool is_cpu) {
    std::vector<NamedCloud> clouds;
    for (const std::string& file : options.inputs) {
        auto cloud = read_input(file, options);
        SAMPLES_PROPAGATE(cloud);
        clouds.push_back(std::move(*cloud));
    }
    if (clouds.empty()) {
        const std::uint64_t count = options.count != 0 ? options.count : is_cpu ? 100'000 : 1'000'000;
        clouds.push_back(
            {"generated", make_cloud(static_cast<std::uint32_t>(count), options.seed, options.degree.value_or(1))});
    }
    return clouds;
}

} // namespace samples::splats
