#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <weir/paths/scene.hpp>
#include <weir/paths/strips.hpp>
#include <weir/weir.hpp>

// External images: images of the application whose texels are copied into a buffer before `fine`.

namespace weir::paths {

/// Returns the number of texels of an image and its mipmaps, rounded up so that the next image may be bound alone.
std::uint64_t texels_of(const ExternalImage& image);
/// Returns the number of texels of several images.
std::uint64_t texels_of(std::span<const ExternalImage> images);

/// Adds passes that copy images into SceneBuffers::image_texels and compute their mipmaps. Returns false if the graph
/// has an error.
bool add_images(const GraphCall& graph, SceneBuffers& scene, std::span<const ImageId> images);

// For renderers:

/// Checks the number of images. Errors: `invalid_argument`.
Result<> check_images(const SceneShape& scene, std::span<const BoundExternal> images);
/// Returns the access of each image. A graph depends on them.
std::vector<Access> accesses_of(std::span<const BoundExternal> images);
/// Imports and exports images.
std::vector<ImageId> import_images(Graph& graph, const SceneShape& scene, std::span<const BoundExternal> images);
/// Binds images for a recording.
Result<> bind_images(Program& program, std::span<const ImageId> imports, std::span<const BoundExternal> images);

} // namespace weir::paths
