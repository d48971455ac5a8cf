#include "transform.hpp"

#include <algorithm>
#include <cmath>

namespace weir::splats {

Transform transform_of(const std::array<float, 12>& rows) {
    Transform made;
    for (std::size_t row = 0; row < 3; ++row) {
        made.rows[row] = {rows[4 * row], rows[4 * row + 1], rows[4 * row + 2]};
        made.offset[row] = rows[4 * row + 3];
    }
    return made;
}

Vector transformed(const Transform& transform, const Vec3& at) {
    Vector moved = transform.offset;
    for (std::size_t row = 0; row < 3; ++row) {
        moved[row] += dot(transform.rows[row], at);
    }
    return moved;
}

Vector difference(const Vector& a, const Vec3& b) {
    return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

double length(const Vector& a) {
    return std::sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2]);
}

namespace {

/// Returns the cofactors of a row of the linear part.
Vector cofactors(const Transform& t, std::size_t row) {
    const Vector &a = t.rows[(row + 1) % 3], &b = t.rows[(row + 2) % 3];
    return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

} // namespace

double determinant(const Transform& transform) {
    const Vector minors = cofactors(transform, 0), &row = transform.rows[0];
    return row[0] * minors[0] + row[1] * minors[1] + row[2] * minors[2];
}

double max_scale(const Transform& transform) {
    double square = 0; // maximum sum of a row of the product with the transposed matrix
    for (const Vector& a : transform.rows) {
        double sum = 0;
        for (const Vector& b : transform.rows) {
            sum += std::abs(a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
        }
        square = std::max(square, sum);
    }
    return std::sqrt(square);
}

Vector solve(const Transform& transform, const Vec3& at) {
    const double scale = 1 / determinant(transform);
    Vector solution{};
    for (std::size_t row = 0; row < 3; ++row) {
        const Vector minors = cofactors(transform, row);
        for (std::size_t column = 0; column < 3; ++column) {
            solution[column] += minors[column] * (at[row] - transform.offset[row]) * scale;
        }
    }
    return solution;
}

Vector pulled_back(const Transform& transform, const Vec3& axis) {
    Vector row{};
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t column = 0; column < 3; ++column) {
            row[column] += axis[i] * transform.rows[i][column];
        }
    }
    return row;
}

} // namespace weir::splats
