#version 460
layout(local_size_x = 64) in;
layout(constant_id = 0) const uint offset = 0;
layout(binding = 0) readonly buffer Input { uint x[]; };
layout(binding = 1) writeonly buffer Output { uint y[]; };
layout(push_constant) uniform Push { uint count, factor; };
void main() {
    const uint i = gl_GlobalInvocationID.x;
    if (i < count) {
        y[i] = x[i] * factor + offset;
    }
}
