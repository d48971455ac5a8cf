// Counts the elements of each bin. If the bins fit in workgroup memory, a workgroup counts its share there. Each counter has several
// adjacent copies, so that neighboring invocations use different words and banks. The workgroup adds its counts to the totals of all
// workgroups. The last workgroup to finish stores the totals and resets them to 0. If the bins do not fit, elements are counted in the
// output, which must be 0 before.
//
// Elements may have several channels. The first ACTIVE_CHANNELS are counted, each in its own bins. Channels are consecutive words, or the
// bytes of a word.

#include "interface.glsl"
#include "histogram_interface.h"
layout(local_size_x_id = 0) in;

layout(push_constant) uniform Push {
    uint max_count;
    uint count_word;
    uint group_items; // items per workgroup, a multiple of four; with several channels, words per workgroup
    uint bins;        // bins per channel
#ifndef CUSTOM_BIN
    // Even bins of integers: floor(2^32 * bins / range) as a 64-bit number, low word first. Even bins of floats: x is the number of bins
    // per unit, y the power of two by which CLASSIFIER_WIDE_FLOATS multiplies elements and bounds first.
    uvec2 scale[4];
    uint lower[4];  // key at which the first bin of a channel begins
    uint range[4];  // integers: distance from `lower` to the end; floats: the end
    uint shift;     // first bit of digits
#endif
#include "last_push.glsl"
};

#extension GL_KHR_memory_scope_semantics : require
#extension GL_EXT_control_flow_attributes : require
#pragma use_vulkan_memory_model
#include <weir/dispatch.glsl>

layout(set = 0, binding = COUNTS_BINDING) readonly buffer Counts { uint count_words[]; };
layout(set = 0, binding = INPUT_BINDING) readonly buffer Input { uint in_words[]; };
layout(set = 0, binding = INPUT_BINDING) readonly buffer InputVectors { uvec4 in_vectors[]; };
layout(set = 0, binding = OUTPUT_BINDING) buffer Output { uint out_counts[]; };
layout(set = 0, binding = TOTALS_BINDING) buffer Totals { uint totals[]; }; // number of finished workgroups, then a total per bin

#define DONE_WORD totals[0]
#include "last_workgroup.glsl"

shared uint counters[COUNTERS];

// Counts an element. `bin` is an index in the bins of all channels, which follow each other.
void count_bin(uint bin) {
    if (bin >= ACTIVE_CHANNELS * bins) {
        return;
    }
    if (COPIES == 0) {
        if (!WIDE) {
            atomicAdd(out_counts[bin], 1, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
        } else if (atomicAdd(out_counts[2 * bin], 1, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed) == ~0u) {
            atomicAdd(out_counts[2 * bin + 1], 1, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
        }
    } else {
        const uint copy = gl_LocalInvocationIndex % COPIES;
        atomicAdd(counters[bin * COPIES + copy], 1, gl_ScopeWorkgroup, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
    }
}

#ifdef CUSTOM_BIN

void count_item(uint i);

#else

#include "total_order.glsl"

layout(set = 0, binding = EDGES_BINDING) readonly buffer Edges { uint edges[]; };
layout(set = 0, binding = SECOND_EDGES_BINDING) readonly buffer SecondEdges { uint second_edges[]; };
layout(set = 0, binding = THIRD_EDGES_BINDING) readonly buffer ThirdEdges { uint third_edges[]; };
layout(set = 0, binding = FOURTH_EDGES_BINDING) readonly buffer FourthEdges { uint fourth_edges[]; };

const uint NO_BIN = ~0u;
const uint VECTORS = 4; // vectors loaded at a time

// Returns the bin of a number at `offset` from the lower end of the range: floor(offset * bins / range). The scale yields this value or one
// less.
uint even_bin(uint offset, uint channel) {
    uint scaled_high, scaled_low, next_high, next_low, offset_high, offset_low;
    umulExtended(offset, scale[channel].x, scaled_high, scaled_low);
    const uint bin = offset * scale[channel].y + scaled_high;
    umulExtended(bin + 1, range[channel], next_high, next_low);
    umulExtended(offset, bins, offset_high, offset_low);
    return next_high < offset_high || next_high == offset_high && next_low <= offset_low ? bin + 1 : bin;
}

uint edge(uint channel, uint i) {
    if (ACTIVE_CHANNELS == 1 || channel == 0) {
        return edges[i];
    }
    return channel == 1 ? second_edges[i] : ACTIVE_CHANNELS == 3 || channel == 2 ? third_edges[i] : fourth_edges[i];
}

// Returns the key of a number. Zeros of both signs are equal.
uint edge_key(uint number) {
    return key_of(0, NUMBERS == NUMBERS_REAL && number << 1 == 0 ? 0 : number).y;
}

// Returns the index of the last edge that is not greater than the number. Returns NO_BIN for NaN or if all edges are greater.
uint edge_bin(uint number, uint channel) {
    if (NUMBERS == NUMBERS_REAL && (number & 0x7FFFFFFFu) > 0x7F800000u) {
        return NO_BIN;
    }
    const uint key = edge_key(number);
    uint low = 0, high = bins + 1; // edges
    while (low < high) {
        const uint middle = (low + high) / 2;
        if (edge_key(edge(channel, middle)) <= key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low - 1; // `bins` for a number at or beyond the last edge
}

uint bin_of(uint key, uint channel) {
    if (CLASSIFIER == CLASSIFIER_DIGITS) {
        return key >> shift & bins - 1;
    }
    if (CLASSIFIER == CLASSIFIER_EDGES) {
        return edge_bin(key, channel);
    }
    if (CLASSIFIER == CLASSIFIER_FLOATS || CLASSIFIER == CLASSIFIER_WIDE_FLOATS) {
        const float x = uintBitsToFloat(key), first = uintBitsToFloat(lower[channel]);
        precise float offset = x - first;
        if (CLASSIFIER == CLASSIFIER_WIDE_FLOATS) {
            const float unit = uintBitsToFloat(scale[channel].y);
            offset = x * unit - first * unit;
        }
        precise const float scaled = offset * uintBitsToFloat(scale[channel].x);
        return x >= first && x < uintBitsToFloat(range[channel]) ? min(uint(scaled), bins - 1) : NO_BIN;
    }
    const uint offset = key - lower[channel]; // keys below the range wrap to offsets beyond it, signed or not
    return offset < range[channel] ? even_bin(offset, channel) : NO_BIN;
}

// Counts the word at `place` of the input in the bins of its channel. With CLASSIFIER_BYTES each byte is a channel.
void count_key(uint key, uint place) {
    if (CLASSIFIER == CLASSIFIER_BYTES) {
        for (uint byte = 0; byte < 4; ++byte) {
            if (CHANNELS == 1 || byte < ACTIVE_CHANNELS) {
                count_bin((CHANNELS == 1 ? 0 : byte * 256) + (key >> 8 * byte & 0xFF));
            }
        }
        return;
    }
    const uint channel = CHANNELS == 1 ? 0 : place % CHANNELS;
    if (channel < ACTIVE_CHANNELS) {
        const uint bin = bin_of(key, channel);
        if (bin < bins) {
            count_bin(channel * bins + bin);
        }
    }
}

#endif

// Counts items in [first, end). `first` must be a multiple of four.
void count_items(uint first, uint end) {
#ifdef CUSTOM_BIN
    for (uint row = first; row < end; row += WORKGROUP) {
        if (row + gl_LocalInvocationIndex < end) {
            count_item(row + gl_LocalInvocationIndex);
        }
    }
#else
    for (uint row = first / 4; row < end / 4; row += VECTORS * WORKGROUP) {
        uvec4 keys[VECTORS];
        [[unroll]] for (uint j = 0; j < VECTORS; ++j) {
            const uint at = row + j * WORKGROUP + gl_LocalInvocationIndex;
            if (at < end / 4) {
                keys[j] = in_vectors[at];
            }
        }
        [[unroll]] for (uint j = 0; j < VECTORS; ++j) {
            if (row + j * WORKGROUP + gl_LocalInvocationIndex < end / 4) {
                const uint place = 4 * (row + j * WORKGROUP + gl_LocalInvocationIndex);
                count_key(keys[j].x, place);
                count_key(keys[j].y, place + 1);
                count_key(keys[j].z, place + 2);
                count_key(keys[j].w, place + 3);
            }
        }
    }
    for (uint last = end / 4 * 4; last < end; ++last) {
        if (last % WORKGROUP == gl_LocalInvocationIndex) {
            count_key(in_words[last], last);
        }
    }
#endif
}

// Stores the count of a bin, or adds it to the count of the windows before.
void store_count(uint bin, uint count) {
    if (!WIDE) {
        if (ADDS) {
            count += out_counts[bin];
        }
        out_counts[bin] = count;
        return;
    }
    uint carry = 0;
    uint low = count, high = 0;
    if (ADDS) {
        low = uaddCarry(out_counts[2 * bin], count, carry);
        high = out_counts[2 * bin + 1] + carry;
    }
    out_counts[2 * bin] = low;
    out_counts[2 * bin + 1] = high;
}

// Adds the workgroup's counts to the totals, or stores them in the output if there is no other workgroup.
void add_counters(bool alone) {
    const uint all_bins = ACTIVE_CHANNELS * bins;
    for (uint row = 0; row < all_bins; row += WORKGROUP) {
        const uint bin = row + gl_LocalInvocationIndex;
        uint sum = 0;
        for (uint copy = 0; copy < COPIES; ++copy) {
            sum += bin < all_bins ? counters[bin * COPIES + (copy + bin) % COPIES] : 0; // reads from all banks
        }
        if (bin < all_bins && alone) {
            store_count(bin, sum);
        } else if (!ALONE && sum > 0) {
            atomicAdd(totals[FIRST_TOTAL + bin], sum, gl_ScopeDevice, gl_StorageSemanticsNone, gl_SemanticsRelaxed);
        }
    }
}

void main() {
    const uint count = (COUNT_ON_GPU ? min(count_words[count_word], max_count) : max_count) * ITEM_WORDS;
    const uint groups = weir_workgroup_count();
    const uint group = min(weir_workgroup_index(), count / group_items + 1); // avoids overflow for workgroups beyond the end
    const uint first = group * group_items;
    const uint end = first < count ? first + min(group_items, count - first) : first;
    if (COPIES == 0) {
        count_items(first, end);
        return;
    }
    for (uint row = 0; row < COUNTERS; row += WORKGROUP) {
        if (row + gl_LocalInvocationIndex < COUNTERS) {
            counters[row + gl_LocalInvocationIndex] = 0;
        }
    }
    barrier();
    count_items(first, end);
    barrier();
    add_counters(groups == 1);
    if (ALONE || groups == 1 || !finish(gl_LocalInvocationIndex == 0, groups)) {
        return;
    }
    for (uint bin = gl_LocalInvocationIndex; bin < ACTIVE_CHANNELS * bins; bin += WORKGROUP) {
        store_count(bin, atomicExchange(totals[FIRST_TOTAL + bin], 0, gl_ScopeDevice, gl_StorageSemanticsNone,
                                        gl_SemanticsRelaxed));
    }
}
