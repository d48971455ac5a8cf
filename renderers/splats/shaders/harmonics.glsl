// Direction-dependent part of a color: real spherical harmonics of degree 1 to DEGREE.

layout(std430, set = 0, binding = 9) readonly buffer Harmonics {
    uint harmonics[]; // halfs or bytes: red, green and blue of each coefficient
};

#if DEGREE == 1
const uint pairs = 5;
#elif DEGREE == 2
const uint pairs = 12;
#else
const uint pairs = 24;
#endif

layout(constant_id = 4) const uint words_of_splat = pairs; // size in a cloud of this or a higher degree
layout(constant_id = 5) const bool has_bytes = false;

float numbers[2 * pairs];

vec3 coefficient(uint i) {
    return vec3(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]);
}

// `scale`: factor of bytes.
vec3 harmonics_of(uint splat, vec3 d, float scale) {
    for (uint i = 0; i < pairs; ++i) {
        vec2 pair;
        if (has_bytes) {
            const vec4 four = scale * unpackSnorm4x8(harmonics[splat * words_of_splat + i / 2]);
            pair = i % 2 == 0 ? four.xy : four.zw;
        } else {
            pair = unpackHalf2x16(harmonics[splat * words_of_splat + i]);
        }
        numbers[2 * i] = pair.x;
        numbers[2 * i + 1] = pair.y;
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
