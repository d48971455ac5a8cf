#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include <weir/paths/scene.hpp>
#include <weir/paths/view.hpp>

namespace weir::paths {

/// Finds the draw at a point of a picture, on the CPU.
///
/// A draw is hit if its fill or stroke covers the point: the winding number at the point, from the same lines as the
/// picture's. Like pointer events in SVG, this does not depend on paint, opacity and masks. Clips of enclosing layers
/// must cover the point. Draws of clips and masks and hidden draws are not hit.
///
/// The first test computes the bounds of all draws; later ones only of draws that were edited. A test compares the
/// point with the bounds of all draws, from the topmost one, and flattens draws whose bounds contain it. Their lines
/// are kept. Not thread-safe.
class HitTester {
public:
    /// Tests in a view of a scene, which must outlive this object. The scene may be edited.
    HitTester(const Scene& scene, const View& view);
    HitTester(HitTester&& other) noexcept;
    HitTester& operator=(HitTester&& other) noexcept;
    ~HitTester();

    /// Returns the topmost draw at a point in pixels. Returns nothing outside of the picture.
    [[nodiscard]] std::optional<std::uint32_t> hit(Point pixel);

private:
    class Lines;
    std::unique_ptr<Lines> lines_;
};

/// Returns the topmost draw at a point in pixels: `HitTester::hit` for a single test.
[[nodiscard]] std::optional<std::uint32_t> hit_test(const Scene& scene, const View& view, Point pixel);

} // namespace weir::paths
