#pragma once

#include <array>
#include <cstddef>

#include <weir/splats/vectors.hpp>

namespace weir::splats {

using Vector = std::array<double, 3>;

/// An affine transform in double precision.
struct Transform {
    std::array<Vector, 3> rows{};
    Vector offset{};
};

inline double dot(const Vector& a, const Vec3& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// Returns the transform of Placement::transform.
Transform transform_of(const std::array<float, 12>& rows);
/// Returns a transformed point.
Vector transformed(const Transform& transform, const Vec3& at);
Vector difference(const Vector& a, const Vec3& b);
double length(const Vector& a);
double determinant(const Transform& transform);
/// Returns an upper bound of the factor by which lengths grow. It is exact for rotations with a scale.
double max_scale(const Transform& transform);
/// Returns the point that the transform maps to `at`. Precondition: the determinant is not 0.
Vector solve(const Transform& transform, const Vec3& at);
/// Returns `axis` times the linear part of the transform: a row vector.
Vector pulled_back(const Transform& transform, const Vec3& axis);

} // namespace weir::splats
