// Geometry of a projected splat.

const uint tile = 16; // pixels

struct ProjectedSplat {
    vec2 mean;
    float axis_x, axis_xy, axis_y, log2_opacity;
    uint red_green, blue;
};

// Returns the squared radius in (u, v) within which the opacity is at least 1/255.
float reach_of(float log2_opacity) {
    return log2_opacity + 7.9943534;
}

// Returns half the height of the ellipse of that radius, and the distance from its center down to its rightmost point.
vec2 height_and_peak(float axis_xy, float axis_y, float reach) {
    precise const float radius = sqrt(reach);
    precise const float height = radius / axis_y;
    precise const float peak = height * axis_xy / sqrt(axis_xy * axis_xy + axis_y * axis_y);
    return vec2(height, peak);
}

// Returns how far the ellipse extends to the left and to the right of its center, times axis_x, between the rows `top`
// and `bottom`. Rows are relative to the center and must be within the ellipse's height.
vec2 sides(float axis_xy, float axis_y, float reach, float peak, float top, float bottom) {
    precise const float lowest = clamp(-peak, top, bottom), v0 = axis_y * lowest;
    precise const float highest = clamp(peak, top, bottom), v1 = axis_y * highest;
    precise const float left = axis_xy * lowest - sqrt(max(reach - v0 * v0, 0.0));
    precise const float right = axis_xy * highest + sqrt(max(reach - v1 * v1, 0.0));
    return vec2(left, right);
}

// Tiles with a pixel center inside the splat.
struct Footprint {
    float reach, height, peak;
    int first_row, past_row; // in tiles
};

Footprint footprint_of(ProjectedSplat splat, uint picture_height) {
    Footprint f;
    f.reach = reach_of(splat.log2_opacity);
    const vec2 height_peak = height_and_peak(splat.axis_xy, splat.axis_y, f.reach);
    f.height = height_peak.x;
    f.peak = height_peak.y;
    precise const float first = ceil(splat.mean.y - f.height - 0.5), last = floor(splat.mean.y + f.height - 0.5);
    const float bottom = float(picture_height) - 1.0;
    f.first_row = int(clamp(first, 0.0, bottom + 1.0)) / int(tile);
    f.past_row = last < first || last < 0.0 || first > bottom ? f.first_row : int(min(last, bottom)) / int(tile) + 1;
    return f;
}

// Returns the first touched tile of a row of tiles, and one past the last.
ivec2 tiles_in_row(ProjectedSplat splat, Footprint f, int row, uint picture_width) {
    precise const float first_row = float(row * int(tile)) + 0.5 - splat.mean.y, last_row = first_row + float(tile - 1);
    precise const float top = max(first_row, -f.height), bottom = min(last_row, f.height);
    if (!(top <= bottom)) {
        return ivec2(0);
    }
    const vec2 ends = sides(splat.axis_xy, splat.axis_y, f.reach, f.peak, top, bottom);
    precise const float first = ceil(splat.mean.x + ends.x / splat.axis_x - 0.5);
    precise const float last = floor(splat.mean.x + ends.y / splat.axis_x - 0.5);
    const float right = float(picture_width) - 1.0;
    if (!(first <= last) || last < 0.0 || first > right) {
        return ivec2(0);
    }
    return ivec2(int(max(first, 0.0)) / int(tile), int(min(last, right)) / int(tile) + 1);
}
