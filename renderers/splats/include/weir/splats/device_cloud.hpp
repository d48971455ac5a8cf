#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <weir/splats/graph.hpp>
#include <weir/splats/placement.hpp>
#include <weir/weir.hpp>

namespace weir::splats {

/// Options of DeviceCloud::upload.
struct UploadOptions {
    /// HarmonicFormat::snorm8 takes half the memory for harmonics. A coefficient changes by up to 1/254 of the splat's
    /// maximum one.
    HarmonicFormat harmonics = HarmonicFormat::half;
    std::uint32_t max_part_splats = 0; ///< maximum number of splats of a part; 0: the device limits it
};

/// A cloud in device memory. Copies share the memory, which exists as long as one of them.
///
/// The cloud is divided into parts whose buffers fit into one binding each.
class DeviceCloud {
public:
    /// Uploads a cloud and waits. Errors: `out_of_memory`; `invalid_argument` for a cloud without splats.
    [[nodiscard]] static Result<DeviceCloud> upload(const Context& gpu, const Cloud& cloud,
                                                    const UploadOptions& options = {});

    [[nodiscard]] std::uint32_t splats() const { return contents_->splats; }    ///< number of splats
    [[nodiscard]] std::uint32_t degree() const { return contents_->degree; }    ///< degree of the harmonics
    [[nodiscard]] HarmonicFormat format() const { return contents_->format; }   ///< format of the harmonics
    [[nodiscard]] const Bounds& bounds() const { return contents_->bounds; }    ///< extent
    [[nodiscard]] std::size_t parts() const { return contents_->parts.size(); } ///< number of parts

    /// Adds the imports of each part. The parts share `data`, a CloudData.
    [[nodiscard]] std::vector<CloudBuffers> import(const GraphCall& graph, HostData data) const;
    /// Binds the buffers of each part to its imports. Errors: those of `Program::bind`.
    [[nodiscard]] Result<> bind(Program& program, std::span<const CloudBuffers> imports) const;

    /// True if both are the same cloud in memory.
    friend bool operator==(const DeviceCloud& a, const DeviceCloud& b) { return a.contents_ == b.contents_; }

private:
    struct Part {
        std::uint32_t splats = 0;
        Buffer places, shapes, harmonics; ///< `harmonics`: null for degree 0
    };
    struct Contents {
        std::uint32_t splats = 0, degree = 0;
        HarmonicFormat format = HarmonicFormat::half;
        Bounds bounds;
        std::vector<Part> parts;
    };
    explicit DeviceCloud(std::shared_ptr<const Contents> contents) : contents_(std::move(contents)) {}

    std::shared_ptr<const Contents> contents_;
};

/// A cloud in device memory and its placement.
struct PlacedCloud {
    DeviceCloud cloud;
    Placement placement = {};
};

} // namespace weir::splats
