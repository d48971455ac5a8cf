// Direction-dependent part of a color: real spherical harmonics of degree 1 to DEGREE.

layout(std430, set = 0, binding = 9) readonly buffer Harmonics {
    uint harmonics[]; // halfs: red, green and blue of each coefficient
};

#if DEGREE == 1
const uint words = 5;
#elif DEGREE == 2
const uint words = 12;
#else
const uint words = 24;
#endif

layout(constant_id = 4) const uint words_of_splat = words; // size in a cloud of this or a higher degree

float halfs[2 * words];

vec3 coefficient(uint i) {
    return vec3(halfs[3 * i], halfs[3 * i + 1], halfs[3 * i + 2]);
}

vec3 harmonics_of(uint splat, vec3 d) {
    for (uint i = 0; i < words; ++i) {
        const vec2 pair = unpackHalf2x16(harmonics[splat * words_of_splat + i]);
        halfs[2 * i] = pair.x;
        halfs[2 * i + 1] = pair.y;
    }
    vec3 sum = 0.48860251 * (d.z * coefficient(1) - d.y * coefficient(0) - d.x * coefficient(2));
#if DEGREE > 1
    const vec3 s = d * d;
    sum += 1.09254843 * (d.x * d.y * coefficient(3) - d.y * d.z * coefficient(4) - d.x * d.z * coefficient(6)) +
           0.31539157 * (2.0 * s.z - s.x - s.y) * coefficient(5) + 0.54627422 * (s.x - s.y) * coefficient(7);
#endif
#if DEGREE > 2
    sum += 2.89061144 * d.x * d.y * d.z * coefficient(9) + 1.44530572 * d.z * (s.x - s.y) * coefficient(13) -
           0.59004359 * (d.y * (3.0 * s.x - s.y) * coefficient(8) + d.x * (s.x - 3.0 * s.y) * coefficient(14)) -
           0.45704580 * (4.0 * s.z - s.x - s.y) * (d.y * coefficient(10) + d.x * coefficient(12)) +
           0.37317633 * d.z * (2.0 * s.z - 3.0 * (s.x + s.y)) * coefficient(11);
#endif
    return sum;
}
