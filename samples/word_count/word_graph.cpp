#include "word_count/word_graph.hpp"

#include <algorithm>
#include <bit>
#include <string>
#include <vector>

#include "word_count/text.hpp"

namespace samples {

namespace {

using weir::read;
using weir::read_write;
using weir::write;
using Buffer = weir::BufferRef<std::uint32_t>;

/// Number of bytes that an invocation processes in sequence.
const std::string piece = std::string("const uint piece = ") + std::to_string(text_unit) + ";\n";

/// GLSL that returns 1 to 26 for the letter at a byte of the text, or 0 for another character.
const std::string letter = R"(
uint letter(uint at) {
    const uint byte = text[at / 4] >> at % 4 * 8 & 0xFF;
    const uint place = (byte | 0x20) - 0x61;
    return place < 26 ? place + 1 : 0;
})";

/// Returns a mask of the low `bits` bits.
std::uint32_t mask(std::uint32_t bits) {
    return (1U << bits) - 1;
}

/// Operator of the scan. A letter maps the fingerprint of a word to that of the word extended by the letter: x -> scale
/// x + hash, where scale is the place. Any other character maps to 0. These maps are closed under composition, which is
/// the operator, so the scan's time does not depend on word lengths. The state also carries the number of words begun
/// and the start of the last one.
weir::Monoid words_monoid() {
    return {.name = "words",
            .fields = {"uint begun", "uint start", "uvec2 scale", "uvec2 hash"},
            .functions = piece + letter + R"(
const uint modulus = 0x7FFFFFFFu; // so 2^31 is congruent to 1

uvec2 reduced(uvec2 sum) {
    return sum - modulus * uvec2(greaterThanEqual(sum, uvec2(modulus)));
}

uvec2 product(uvec2 a, uvec2 b) {
    uvec2 high, low;
    umulExtended(a, b, high, low);
    return reduced((high << 1 | low >> 31) + (low & modulus));
}

// Extends the map by the byte at `at`: `now` is its letter, `before` that of the byte before it.
T with_letter(T map, uint at, uint now, uint before) {
    if (now == 0) {
        return T(map.begun, map.start, uvec2(0), uvec2(0));
    }
    if (before == 0) {
        ++map.begun;
        map.start = at;
    }
    const uvec2 scale = uvec2(fingerprints[0], fingerprints[1]);
    return T(map.begun, map.start, product(map.scale, scale), reduced(product(map.hash, scale) + now));
})",
            .identity = "T(0, 0, uvec2(1), uvec2(0))",
            .combine =
                "return T(left.begun + right.begun, max(left.start, right.start), product(left.scale, right.scale),\n"
                "         reduced(product(left.hash, right.scale) + right.hash));",
            .exact = true};
}

/// Adds a pass that runs `body` for each i below a count on the GPU.
void for_each(weir::Graph& graph, const char* name, const weir::Count& count,
              const std::vector<weir::FusedBuffer>& buffers, const std::string& functions, const std::string& body) {
    std::string text = "#version 460\n#extension GL_GOOGLE_include_directive : require\n"
                       "#include <weir/dispatch.glsl>\nlayout(local_size_x = 64) in;\n"
                       "layout(push_constant) uniform Push { uint most; uint word; };\n"
                       "layout(binding = 0) readonly buffer Counts { uint counts[]; };\n";
    weir::Pass pass;
    pass.name = name;
    pass.bindings = {read(count.buffer)};
    for (const weir::FusedBuffer& buffer : buffers) {
        const std::string binding = std::to_string(pass.bindings.size());
        text += std::string("layout(binding = ") + binding + ") " +
                (buffer.binding.access == weir::Access::shader_read ? "readonly " : "") + "buffer Buffer" + binding +
                " { " + buffer.declaration + "; };\n";
        pass.bindings.push_back(buffer.binding);
    }
    text += functions + "\nvoid main() {\n    const uint i = weir_workgroup_index() * 64 + gl_LocalInvocationIndex;\n" +
            "    if (i >= min(counts[word], most)) {\n        return;\n    }\n" + body + "}\n";
    pass.shader = weir::ShaderSource::glsl(text, name);
    pass.push = {count.max, count.word};
    pass.dispatch = weir::Dispatch::elements(count, 64);
    graph.add_pass(std::move(pass));
}

} // namespace

std::uint64_t most_text(const weir::Capabilities& device) {
    // The largest buffer has an 8-byte fingerprint for every second byte. A sort takes fewer than 2^30 words.
    return std::min<std::uint64_t>(device.max_storage_range / 4, 1U << 31) - 64;
}

WordGraph add_word_count(weir::Graph& graph, std::uint32_t bytes, std::uint32_t bits) {
    const std::uint32_t most = (bytes + 1) / 2;
    const auto transient = [&](const char* name) { return graph.transient_buffer<std::uint32_t>(name, most); };
    WordGraph result;
    const Buffer text = result.text = graph.import_buffer<std::uint32_t>("text", bytes / 4);
    const Buffer fingerprints = result.fingerprints = graph.import_buffer<std::uint32_t>("fingerprints", 2);

    // One scan over pieces of the text finds starts, lengths and fingerprints of the words. All three are known at the
    // last letter of a word.
    const Buffer starts = transient("starts"), lengths = transient("lengths"), low = transient("low fingerprints"),
                 high = transient("high fingerprints"), numbers = transient("numbers of words");
    result.words = graph.transient_buffer<std::uint32_t>("count of words", 6);
    weir::fused_scan(graph, {.monoid = words_monoid(),
                             .count = bytes / text_unit,
                             .buffers = {{"uint text[]", read(text)},
                                         {"uint fingerprints[]", read(fingerprints)},
                                         {"uint starts[]", write(starts)},
                                         {"uint lengths[]", write(lengths)},
                                         {"uint low[]", write(low)},
                                         {"uint high[]", write(high)},
                                         {"uint numbers[]", write(numbers)}},
                             .values = {{"low_mask", mask(bits - bits / 2)}, {"high_mask", mask(bits / 2)}},
                             .load = R"(
    T map = T(0, 0, uvec2(1), uvec2(0)); // the identity
    uint before = i == 0 ? 0 : letter(i * piece - 1);
    for (uint at = i * piece; at < i * piece + piece; ++at) {
        const uint now = letter(at);
        map = with_letter(map, at, now, before);
        before = now;
    }
    return map;)",
                             .store = R"(
    T map = exclusive;
    uint before = i == 0 ? 0 : letter(i * piece - 1);
    for (uint at = i * piece; at < i * piece + piece; ++at) {
        const uint now = letter(at);
        map = with_letter(map, at, now, before);
        if (now != 0 && letter(at + 1) == 0) { // the text does not end with a letter
            const uint word = map.begun - 1;
            starts[word] = map.start;
            lengths[word] = at + 1 - map.start;
            low[word] = map.hash.x & low_mask;
            high[word] = map.hash.y & high_mask;
            numbers[word] = word;
        }
        before = now;
    })",
                             .output_total = result.words});
    const weir::Count words = graph.count_in(result.words, 0, most);

    // Sort by fingerprint: low half, then high half. Both sorts are stable, so equal words stay in text order.
    const auto by_low = weir::radix_sort(graph, low.with_count(words), {.values = numbers, .end_bit = bits - bits / 2});
    const Buffer high_by_low = transient("high fingerprints by low ones");
    for_each(
        graph, "gather", words,
        {{"uint numbers[]", read(by_low.values)}, {"uint high[]", read(high)}, {"uint sorted[]", write(high_by_low)}},
        "", "    sorted[i] = high[numbers[i]];\n");
    const auto sorted =
        weir::radix_sort(graph, high_by_low.with_count(words), {.values = by_low.values, .end_bit = bits / 2});

    // Neighbors with equal fingerprints must be equal words. Their letters are compared in pieces, so that a long word
    // does not take longer.
    const auto prints = graph.transient_buffer<std::uint64_t>("sorted fingerprints", most, words);
    const Buffer sorted_starts = transient("sorted starts"), sorted_lengths = transient("sorted lengths"),
                 pieces = transient("pieces");
    result.collisions = graph.transient_buffer<std::uint32_t>("collisions", 1);
    graph.add_fill("no collisions", result.collisions, 0);
    for_each(graph, "line up", words,
             {{"uint numbers[]", read(sorted.values)},
              {"uint low[]", read(low)},
              {"uint high[]", read(high)},
              {"uint starts[]", read(starts)},
              {"uint lengths[]", read(lengths)},
              {"uvec2 prints[]", write(prints)},
              {"uint sorted_starts[]", write(sorted_starts)},
              {"uint sorted_lengths[]", write(sorted_lengths)},
              {"uint pieces[]", write(pieces)},
              {"uint collisions", read_write(result.collisions)}},
             piece, R"(
    const uint word = numbers[i];
    const uint before = numbers[max(i, 1) - 1];
    prints[i] = uvec2(low[word], high[word]);
    sorted_starts[i] = starts[word];
    sorted_lengths[i] = lengths[word];
    const bool looks_same = i > 0 && low[word] == low[before] && high[word] == high[before];
    const bool differs = looks_same && lengths[word] != lengths[before];
    if (differs) {
        atomicAdd(collisions, 1);
    }
    pieces[i] = looks_same && !differs ? (lengths[word] + piece - 1) / piece : 0;
)");
    const weir::ExpandResult compared =
        weir::expand(graph, pieces.with_count(words), {.capacity = most, .want_ranks = true});
    for_each(graph, "compare", compared.sources.count,
             {{"uint text[]", read(text)},
              {"uint words[]", read(compared.sources)},
              {"uint ranks[]", read(compared.ranks)},
              {"uint sorted_starts[]", read(sorted_starts)},
              {"uint sorted_lengths[]", read(sorted_lengths)},
              {"uint collisions", read_write(result.collisions)}},
             piece + letter, R"(
    const uint word = words[i];
    const uint first = ranks[i] * piece;
    const uint end = min(first + piece, sorted_lengths[word]);
    bool differs = false;
    for (uint at = first; at < end; ++at) {
        differs = differs || letter(sorted_starts[word] + at) != letter(sorted_starts[word - 1] + at);
    }
    if (differs) {
        atomicAdd(collisions, 1);
    }
)");

    // Each run is one different word. Counts are sorted by the bits of the maximum possible count only.
    const auto runs = weir::run_length_encode(graph, prints, {.want_values = false, .want_offsets = true});
    result.different = runs.count;
    const auto by_count = weir::radix_sort(
        graph, runs.lengths,
        {.values = runs.offsets, .descending = true, .end_bit = static_cast<std::uint32_t>(std::bit_width(most))});
    result.counts = by_count.keys;
    result.starts = transient("starts by count");
    result.lengths = transient("lengths by count");
    for_each(graph, "report", runs.lengths.count,
             {{"uint offsets[]", read(by_count.values)},
              {"uint sorted_starts[]", read(sorted_starts)},
              {"uint sorted_lengths[]", read(sorted_lengths)},
              {"uint starts[]", write(result.starts)},
              {"uint lengths[]", write(result.lengths)}},
             "", "    starts[i] = sorted_starts[offsets[i]];\n    lengths[i] = sorted_lengths[offsets[i]];\n");
    for (const Buffer& buffer :
         {result.counts, result.starts, result.lengths, result.words, result.different, result.collisions}) {
        graph.export_buffer(buffer);
    }
    return result;
}

} // namespace samples
