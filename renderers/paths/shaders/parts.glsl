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
    uint n;              // lines of the whole curve, including those of `turns`
    uint before, behind; // results (half_...) of the halvings from the start and from the end, 2 bits each
    uint count;          // lines that are generated
    uint turns;          // turns_at_...
};

// Ends of a stroked curve where a line without length has the direction of the curve. Elsewhere the first and the last
// line have nearly that direction.
const uint turns_at_start = 1, turns_at_end = 2;

// A generated line, from the start of line `first` to the start of line `end` of the curve.
struct Part {
    uint first, end;
};

Parts whole(uint n) {
    return Parts(n, 0, 0, n, 0);
}

Parts unpacked(uvec4 words) {
    return Parts(words.x & 0x3FFFFFFFu, words.y, words.z, words.w, words.x >> 30);
}

uvec4 packed(Parts parts) {
    return uvec4(parts.n | parts.turns << 30, parts.before, parts.behind, parts.count);
}

// Returns the number of lines with a length.
uint long_lines(Parts parts) {
    return parts.n - bitCount(parts.turns);
}

// Returns the index of the start of line k among the ends of lines with a length.
uint end_of(Parts parts, uint k) {
    return min(k - min(k, parts.turns & turns_at_start), long_lines(parts));
}

// Returns the start of line k.
vec2 point_of(Curve curve, Parts parts, uint k) {
    return point_at(curve, end_of(parts, k), long_lines(parts));
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

// Returns true if the edge of a stroke at a distance of `radius` pixels moves visibly with such a turn.
bool is_turn(vec2 from, vec2 to, float radius) {
    precise const float moved = abs(cross_of(from, to)) * radius;
    return dot_of(from, to) < 0.0 || moved > tolerance;
}

// Returns the lines of a stroked curve, in pixels. Caps and joins have the directions of the curve at its ends, which
// its lines do not show: the edges of a wide stroke turn much even if the curve turns within the tolerance.
Parts stroke_lines(Curve curve, float radius) {
    Parts parts = whole(lines_of(curve));
    if (curve.degree == 1 || !(radius > tolerance)) {
        return parts;
    }
    const vec2 a = scaled_sum(curve.p1, -1.0, curve.p0), b = scaled_sum(curve.p2, -1.0, curve.p1);
    const vec2 c = scaled_sum(curve.p3, -1.0, curve.p2);
    if (min(dot_of(a, b), min(dot_of(b, c), dot_of(a, c))) < -shortest_square) {
        parts.n = max(parts.n, few_lines); // a short line would turn the shorter way
    }
    const uint n = parts.n;
    if (is_turn(direction_of(curve, curve.p0, curve.p0, false),
                direction_of(curve, curve.p0, point_at(curve, 1, n), false), radius)) {
        parts.turns |= turns_at_start;
    }
    if (is_turn(direction_of(curve, point_at(curve, n - 1, n), curve.p3, true),
                direction_of(curve, curve.p3, curve.p3, true), radius)) {
        parts.turns |= turns_at_end;
    }
    parts.n += bitCount(parts.turns);
    parts.count = parts.n;
    return parts;
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
uint visibility(Curve curve, Parts parts, uint first, uint end, float margin) {
    precise const float scale = reciprocal(float(long_lines(parts)));
    precise const float t = float(end_of(parts, first)) * scale, u = float(end_of(parts, end)) * scale;
    Curve part;
    part.degree = curve.degree;
    part.p0 = point_of(curve, parts, first);
    part.p1 = blossom(curve, t, u, t);
    part.p2 = curve.degree == 2 ? part.p1 : blossom(curve, t, u, u);
    part.p3 = point_of(curve, parts, end);
    precise const float safe = margin + 1.0; // margin for rounding
    return !is_seen(part, safe) ? half_is_dropped : is_left(part, safe) ? half_is_left : half_is_kept;
}

// Selects lines of a curve in pixels.
Parts parts_of(Curve curve, Parts parts, float margin) {
    const uint n = parts.n;
    uint first = 0, end = n;
    for (uint bit = 0; end - first > few_lines; bit += 2) {
        const uint middle = (first + end) / 2, half_is = visibility(curve, parts, first, middle, margin);
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
        const uint middle = (first + end) / 2, half_is = visibility(curve, parts, middle, end, margin);
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
