#pragma once

#include <array>
#include <cmath>

namespace weir::splats {

using Vec3 = std::array<float, 3>;
using Quaternion = std::array<float, 4>; ///< w, x, y, z

inline Vec3 operator+(const Vec3& a, const Vec3& b) {
    return {a[0] + b[0], a[1] + b[1], a[2] + b[2]};
}
inline Vec3 operator-(const Vec3& a, const Vec3& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}
inline Vec3 operator*(float s, const Vec3& a) {
    return {s * a[0], s * a[1], s * a[2]};
}
inline float dot(const Vec3& a, const Vec3& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
inline Vec3 cross(const Vec3& a, const Vec3& b) {
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
inline Vec3 normalized(const Vec3& a) {
    return 1 / std::sqrt(dot(a, a)) * a;
}

} // namespace weir::splats
