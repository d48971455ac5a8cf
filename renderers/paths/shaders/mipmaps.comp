// Computes mipmaps of an image, each half the size of the one before, rounded down. A texel is the mean of the texels
// that it covers, as in src/bitmaps.cpp. A single workgroup computes several mipmaps, one after the other.
#version 460

layout(local_size_x = 256) in;

layout(push_constant) uniform Push {
    uint first_texel; // start of the image that is reduced
    uint width, height;
    uint levels; // number of mipmaps; 1 if there are several workgroups
};

layout(std430, set = 0, binding = 0) coherent buffer Texels {
    uint texels[];
};

// Returns the part of texel `j` that texel `i` of the next mipmap covers, in 1 / `to` texels.
uint covered(uint i, uint j, uint from, uint to) {
    return min((i + 1) * from, (j + 1) * to) - max(i * from, j * to);
}

uvec4 components(uint texel) {
    return uvec4(texel & 0xFFu, texel >> 8 & 0xFFu, texel >> 16 & 0xFFu, texel >> 24);
}

// Adds `b * c` to the numbers of 64 bits in `high` and `low`.
void add(inout uvec4 high, inout uvec4 low, uvec4 b, uvec4 c) {
    uvec4 more_high, more_low, carry;
    umulExtended(b, c, more_high, more_low);
    low = uaddCarry(low, more_low, carry);
    high += more_high + carry;
}

// Returns texel `at` of the mipmap of size `to` after that of size `from`.
uint mean(uint first, uvec2 from, uvec2 to, uvec2 at) {
    const uvec2 begin = at * from / to, end = ((at + 1) * from + to - 1) / to;
    const uint all = from.x * from.y;
    uvec4 high = uvec4(0), low = uvec4(all / 2);
    for (uint y = begin.y; y < end.y; ++y) {
        for (uint x = begin.x; x < end.x; ++x) {
            const uint weight = covered(at.x, x, from.x, to.x) * covered(at.y, y, from.y, to.y);
            add(high, low, uvec4(weight), components(texels[first + y * from.x + x]));
        }
    }
    uvec4 quotient = uvec4(0); // by `all`: at most 255
    for (uint bit = 128; bit != 0; bit >>= 1) {
        uvec4 product_high, product_low;
        umulExtended(quotient | bit, uvec4(all), product_high, product_low);
        for (int c = 0; c < 4; ++c) {
            const bool is_above = product_high[c] > high[c] || (product_high[c] == high[c] && product_low[c] > low[c]);
            quotient[c] |= is_above ? 0 : bit;
        }
    }
    return quotient.x | quotient.y << 8 | quotient.z << 16 | quotient.w << 24;
}

void main() {
    uint first = first_texel;
    uvec2 from = uvec2(width, height);
    for (uint level = 0; level < levels; ++level) {
        const uvec2 to = max(from / 2, uvec2(1));
        const uint next = first + from.x * from.y;
        for (uint i = gl_GlobalInvocationID.x; i < to.x * to.y; i += gl_NumWorkGroups.x * gl_WorkGroupSize.x) {
            texels[next + i] = mean(first, from, to, uvec2(i % to.x, i / to.x));
        }
        memoryBarrierBuffer();
        barrier();
        first = next;
        from = to;
    }
}
