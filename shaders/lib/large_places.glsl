#ifndef WEIR_LARGE_PLACES_GLSL
#define WEIR_LARGE_PLACES_GLSL

// Places and addresses in buffers of any size: 64-bit numbers, low word first, also on devices without 64-bit integers. The kernel enables
// GL_EXT_buffer_reference and GL_EXT_buffer_reference_uvec2 if it stores by address.

uvec2 add_to_place(uvec2 place, uint number) {
    uint carry;
    const uint low = uaddCarry(place.x, number, carry);
    return uvec2(low, place.y + carry);
}

uvec2 subtract_from_place(uvec2 place, uint number) {
    uint borrow;
    const uint low = usubBorrow(place.x, number, borrow);
    return uvec2(low, place.y - borrow);
}

bool is_before(uvec2 a, uvec2 b) {
    return a.y < b.y || a.y == b.y && a.x < b.x;
}

// Returns the address of an element of `bytes` bytes.
uvec2 address_of(uvec2 first, uvec2 place, uint bytes) {
    uint high, low, carry;
    umulExtended(place.x, bytes, high, low);
    const uint sum = uaddCarry(first.x, low, carry);
    return uvec2(sum, first.y + high + place.y * bytes + carry);
}

#endif
