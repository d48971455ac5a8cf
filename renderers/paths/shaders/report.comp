// Reports whether every stage had enough capacity, and how much each needs.
#version 460

layout(local_size_x = 1) in;

const uint stages = 6; // members of Sizes

layout(push_constant) uniform Push {
    uint room[stages]; // capacities, in elements; 0: no such stage
};

layout(std430, set = 0, binding = 0) writeonly buffer Complete {
    uint complete; // 1 if no stage overflowed
};
layout(std430, set = 0, binding = 1) writeonly buffer Report {
    uint state; // 1: complete, 2: a stage overflowed
    uint needed[stages];
};
layout(std430, set = 0, binding = 2) readonly buffer Needed0 {
    uint needed0;
};
layout(std430, set = 0, binding = 3) readonly buffer Needed1 {
    uint needed1;
};
layout(std430, set = 0, binding = 4) readonly buffer Needed2 {
    uint needed2;
};
layout(std430, set = 0, binding = 5) readonly buffer Needed3 {
    uint needed3;
};
layout(std430, set = 0, binding = 6) readonly buffer Needed4 {
    uint needed4;
};

layout(std430, set = 0, binding = 7) readonly buffer Needed5 {
    uint needed5;
};

void main() {
    const uint words[stages] = {needed0, needed1, needed2, needed3, needed4, needed5};
    bool fits = true;
    for (uint i = 0; i < stages; ++i) {
        const uint word = room[i] == 0 ? 0 : words[i];
        needed[i] = word;
        fits = fits && word <= room[i];
    }
    complete = fits ? 1 : 0;
    state = fits ? 1 : 2;
}
