#ifndef WEIR_PATHS_PARTS_GLSL
#define WEIR_PATHS_PARTS_GLSL

// Selection of the lines of a curve. A curve that is long in pixels is often mostly outside of the picture. Halves that
// cannot be visible are dropped, from the start and from the end, until few lines are left. A half that is left of the
// picture becomes one line, because its winding numbers count. src/parts.cpp does the same.

#include "curve.glsl"

const uint few_lines = 8;
// Result for the outer half at a halving.
const uint half_is_kept = 0, half_is_dropped = 1, half_is_left = 2;

struct Parts {
    uint n;              // lines of the whole curve
    uint before, behind; // results (half_...) of the halvings from the start and from the end, 2 bits each
    uint count;          // lines that are generated
};

// A generated line, from the start of line `first` to the start of line `end` of the curve.
struct Part {
    uint first, end;
};

Parts whole(uint n) {
    return Parts(n, 0, 0, n);
}

Parts unpacked(uvec4 words) {
    return Parts(words.x, words.y, words.z, words.w);
}

uint lines_left(uint halves) {
    return bitCount(halves & 0xAAAAAAAAu);
}

// Returns generated line `rank`.
Part part_of(Parts parts, uint rank) {
    uint first = 0, end = parts.n, halves = parts.before;
    for (; end - first > few_lines; halves >>= 2) {
        const uint middle = (first + end) / 2, half_is = halves & 3u;
        if (half_is == half_is_kept) {
            end = middle;
            continue;
        }
        if (half_is == half_is_left) {
            if (rank == 0) {
                return Part(first, middle);
            }
            --rank;
        }
        first = middle;
    }
    const uint left_behind = lines_left(parts.behind);
    const uint single = parts.count - lines_left(parts.before) - left_behind;
    if (rank < single) {
        return Part(first + rank, first + rank + 1);
    }
    uint outer = left_behind - 1 - (rank - single); // index among those, counted from the end
    end = parts.n;
    for (halves = parts.behind; end - first > few_lines; halves >>= 2) {
        const uint middle = (first + end) / 2, half_is = halves & 3u;
        if (half_is == half_is_kept) {
            first = middle;
            continue;
        }
        if (half_is == half_is_left) {
            if (outer == 0) {
                return Part(middle, end);
            }
            --outer;
        }
        end = middle;
    }
    return Part(0, 0); // not reached
}

// Returns the blossom of the curve: de Casteljau's construction with a separate parameter per step.
vec2 blossom(Curve curve, float u, float v, float w) {
    precise const vec2 a = curve.p0 + u * (curve.p1 - curve.p0), b = curve.p1 + u * (curve.p2 - curve.p1);
    precise const vec2 ab = a + v * (b - a);
    if (curve.degree == 2) {
        return ab;
    }
    precise const vec2 c = curve.p2 + u * (curve.p3 - curve.p2), bc = b + v * (c - b);
    precise const vec2 abc = ab + w * (bc - ab);
    return abc;
}

// Returns half_... for the lines `first` to `end` - 1.
uint visibility(Curve curve, uint first, uint end, uint n, float margin) {
    precise const float scale = reciprocal(float(n)), t = float(first) * scale, u = float(end) * scale;
    Curve part;
    part.degree = curve.degree;
    part.p0 = point_at(curve, first, n);
    part.p1 = blossom(curve, t, u, t);
    part.p2 = curve.degree == 2 ? part.p1 : blossom(curve, t, u, u);
    part.p3 = point_at(curve, end, n);
    precise const float safe = margin + 1.0; // margin for rounding
    return !is_seen(part, safe) ? half_is_dropped : is_left(part, safe) ? half_is_left : half_is_kept;
}

// Selects the lines of a curve of n lines, in pixels.
Parts parts_of(Curve curve, uint n, float margin) {
    Parts parts = whole(n);
    uint first = 0, end = n;
    for (uint bit = 0; end - first > few_lines; bit += 2) {
        const uint middle = (first + end) / 2, half_is = visibility(curve, first, middle, n, margin);
        parts.before |= half_is << bit;
        if (half_is == half_is_kept) {
            end = middle;
        } else {
            first = middle;
        }
    }
    const uint first_kept = first;
    end = n;
    for (uint bit = 0; end - first > few_lines; bit += 2) {
        const uint middle = (first + end) / 2, half_is = visibility(curve, middle, end, n, margin);
        parts.behind |= half_is << bit;
        if (half_is == half_is_kept) {
            first = middle;
        } else {
            end = middle;
        }
    }
    parts.count = lines_left(parts.before) + end - first_kept + lines_left(parts.behind);
    return parts;
}

#endif
