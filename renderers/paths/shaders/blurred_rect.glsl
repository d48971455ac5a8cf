#ifndef WEIR_PATHS_BLURRED_RECT_GLSL
#define WEIR_PATHS_BLURRED_RECT_GLSL

// A rounded rectangle under a Gaussian blur, as src/blurred_rect.cpp computes it. Lengths are in deviations.

// Returns the integral of the Gaussian up to x (Abramowitz and Stegun, 26.2.19). The error is below 2e-7.
float gaussian_integral(float x) {
    const float a = min(abs(x), 8.0);
    float tail = 5.383e-6;
    tail = tail * a + 4.88906e-5;
    tail = tail * a + 3.80036e-5;
    tail = tail * a + 3.2776263e-3;
    tail = tail * a + 0.0211410061;
    tail = tail * a + 0.049867347;
    tail = 1.0 / (tail * a + 1.0);
    tail *= tail;
    tail *= tail;
    tail *= tail;
    tail *= 0.5 * tail;
    return x < 0.0 ? tail : 1.0 - tail;
}

// Returns the integral of the Gaussian around x from -c to c.
float gaussian_between(float x, float c) {
    return gaussian_integral(x + c) - gaussian_integral(x - c);
}

// Integrates the rows of a rectangle's rounded corners from its last straight row to its end, within 3 of p.y: by
// Gauss-Legendre quadrature over u, where r * u * (2 - u) is the distance to the last straight row. The length of a row
// is smooth over u.
float blurred_corners(vec2 p, vec2 size, float r) {
    const float reach = 3.0;
    const float from = clamp(p.y - reach - (size.y - r), 0.0, r), to = clamp(p.y + reach - (size.y - r), 0.0, r);
    if (!(from < to)) {
        return 0.0;
    }
    const float nodes[8] = float[8](0.019855072, 0.101666761, 0.237233795, 0.408282679, 0.591717321, 0.762766205,
                                    0.898333239, 0.980144928);
    const float weights[4] = float[4](0.050614268, 0.111190517, 0.156853323, 0.181341892);
    // A quotient of equal numbers may be rounded to more than 1.
    const float first = 1.0 - sqrt(max(1.0 - from / r, 0.0)), range = 1.0 - sqrt(max(1.0 - to / r, 0.0)) - first;
    float sum = 0.0;
    for (uint i = 0; i < 8; ++i) {
        const float u = first + range * nodes[i], part = u * (2.0 - u), off = p.y - (size.y - r) - r * part;
        const float row = size.x - r + r * (1.0 - u) * sqrt(1.0 + part);
        sum += weights[min(i, 7 - i)] * (1.0 - u) * exp(-0.5 * off * off) * gaussian_between(p.x, row);
    }
    return sum * range * r * 0.80004452; // 2 / (square root of 2 pi * integral of the Gaussian from -3 to 3)
}

// Returns the blurred coverage of a rectangle from -size to size with radius r.
float blurred_rect(vec2 at, vec2 size, float r) {
    vec2 p = abs(at);
    if (p.x - size.x < p.y - size.y) { // rows are across the nearest edge, so that they are smooth
        p = p.yx;
        size = size.yx;
    }
    const float straight = gaussian_between(p.x, size.x) * gaussian_between(p.y, size.y - r);
    return min(straight + blurred_corners(p, size, r) + blurred_corners(vec2(p.x, -p.y), size, r), 1.0);
}

#endif
