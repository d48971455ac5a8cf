// The farthest depth of up to four texels of a level, which lie one after the other in the buffer.
float farthest_in(int level, ivec2 from, ivec2 to) {
    uint first = 0, width = (view.width + 1) / 2, height = (view.height + 1) / 2;
    for (int i = 1; i < level; ++i) {
        first += width * height;
        width = (width + 1) / 2;
        height = (height + 1) / 2;
    }
    const uvec2 a = uvec2(from), b = uvec2(to);
    return min(min(pyramid[first + a.y * width + a.x], pyramid[first + a.y * width + b.x]),
               min(pyramid[first + b.y * width + a.x], pyramid[first + b.y * width + b.x]));
}
