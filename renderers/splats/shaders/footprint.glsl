// Geometry of a projected splat.

const uint tile = 16; // pixels
const uint block = 32; // pixels: 2 x 2 tiles

// A pair of a block and a splat: the index of the splat, and above it a bit for each tile of the block that it touches,
// row by row.
const uint pair_index_bits = 27;

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
    float reach, height, peak, to_pixels; // to_pixels: 1 / axis_x
    int first_row, past_row; // in tiles
};

Footprint footprint_of(ProjectedSplat splat, uint picture_height) {
    Footprint f;
    f.reach = reach_of(splat.log2_opacity);
    const vec2 height_peak = height_and_peak(splat.axis_xy, splat.axis_y, f.reach);
    f.height = height_peak.x;
    f.peak = height_peak.y;
    f.to_pixels = 1.0 / splat.axis_x;
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
    if (!(top <= bottom) || row < f.first_row || row >= f.past_row) {
        return ivec2(0);
    }
    const vec2 ends = sides(splat.axis_xy, splat.axis_y, f.reach, f.peak, top, bottom);
    precise const float first = ceil(splat.mean.x + ends.x * f.to_pixels - 0.5);
    precise const float last = floor(splat.mean.x + ends.y * f.to_pixels - 0.5);
    const float right = float(picture_width) - 1.0;
    if (!(first <= last) || last < 0.0 || first > right) {
        return ivec2(0);
    }
    return ivec2(int(max(first, 0.0)) / int(tile), int(min(last, right)) / int(tile) + 1);
}

// Touched tiles of a row of blocks: the first tile of each of its two rows of tiles, and one past the last.
struct BlockRow {
    ivec2 upper, lower;
};

BlockRow block_row(ProjectedSplat splat, Footprint f, int row, uint picture_width) {
    return BlockRow(tiles_in_row(splat, f, 2 * row, picture_width), tiles_in_row(splat, f, 2 * row + 1, picture_width));
}

// Returns the first row of blocks, and one past the last.
ivec2 block_rows(Footprint f) {
    return ivec2(f.first_row / 2, (f.past_row + 1) / 2);
}

// Returns the first block of a row, and one past the last. A block between two touched ones may have no touched tile.
ivec2 blocks_of(BlockRow row) {
    const int none = 1 << 30;
    const int in_upper = row.upper.x < row.upper.y ? row.upper.x : none;
    const int first = min(in_upper, row.lower.x < row.lower.y ? row.lower.x : none);
    return first == none ? ivec2(0) : ivec2(first / 2, (max(row.upper.y, row.lower.y) + 1) / 2);
}

// Returns the bits of the tiles `first` and `first + 1` of a row.
uint two_bits(ivec2 touched, int first) {
    const ivec2 ends = clamp(touched - first, 0, 2);
    return (1u << ends.y) - (1u << ends.x);
}

// Returns the bits of the touched tiles of a block.
uint block_bits(BlockRow row, int column) {
    return two_bits(row.upper, 2 * column) | two_bits(row.lower, 2 * column) << 2;
}

// A cover is the blocks that a splat touches, in a word. If they are within 2 x 2 blocks of a picture of less than 2^16
// blocks: the number of the first of these, and from bit 16 on a bit for each of their 4 x 4 tiles, row by row.
// Otherwise: the number of pairs.

bool has_bits(uint cover, uint block_count) {
    return block_count < 1u << 16 && cover >> 16 != 0;
}

uint pairs_of(uint cover, uint block_count) {
    uint bits = cover >> 16;
    bits |= bits >> 4;
    bits |= bits >> 1;
    return has_bits(cover, block_count) ? bitCount(bits & 0x0505) : cover;
}

uint cover_of(ProjectedSplat splat, uvec2 picture) {
    const uvec2 blocks = (picture + block - 1) / block;
    const Footprint f = footprint_of(splat, picture.y);
    const int first_row = block_rows(f).x;
    const float left = splat.mean.x - f.height * length(vec2(splat.axis_xy, splat.axis_y)) * f.to_pixels - 0.5;
    const int column = int(clamp(left, 0.0, float(picture.x))) / int(block);
    uint count = 0, bits = 0;
    ivec2 all = ivec2(1 << 30, 0), touched = all; // tiles of all rows, and of both rows of a block
    for (int row = f.first_row; row < f.past_row; ++row) {
        const ivec2 ends = tiles_in_row(splat, f, row, picture.x), place = ends - 2 * column & 7;
        bits |= (1u << place.y) - (1u << place.x) << 4 * (row - 2 * first_row & 3); // meaningful if they fit
        if (ends.x < ends.y) {
            touched = ivec2(min(touched.x, ends.x), max(touched.y, ends.y));
        }
        if (row % 2 == 1 || row + 1 == f.past_row) {
            count += touched.x < touched.y ? uint((touched.y + 1) / 2 - touched.x / 2) : 0;
            all = ivec2(min(all.x, touched.x), max(all.y, touched.y));
            touched = ivec2(1 << 30, 0);
        }
    }
    const bool fits = all.x >= 2 * column && all.y <= 2 * column + 4 && f.past_row <= 2 * first_row + 4;
    return fits && count > 0 && blocks.x * blocks.y < 1u << 16
        ? bits << 16 | uint(first_row) * blocks.x + uint(column) : count;
}
