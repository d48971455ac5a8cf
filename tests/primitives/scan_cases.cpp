#include "tests/primitives/scan_cases.hpp"

#include <bit>
#include <cstdlib>
#include <limits>

#include "tests/primitives/numbers.hpp"

namespace weir::tests {

namespace {

constexpr std::uint32_t poison = 0xDEADBEEF;

/// Calls `f` with a value of the C++ type of the scalar.
template <class F>
auto with_type(Scalar scalar, const F& f) {
    switch (scalar) {
    case Scalar::i32: return f(std::int32_t{});
    case Scalar::f32: return f(float{});
    case Scalar::u64: return f(std::uint64_t{});
    case Scalar::i64: return f(std::int64_t{});
    case Scalar::f64: return f(double{});
    default: return f(std::uint32_t{});
    }
}

template <class T>
T combine(Operator op, T a, T b) {
    if (op == Operator::min) {
        return comes_before(b, a) ? b : a;
    }
    if (op == Operator::max) {
        return comes_before(a, b) ? b : a;
    }
    if constexpr (std::is_floating_point_v<T>) {
        return op == Operator::add ? a + b : a * b;
    } else {
        using U = std::make_unsigned_t<T>;
        const U x = static_cast<U>(a), y = static_cast<U>(b);
        switch (op) {
        case Operator::add: return static_cast<T>(x + y);
        case Operator::mul: return static_cast<T>(x * y);
        case Operator::bit_and: return static_cast<T>(x & y);
        case Operator::bit_or: return static_cast<T>(x | y);
        default: return static_cast<T>(x ^ y);
        }
    }
}

/// Returns the first result of an exclusive scan without an initial value.
template <class T>
T start(Operator op) {
    using Limits = std::numeric_limits<T>;
    switch (op) {
    case Operator::mul: return T{1};
    case Operator::min: return Limits::has_infinity ? Limits::infinity() : Limits::max();
    case Operator::max: return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
    case Operator::bit_and: return combine<T>(Operator::bit_xor, T{}, static_cast<T>(-1));
    default: return T{};
    }
}

template <class T>
T get(const std::uint32_t* words) {
    T value;
    std::memcpy(&value, words, sizeof(T));
    return value;
}

template <class T>
void put(std::uint32_t* words, T value) {
    std::memcpy(words, &value, sizeof(T));
}

struct Expected {
    Words inclusive, exclusive, total; ///< elements without gaps
    Words start;                       ///< result of zero elements
};

/// Starts of segments, and the buffer that describes them.
struct Heads {
    std::vector<bool> at; ///< for each element: true if a segment starts there
    Words offsets;        ///< starts of segments; the last one is the end if `end_given`
    Words buffer;
    Words ends;               ///< ends of ranges
    std::vector<bool> inside; ///< for each element: true if it is in a segment
};

/// Draws ranges whose begins are `offsets`, with gaps and empty ranges between them. The last one ends beyond n.
void draw_ranges(const Words& offsets, std::uint32_t n, Random& random, Heads& heads) {
    heads.inside.assign(n, false);
    for (std::size_t s = 0; s < offsets.size(); ++s) {
        const std::uint32_t begin = offsets[s], next = s + 1 < offsets.size() ? offsets[s + 1] : n + 5;
        const std::uint32_t end = random.uniform(0, 2) == 0 ? random.uniform(begin, next) : next;
        heads.offsets.push_back(begin);
        heads.ends.push_back(end);
        std::fill(heads.inside.begin() + begin, heads.inside.begin() + std::min(end, n), true);
        if (random.uniform(0, 5) == 0) { // empty: the end is the begin, or before it
            const std::uint32_t at = random.uniform(std::max(end, begin), next);
            heads.offsets.push_back(at);
            heads.ends.push_back(random.uniform(0, 1) == 0 ? at : random.uniform(0U, at));
        }
    }
    heads.offsets.push_back(n + 1000);
    heads.ends.push_back(n + 1001);
}

Heads make_heads(const ScanCase& scan) {
    using Kind = Segments::Kind;
    Random random(scan.seed + 2);
    Heads heads{.at = std::vector<bool>(scan.n),
                .offsets = {},
                .buffer = {},
                .ends = {},
                .inside = std::vector<bool>(scan.n, true)};
    for (std::uint32_t i = 0; i < scan.n; ++i) {
        heads.at[i] = scan.segments == Kind::length
                          ? i % scan.segment_length == 0
                          : scan.segments != Kind::none && random.uniform(0U, scan.segment_length - 1) == 0;
        heads.at[i] = heads.at[i] || i == 0;
        if (heads.at[i]) {
            const std::uint32_t empty = scan.segments == Kind::offsets && random.uniform(0, 7) == 0 ? 2 : 0;
            heads.offsets.insert(heads.offsets.end(), 1 + empty, i);
        }
    }
    if (scan.segments == Kind::offsets) {
        if (random.uniform(0, 3) == 0) { // the first elements are in no segment
            std::erase(heads.offsets, 0);
        }
        heads.offsets.push_back(scan.n);
        heads.offsets.push_back(scan.n + 1000);
        std::fill_n(heads.inside.begin(), std::min(heads.offsets.front(), scan.n), false);
        if (scan.end_given) {
            if (random.uniform(0, 1) == 0) { // the last elements are in no segment
                heads.offsets.resize(random.uniform<std::size_t>(1, heads.offsets.size()));
            }
            std::fill(heads.inside.begin() + std::min(heads.offsets.back(), scan.n), heads.inside.end(), false);
        }
    } else if (scan.segments == Kind::ranges) {
        Words begins = std::exchange(heads.offsets, {});
        if (!begins.empty() && random.uniform(0, 3) == 0) { // the first elements are in no segment
            begins.erase(begins.begin());
        }
        draw_ranges(begins, scan.n, random, heads);
    }
    switch (scan.segments) {
    case Kind::flags:
        for (const bool head : heads.at) {
            heads.buffer.push_back(head ? random.uniform<std::uint32_t>() | 1U << random.uniform(0U, 31U) : 0);
        }
        break;
    case Kind::bits:
        heads.buffer = random.vector<std::uint32_t>(scan.capacity / 32 + 1);
        for (std::uint32_t i = 0; i < scan.n; ++i) {
            const std::uint32_t bit = 1U << i % 32;
            heads.buffer[i / 32] = heads.at[i] ? heads.buffer[i / 32] | bit : heads.buffer[i / 32] & ~bit;
        }
        break;
    case Kind::keys:
        for (std::uint32_t i = 0; i < scan.n; ++i) {
            for (std::uint32_t w = 0; w < scan.key_words; ++w) {
                heads.buffer.push_back(i == 0 ? 7 : heads.buffer[heads.buffer.size() - scan.key_words]);
            }
            if (heads.at[i]) {
                heads.buffer[heads.buffer.size() - 1 - random.uniform(0U, scan.key_words - 1)] += 1 + i;
            }
        }
        break;
    case Kind::offsets:
    case Kind::ranges: heads.buffer = heads.offsets; break;
    default: break;
    }
    return heads;
}

/// Returns the inclusive result at the end of each segment, and `of_nothing` for a segment without elements.
Words segment_ends(const ScanCase& scan, const Words& inclusive, const Heads& heads, const Words& of_nothing) {
    Words ends;
    const std::uint32_t n = scan.n;
    const std::size_t words = of_nothing.size();
    for (std::size_t s = 0; s + (scan.end_given ? 1 : 0) < heads.offsets.size(); ++s) {
        const std::uint32_t end = !heads.ends.empty()            ? std::min(heads.ends[s], n)
                                  : s + 1 < heads.offsets.size() ? std::min(heads.offsets[s + 1], n)
                                                                 : n;
        const auto from = end > heads.offsets[s] ? inclusive.begin() + static_cast<std::ptrdiff_t>((end - 1) * words)
                                                 : of_nothing.begin();
        ends.insert(ends.end(), from, from + static_cast<std::ptrdiff_t>(words));
    }
    return ends;
}

template <class T>
Expected reference(const ScanCase& scan, const Words& elements, const std::vector<bool>& heads, const Words& initial) {
    const std::uint32_t parts = scan.element.components, words = sizeof(T) / 4;
    Expected expected{Words(elements.size()), Words(elements.size()), Words(parts * words), Words(parts * words)};
    for (std::uint32_t part = 0; part < parts; ++part) {
        // The first element is combined with the initial value, if any. A scan of floats without segments that writes
        // exclusive results also combines it with the identity.
        bool any = scan.initial || (std::is_floating_point_v<T> && scan.segments == Segments::Kind::none &&
                                    (scan.kind == ScanKind::exclusive || scan.other));
        put(&expected.start[part * words], scan.initial ? get<T>(&initial[part * words]) : start<T>(scan.op));
        T sum = scan.initial ? get<T>(&initial[part * words]) : start<T>(scan.op);
        for (std::uint32_t i = 0; i < scan.n; ++i) {
            const std::uint32_t at = (i * parts + part) * words;
            const T element = get<T>(&elements[at]);
            if (heads[i] && scan.segments != Segments::Kind::none) {
                any = scan.initial;
                sum = scan.initial ? get<T>(&initial[part * words]) : start<T>(scan.op);
            }
            put(&expected.exclusive[at], sum);
            sum = any ? combine(scan.op, sum, element) : element;
            any = true;
            put(&expected.inclusive[at], sum);
        }
        put(&expected.total[part * words], sum);
    }
    return expected;
}

template <class T>
T exact(Operator op, Random& random) {
    if constexpr (std::is_floating_point_v<T>) {
        if (op == Operator::add) {
            return static_cast<T>(random.uniform<int>(-8, 8));
        }
        if (op == Operator::mul) {
            // Products stay far from overflow and underflow.
            static constexpr T factors[] = {2, T{0.5}, -2, T{-0.5}, 1, -1};
            const int drawn = random.uniform<int>(0, 399);
            return factors[drawn < 4 ? drawn : 4 + drawn % 2];
        }
        using Limits = std::numeric_limits<T>;
        static constexpr T specials[] = {0,
                                         T{-0.0},
                                         Limits::infinity(),
                                         -Limits::infinity(),
                                         Limits::quiet_NaN(),
                                         -Limits::quiet_NaN(),
                                         Limits::denorm_min(),
                                         Limits::max()};
        return random.uniform<int>(0, 99) == 0
                   ? specials[random.uniform<int>(0, 7)]
                   : std::ldexp(static_cast<T>(random.uniform<int>(-1000000, 1000000)), random.uniform<int>(-30, 30));
    } else {
        if (op == Operator::mul) {
            return static_cast<T>(random.uniform<std::uint64_t>() | 1); // odd: products of even numbers soon become 0
        }
        const T value = static_cast<T>(random.uniform<std::uint64_t>());
        // Most bits survive many elements.
        return op == Operator::bit_and
                   ? static_cast<T>(value | static_cast<T>(random.uniform<std::uint64_t>() | ~T{0xFF0}))
                   : value;
    }
}

/// Returns `fill` with the elements that are `inside` written to their places in `layout`.
Words laid_out(const Words& elements, const std::vector<bool>& inside, std::uint32_t words, WordLayout layout,
               Words fill) {
    const std::uint32_t stride = layout.stride != 0 ? layout.stride : words;
    for (std::uint32_t i = 0; i < inside.size(); ++i) {
        if (inside[i]) {
            std::copy_n(elements.begin() + i * words, words, fill.begin() + layout.offset + i * stride);
        }
    }
    return fill;
}

std::uint32_t words_needed(const ScanCase& scan, WordLayout layout) {
    const std::uint32_t words = scan.element.words(), stride = layout.stride != 0 ? layout.stride : words;
    return layout.offset + (scan.capacity - 1) * stride + words;
}

} // namespace

ScanTuning small_scan() {
    return {.workgroup = std::min(64U, max_workgroup()), .chunks = 1};
}
std::uint32_t small_scan_tile(ElementType element) {
    const std::uint32_t words = element.words();
    return small_scan().workgroup * (words % 4 == 0 ? 1 : words % 2 == 0 ? 2 : 4);
}

std::string to_string(ElementType element) {
    static constexpr const char* scalars[] = {"u32", "i32", "f32", "u64", "i64", "f64"};
    std::string name = scalars[static_cast<int>(element.scalar)];
    if (element.components > 1) {
        name += 'x' + std::to_string(element.components);
    }
    return name;
}

std::string to_string(const ScanCase& scan) {
    std::string text = std::string(to_string(scan.op)) + " of " + to_string(scan.element) +
                       (scan.kind == ScanKind::inclusive ? ", inclusive" : ", exclusive");
    text += std::string(scan.other ? ", both" : "") + (scan.total ? ", total" : "") +
            (scan.initial ? ", initial" : "") + (scan.in_place ? ", in place" : "");
    const auto number = [&](const char* name, std::uint64_t value) {
        text += ", " + std::string(name) + " " + std::to_string(value);
    };
    number("segments", static_cast<std::uint64_t>(scan.segments));
    number("of length", scan.segment_length);
    number("key words", scan.key_words);
    text += std::string(scan.end_given ? ", end given" : "") + (scan.segment_ends ? ", ends" : "") +
            (scan.variable_length ? ", variable" : "");
    number("in offset", scan.in.offset);
    number("in stride", scan.in.stride);
    number("out offset", scan.out.offset);
    number("out stride", scan.out.stride);
    number("capacity", scan.capacity);
    number("n", scan.n);
    number("count", static_cast<std::uint64_t>(scan.count));
    number("faults 1 in", scan.instrument.one_in);
    number("of kind", static_cast<std::uint64_t>(scan.instrument.kind));
    number("workgroup", scan.tuning.workgroup);
    number("chunks", scan.tuning.chunks);
    number("subgroup", scan.tuning.subgroup_size);
    number("strategy", static_cast<std::uint32_t>(scan.variant.strategy));
    text += scan.variant.flagged_states ? ", flagged states" : "";
    number("seed", scan.seed);
    return text;
}

bool exists(ElementType element, Operator op) {
    const bool real = element.scalar == Scalar::f32 || element.scalar == Scalar::f64;
    const bool bitwise = op == Operator::bit_and || op == Operator::bit_or || op == Operator::bit_xor;
    const bool rounds = op == Operator::add || op == Operator::mul;
    return !(real && bitwise) && !(element.scalar == Scalar::f64 && rounds && !test_context().capabilities().float64);
}

bool has_packed_states() {
    const Capabilities& device = test_context().capabilities();
    return device.int64 && device.int64_atomics;
}

bool has_flagged_states() {
    return !test_context().capabilities().ordered_atomics_are_barriers;
}

Words exact_elements(ElementType element, Operator op, std::uint32_t count, std::uint64_t seed) {
    Random random(seed);
    return with_type(element.scalar, [&](auto zero) {
        using T = decltype(zero);
        Words words(std::size_t{count} * element.words());
        for (std::size_t at = 0; at < words.size(); at += sizeof(T) / 4) {
            put(&words[at], exact<T>(op, random));
        }
        return words;
    });
}

Words expected_total(const ScanCase& scan, const Words& elements, const Words& initial) {
    const std::vector<bool> no_heads(scan.n);
    return with_type(scan.element.scalar,
                     [&](auto zero) { return reference<decltype(zero)>(scan, elements, no_heads, initial).total; });
}

ScanProgram::ScanProgram(const ScanCase& scan)
    : scan_(scan), initial_(exact_elements(scan.element, scan.op, 1, scan.seed + 1)),
      trial_(scan.capacity, scan.count, device_with_range(scan.max_storage_range)) {
    const std::uint32_t words = scan.element.words();
    const bool by_offsets = scan.segments == Segments::Kind::offsets || scan.segments == Segments::Kind::ranges;
    const std::uint32_t most_segments = scan.variable_length ? std::max(scan.capacity, scan.segment_length)
                                        : scan.segments == Segments::Kind::length
                                            ? (scan.capacity + scan.segment_length - 1) / scan.segment_length
                                            : 3 * scan.capacity + 2; // maximum that make_heads can draw
    const std::uint32_t in_size = words_needed(scan, scan.in);
    const std::uint32_t out_size = scan.segment_ends ? words * most_segments + 1 : words_needed(scan, scan.out);
    const std::uint32_t heads_size = std::max(1 + scan.capacity * scan.key_words, by_offsets ? most_segments + 1 : 0);

    Graph& graph = trial_.graph;
    heads_ = trial_.input("heads", Words(heads_size));
    ends_ = trial_.input("ends", Words(scan.segments == Segments::Kind::ranges ? heads_size : 1));
    in_ = scan.in_place ? trial_.in_place("in and out", Words(in_size)) : trial_.input("in", Words(in_size));
    out_ = scan.in_place ? in_ : trial_.output("out", out_size);
    if (scan.count == Count::Kind::gpu) {
        segment_count_ = trial_.input("segments", Words{0});
        segments_ = graph.count_in(segment_count_, 0, most_segments);
    } else {
        segments_ = graph.parameter("segments", most_segments);
    }
    const std::variant<Operator, Monoid> op = scan.op;
    detail::ScanRequest request{
        .element = scan.element,
        .kind = scan.kind,
        .op = &op,
        .count = trial_.count,
        .input = in_,
        .output = out_,
        .input_words = in_size,
        .output_words = scan.in_place ? in_size : out_size,
        .input_layout = scan.in,
        .output_layout = scan.in_place ? scan.in : scan.out,
        .segments = {.kind = scan.segments,
                     .buffer = heads_,
                     .capacity = scan.segments == Segments::Kind::keys ? heads_size / scan.key_words : heads_size,
                     .count = segments_,
                     .length = scan.segment_length,
                     .key_words = scan.key_words,
                     .end_given = scan.end_given,
                     .ends = ends_,
                     .variable_length = scan.variable_length ? segments_ : Count()},
        .segment_ends = scan.segment_ends,
        .tuning = scan.tuning};
    if (scan.initial) {
        std::copy(initial_.begin(), initial_.end(), request.initial.emplace().begin());
    }
    if (scan.other) {
        request.other_output = other_ = trial_.output("the other output", out_size);
        request.other_output_words = out_size;
    }
    if (scan.total) {
        request.total = total_ = trial_.output("total", words);
        request.total_words = words;
    }
    Instrument instrument = scan.instrument;
    instrument.scan_variant = studies::scan_variant(scan.variant);
    const auto scope = weir::testing::instrument(graph, instrument);
    detail::add_scan(graph, request);
}

void ScanProgram::check(std::uint32_t n, std::uint64_t seed, std::uint32_t runs) {
    ScanCase scan = scan_;
    scan.n = n;
    scan.seed = seed;
    SCOPED_TRACE(to_string(scan));
    const std::uint32_t words = scan.element.words();
    const Words elements = exact_elements(scan.element, scan.op, n, seed);
    Heads heads = make_heads(scan);
    const std::uint32_t segments = count_of(heads.offsets) - (scan.end_given ? 1 : 0);
    heads.buffer.resize(heads_.capacity, poison);
    trial_.refill(heads_, heads.buffer);
    trial_.refill(ends_, heads.ends);
    const std::uint32_t number = scan.variable_length ? scan.segment_length : segments;
    if (scan.count == Count::Kind::gpu) {
        trial_.refill(segment_count_, Words{number});
    } else if (scan.variable_length || scan.segments == Segments::Kind::offsets ||
               scan.segments == Segments::Kind::ranges) {
        trial_.set(segments_, number);
    }

    const Expected expected = with_type(
        scan.element.scalar, [&](auto zero) { return reference<decltype(zero)>(scan, elements, heads.at, initial_); });
    const bool exclusive = scan.kind == ScanKind::exclusive;
    const Words input = laid_out(elements, std::vector<bool>(n, true), words, scan.in, poisoned(in_.capacity));
    const WordLayout out_layout = scan.in_place ? scan.in : scan.out;
    const auto output = [&](const Words& results, const Words& fill) {
        return laid_out(results, heads.inside, words, out_layout, fill);
    };
    trial_.refill(in_, input);
    for (std::uint32_t run = 0; run < runs && !testing::Test::HasFailure(); ++run) {
        trial_.run(n);
        if (scan.segment_ends) {
            trial_.expect(out_, segment_ends(scan, expected.inclusive, heads, expected.start));
        } else {
            trial_.expect(out_, output(exclusive ? expected.exclusive : expected.inclusive,
                                       scan.in_place ? input : poisoned(out_.capacity)));
        }
        if (!scan.in_place) {
            trial_.expect_unchanged(in_, input);
        }
        if (scan.other) {
            trial_.expect(other_,
                          output(exclusive ? expected.inclusive : expected.exclusive, poisoned(other_.capacity)));
        }
        if (scan.total) {
            trial_.expect(total_, expected.total);
        }
    }
}

void BitsOfSums::check(const Instrument& faults, std::uint32_t runs) {
    SCOPED_TRACE("faults 1 in " + std::to_string(faults.one_in));
    const std::uint32_t n = count_of(input_);
    Trial trial(n, Count::Kind::constant);
    ScanOptions<float> options = options_;
    options.output = trial.output<float>("sums", n);
    const auto scope = weir::testing::instrument(trial.graph, with_seed(faults, trial.seed));
    scan(trial.graph, trial.input("in", input_), options);
    for (std::uint32_t seed = 1; seed <= runs && !testing::Test::HasFailure(); ++seed) {
        trial.run(n, seed);
        first_ = first_.empty() ? trial.words_in(options.output, n) : first_;
        trial.expect(options.output, first_);
    }
}

void check(const ScanCase& scan, std::uint32_t runs) {
    ScanProgram(scan).check(scan.capacity, scan.seed, runs);
}

} // namespace weir::tests
