// The main function of kernels that compute lines by line_of_slot.

uint slots_of_item(uint i) {
    uint line_draw;
    return cuts_of(line_of_slot(i, line_draw));
}

void main() {
    const uint count = min(line_slots[0], capacity), i = claim_item(count);
    ivec4 line = ivec4(0);
    uint line_draw = 0, own = 0;
    if (i < count) {
        line = line_of_slot(i, line_draw);
        own = cuts_of(line);
    }
    assign_slots(i, own);
    if (i < count) {
        lines[i] = line;
        line_draws[i] = line_draw;
    }
}
