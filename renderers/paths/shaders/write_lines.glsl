// The main function of kernels that compute lines by line_of_slot.

uint slots_of_item(uint i, bool is_own) {
    uint line_draw;
    const ivec4 line = line_of_slot(i, line_draw);
    if (is_own) {
        lines[i] = line;
        line_draws[i] = line_draw;
    }
    return cuts_of(line);
}

void main() {
    assign_slots(min(line_slots[0], capacity));
}
