// Measures how long it takes until a workgroup sees a value that another one has posted, with the loads and stores of tile states. Two
// workgroups pass a number back and forth. For each round, workgroup 0 stores the number of polls that found nothing. A workgroup that
// finds nothing in MOST_POLLS polls ends, and the other one then ends too. Neither depends on the progress of the other.
#version 460
#extension GL_KHR_memory_scope_semantics : require
#pragma use_vulkan_memory_model

layout(constant_id = 0) const uint ROUNDS = 32;
layout(constant_id = 1) const uint MOST_POLLS = 1024;
layout(local_size_x = 32) in;

layout(set = 0, binding = 0) buffer Posts { uint posts[64]; }; // one per workgroup, in separate cache lines; 0 before
layout(set = 0, binding = 1) writeonly buffer Polls { uint polls[]; }; // ~0 before; stays ~0 from the round in which a workgroup gave up

// Returns the number of polls before `number` was found.
uint await(uint from, uint number) {
    uint count = 0;
    while (count < MOST_POLLS &&
           atomicLoad(posts[from * 32], gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed) != number) {
        ++count;
    }
    return count;
}

void main() {
    if (gl_LocalInvocationIndex != 0) {
        return;
    }
    const uint self = gl_WorkGroupID.x;
    bool goes_on = true;
    for (uint round = 0; round < ROUNDS && goes_on; ++round) {
        const uint number = round + 1;
        if (self == 0) {
            atomicStore(posts[0], number, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
        }
        const uint count = await(1 - self, number);
        goes_on = count < MOST_POLLS;
        if (self == 0 && goes_on) {
            polls[round] = count;
        } else if (goes_on) {
            atomicStore(posts[32], number, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
        }
    }
}
