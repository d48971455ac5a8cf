#ifndef WEIR_PATHS_LINE_GLSL
#define WEIR_PATHS_LINE_GLSL

// Lines in 1/256 pixels, and their cuts: the parts of a line in the tiles that it crosses, in order. Everything left of
// the picture is column -1; everything right of it is column `columns`.

#include "frame.glsl"
#include "numbers.glsl"


int to_units(float pixels) {
    precise const float units = pixels * 256.0 + 0.5;
    return int(floor(units));
}

// Returns x of the line from a to b at a height between theirs.
float x_at(vec2 a, vec2 b, float y) {
    precise const float rise = y - a.y, run = b.x - a.x, height_of_line = b.y - a.y;
    precise const float x = a.x + (rise * run) * reciprocal(height_of_line);
    const float low = min(a.x, b.x), high = max(a.x, b.x);
    return x >= low ? (x <= high ? x : high) : low;
}

vec2 clipped(vec2 a, vec2 b) {
    const float bottom = float(height);
    return a.y < 0.0 ? vec2(x_at(a, b, 0.0), 0.0) : a.y > bottom ? vec2(x_at(a, b, bottom), bottom) : a;
}

// Returns the part of a line that is in the picture or left of it; without height if there is none.
ivec4 line_of(vec2 a, vec2 b) {
    if (max(a.y, b.y) <= float(scissor[1]) || min(a.y, b.y) >= float(scissor[3]) ||
        min(a.x, b.x) >= float(scissor[2])) {
        return ivec4(0);
    }
    const vec2 from = clipped(a, b), to = clipped(b, a);
    return ivec4(to_units(from.x), to_units(from.y), to_units(to.x), to_units(to.y));
}

ivec4 downwards(ivec4 line) {
    return line.y <= line.w ? line : line.zwxy;
}

int column_of(int x) {
    return clamp(x >> 12, -1, int(columns));
}

// Returns x of a line that goes down, at a height between its ends.
int x_of(ivec4 line, int y) {
    if (y == line.y) {
        return line.x;
    }
    const int moved = multiply_divide(y - line.y, abs(line.z - line.x), line.w - line.y);
    return line.z < line.x ? line.x - moved : line.x + moved;
}

// Returns the y at which the line crosses x.
int y_of(ivec4 line, int x) {
    return line.y + multiply_divide(abs(x - line.x), line.w - line.y, abs(line.z - line.x));
}

uint cuts_of(ivec4 any_line) {
    const ivec4 line = downwards(any_line);
    const int first = column_of(line.x), last = column_of(line.z);
    if (line.y == line.w || min(first, last) == int(columns)) {
        return 0;
    }
    return uint(((line.w - 1) >> 10) - (line.y >> 10) + 1 + abs(last - first));
}

struct Cut {
    int row, column;
    uint top, bottom;
};

// Returns the number of cuts in the rows before `row`. A row has one cut more than the columns that the line advances
// in it.
int cuts_before(ivec4 line, int row) {
    const int first = line.y >> 10;
    return row == first ? 0 : row - first + abs(column_of(x_of(line, row << 10)) - column_of(line.x));
}

Cut cut_of(ivec4 any_line, int rank) {
    const ivec4 line = downwards(any_line);
    int row = line.y >> 10, past = (line.w - 1 >> 10) + 1;
    while (past - row > 1) {
        const int middle = (row + past) / 2;
        if (cuts_before(line, middle) <= rank) {
            row = middle;
        } else {
            past = middle;
        }
    }
    const int place = rank - cuts_before(line, row); // index among the cuts of the row
    const int y0 = max(line.y, row << 10), y1 = min(line.w, (row + 1) << 10);
    const int x0 = x_of(line, y0), x1 = x_of(line, y1);
    const int c0 = column_of(x0), c1 = column_of(x1);
    const bool is_left = c1 < c0;
    const int column = is_left ? c0 - place : c0 + place;
    const int entry = (is_left ? column + 1 : column) << 12, leaving = (is_left ? column : column + 1) << 12;
    ivec2 top = ivec2(x0, y0), bottom = ivec2(x1, y1);
    if (column != c0) {
        top = ivec2(entry, clamp(y_of(line, entry), y0, y1));
    }
    if (column != c1) {
        bottom = ivec2(leaving, clamp(y_of(line, leaving), y0, y1));
    }
    const bool is_on_screen = column >= 0 && column < int(columns);
    Cut cut;
    cut.row = row;
    cut.column = column;
    const uvec2 corner = uvec2(column << 12, row << 10);
    cut.top = (is_on_screen ? uint(top.x) - corner.x : 0) | uint(top.y) - corner.y << 13 |
              (any_line.y > any_line.w ? 1u << 31 : 0);
    cut.bottom = (is_on_screen ? uint(bottom.x) - corner.x : 0) | uint(bottom.y) - corner.y << 13;
    return cut;
}

#endif
