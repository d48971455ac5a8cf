// Returns the farthest depth of up to four texels of a level of the pyramid.
float farthest_in(int level, ivec2 from, ivec2 to) {
    const int mip = level - 1;
    return min(min(texelFetch(pyramid, from, mip).r, texelFetch(pyramid, ivec2(to.x, from.y), mip).r),
               min(texelFetch(pyramid, ivec2(from.x, to.y), mip).r, texelFetch(pyramid, to, mip).r));
}
