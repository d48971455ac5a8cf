// Visibility of instances. visibility.cpp performs the same operations on the CPU: products, sums and comparisons,
// which every device rounds alike, and an estimated quotient, which is corrected.

struct Box { // box of an instance, along the axes of the view
    float center[3];
    float extent[3];
};

Box box_of(const Instance instance, const Mesh mesh, const View view) {
    precise float world[3];
    precise float half_size[3];
    const precise float c = abs(instance.cosine), s = abs(instance.sine);
    half_size[0] = (c * mesh.half_size[0] + s * mesh.half_size[2]) * instance.scale;
    half_size[1] = mesh.half_size[1] * instance.scale;
    half_size[2] = (s * mesh.half_size[0] + c * mesh.half_size[2]) * instance.scale;
    Box box;
    for (int k = 0; k < 3; ++k) {
        world[k] = instance.position[k] - view.eye[k];
    }
    for (int k = 0; k < 3; ++k) {
        const precise float center = view.axes[3 * k] * world[0] + view.axes[3 * k + 1] * world[1] + view.axes[3 * k + 2] * world[2];
        const precise float extent = abs(view.axes[3 * k]) * half_size[0] + abs(view.axes[3 * k + 1]) * half_size[1] +
                                     abs(view.axes[3 * k + 2]) * half_size[2];
        box.center[k] = center;
        box.extent[k] = extent;
    }
    return box;
}

const float slack = 0.01; // margin for rounding

bool is_in_view(const Box box, const View view) {
    const precise float far = box.center[2] + box.extent[2];
    const precise float x = abs(box.center[0]) - box.extent[0], y = abs(box.center[1]) - box.extent[1];
    const precise float most_x = far * view.tangent_x + slack, most_y = far * view.tangent_y + slack;
    return far > view.near && x <= most_x && y <= most_y;
}

uint level_of(const Box box, const Instance instance, const Mesh mesh, const View view) {
    if ((view.switches & use_levels) == 0) {
        return 0;
    }
    const precise float distance = box.center[0] * box.center[0] + box.center[1] * box.center[1] + box.center[2] * box.center[2];
    const precise float size = mesh.size_squared * (instance.scale * instance.scale);
    uint level = 0;
    for (int k = 0; k < 3; ++k) {
        const precise float end = size * view.level_distance[k];
        level += distance > end ? 1 : 0;
    }
    return level;
}

// Returns the pixel of a point: floor(x / z * scale + middle), limited to -2 to most + 2.
int pixel_of(float x, float z, float scale, float middle, uint most) {
    const precise float top = x * scale + middle * z;
    float pixel = clamp(floor(top / z), -2.0, float(most) + 2.0);
    const precise float here = pixel * z, next = (pixel + 1.0) * z;
    if (here > top) {
        pixel -= 1.0;
    } else if (next <= top) {
        pixel += 1.0;
    }
    return int(pixel);
}

// Returns true if the geometry in front of the box covers all of its pixels, by the farthest depth in the texels that
// it touches. The kernel must define farthest_in.
float farthest_in(int level, ivec2 from, ivec2 to);
bool is_occluded(const Box box, const View view) {
    const precise float near = box.center[2] - box.extent[2], far = box.center[2] + box.extent[2];
    if (near <= view.near) {
        return false;
    }
    const precise float left = box.center[0] - box.extent[0], right = box.center[0] + box.extent[0];
    const precise float top = -box.center[1] - box.extent[1], bottom = -box.center[1] + box.extent[1];
    const int last_x = int(view.width) - 1, last_y = int(view.height) - 1; // one pixel of margin for rounding
    const int x0 = clamp(pixel_of(left, left < 0 ? near : far, view.scale_x, view.half_width, view.width) - 1, 0, last_x);
    const int x1 = clamp(pixel_of(right, right > 0 ? near : far, view.scale_x, view.half_width, view.width) + 1, 0, last_x);
    const int y0 = clamp(pixel_of(top, top < 0 ? near : far, view.scale_y, view.half_height, view.height) - 1, 0, last_y);
    const int y1 = clamp(pixel_of(bottom, bottom > 0 ? near : far, view.scale_y, view.half_height, view.height) + 1, 0, last_y);
    int level = 1; // texels of level 1 are 2 pixels wide
    while ((x1 >> level) - (x0 >> level) > 1 || (y1 >> level) - (y0 >> level) > 1) {
        ++level;
    }
    const float farthest = farthest_in(level, ivec2(x0, y0) >> level, ivec2(x1, y1) >> level);
    const precise float limit = farthest * near;
    return view.padded_near < limit;
}
