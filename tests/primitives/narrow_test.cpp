#include <limits>

#include "tests/primitives/numbers.hpp"
#include "tests/primitives/trial.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::narrow_test {
namespace {

const OnOneDriver on_one_driver{"Narrow.RemainingTypes*", "Narrow.Scans*"};

/// Returns `n` numbers of random bits.
template <class N>
std::vector<N> numbers(std::uint32_t n, std::uint64_t seed) {
    const Words words = random_words(n, seed);
    return tabulated(n, [&](std::uint32_t i) {
        N number;
        std::memcpy(static_cast<void*>(&number), &words[i], sizeof(N));
        return number;
    });
}

/// Returns the value of a half, computed from the definition of the format.
float value_of(Half half) {
    const int sign = half.bits >> 15 != 0 ? -1 : 1, exponent = half.bits >> 10 & 31, mantissa = half.bits & 1023;
    if (exponent == 31) {
        return std::bit_cast<float>((half.bits & 0x8000U) << 16 | 0x7F800000U | (half.bits & 0x3FFU) << 13);
    }
    return static_cast<float>(sign) * (exponent == 0 ? std::ldexp(static_cast<float>(mantissa), -24)
                                                     : std::ldexp(static_cast<float>(1024 + mantissa), exponent - 25));
}

template <class N>
Wide<N> widened(N number) {
    if constexpr (std::is_same_v<N, Half>) {
        return value_of(number);
    } else if constexpr (std::is_same_v<N, BFloat16>) {
        return std::bit_cast<float>(std::uint32_t{number.bits} << 16);
    } else {
        return number;
    }
}

/// Widens the first n numbers, narrows them again and checks both results, for each n in `counts`.
template <class N>
void check_both_ways(const std::vector<N>& items, const Words& counts, Count::Kind kind = Count::Kind::parameter) {
    const auto most = count_of(items);
    Trial trial(most, kind);
    const auto wide = trial.output<Wide<N>>("wide", most);
    const auto back = trial.output<N>("back", most);
    widen(trial.graph, trial.input("items", items), {.output = wide});
    narrow<N>(trial.graph, wide.with_count(trial.count), {.output = back});
    for (const std::uint32_t n : counts) {
        std::vector<Wide<N>> expected(n);
        std::transform(items.begin(), items.begin() + n, expected.begin(), widened<N>);
        trial.run(n);
        trial.expect(wide, expected);
        trial.expect(back, std::vector<N>(items.begin(), items.begin() + n));
    }
}

/// Returns all values of a 16-bit float.
template <class N>
std::vector<N> all_floats() {
    return tabulated(65536, [](std::uint32_t i) { return N{static_cast<std::uint16_t>(i)}; });
}

TEST(Narrow, WidenThenNarrowRoundTrips) {
    check_both_ways(numbers<std::int8_t>(2500, 1), {0, 1, 2, 3, 4, 5, 1023, 1024, 1025, 2500}, Count::Kind::gpu);
    check_both_ways(numbers<std::uint16_t>(2500, 2), {0, 1, 2, 3, 1023, 1024, 1025, 2499});
    check_both_ways(all_floats<Half>(), {65536, 65535});
    check_both_ways(all_floats<BFloat16>(), {65536, 65535});
}

TEST(Narrow, RemainingTypesRoundTrip) {
    check_both_ways(numbers<std::uint8_t>(1500, 3), {1499, 1500});
    check_both_ways(numbers<std::int16_t>(1500, 4), {1499, 1500}, Count::Kind::gpu);
}

/// Returns the nearest half, found by a search of all halves. Of two nearest halves, returns the even one.
Half nearest(float number) {
    const bool negative = std::signbit(number);
    const double magnitude = std::abs(static_cast<double>(number));
    std::uint16_t best = 0;
    for (std::uint16_t bits = 0; bits <= 0x7C00; ++bits) { // infinity counts as 2^16
        const auto distance = [&](std::uint16_t of) {
            return std::abs(magnitude - (of == 0x7C00 ? 65536.0 : static_cast<double>(value_of({of}))));
        };
        const double here = distance(bits), there = distance(best);
        if (here < there || (here == there && bits % 2 == 0)) {
            best = bits;
        }
    }
    return {static_cast<std::uint16_t>(negative ? best | 0x8000 : best)};
}

TEST(Narrow, RoundsFloatsToTheNearestHalf) {
    std::vector<float> floats{0.0F,         -0.0F,     65504.0F,   65519.0F,   65520.0F, -65520.0F,    65536.0F,
                              0x1p-24F,     0x1p-25F,  0x1.8p-25F, 0x1.8p-24F, 0x1p-14F, 0x1.ffcp-15F, 0x1.ffep-15F,
                              0x1.fffp-15F, 0x1p-126F, 0x1p-149F,  2049.0F,    2051.0F,  1.0F / 3};
    for (const std::uint32_t word : random_words(60, 5)) { // exponents around the range of halves
        floats.push_back(std::bit_cast<float>((word & 0x807FFFFFU) | (100 + word % 46) << 23));
    }
    std::vector<Half> expected(floats.size());
    std::transform(floats.begin(), floats.end(), expected.begin(), nearest);
    const float infinity = std::numeric_limits<float>::infinity();
    for (const auto& [number, bits] :
         {std::pair(infinity, 0x7C00), std::pair(-infinity, 0xFC00),
          std::pair(std::bit_cast<float>(0x7F800001U), 0x7E00), std::pair(std::bit_cast<float>(0xFFC02000U), 0xFE01),
          std::pair(1e30F, 0x7C00)}) {
        floats.push_back(number);
        expected.push_back({static_cast<std::uint16_t>(bits)});
    }
    const auto n = count_of(floats);
    Trial trial(n);
    const auto halves = trial.output<Half>("halves", n);
    narrow<Half>(trial.graph, trial.input("floats", floats), {.output = halves});
    trial.run(n);
    trial.expect(halves, expected);
}

TEST(Narrow, RoundsFloatsToTheNearestBFloat16) {
    const std::vector<std::pair<std::uint32_t, std::uint16_t>> cases{
        {0x3F800000, 0x3F80}, {0x3F808000, 0x3F80}, // a tie, to the even one
        {0x3F818000, 0x3F82}, {0x3F808001, 0x3F81}, {0xBF807FFF, 0xBF80}, {0x80000000, 0x8000},
        {0x00008000, 0x0000}, {0x00018000, 0x0002}, {0x00007FFF, 0x0000}, {0x7F7FFFFF, 0x7F80}, // rounds to infinity
        {0x7F7F7FFF, 0x7F7F}, {0x7F800000, 0x7F80}, {0xFF800000, 0xFF80}, {0x7F800001, 0x7FC0}, // a NaN stays one
        {0xFFC10000, 0xFFC1}, {0x7FFFFFFF, 0x7FFF}};
    Words words;
    std::vector<BFloat16> expected;
    for (const auto& [from, to] : cases) {
        words.push_back(from);
        expected.push_back({to});
    }
    const auto n = count_of(words);
    Trial trial(n);
    const auto out = trial.output<BFloat16>("bfloats", n);
    narrow<BFloat16>(trial.graph, trial.input("floats", words).as<float>(), {.output = out});
    trial.run(n);
    trial.expect(out, expected);
}

TEST(Narrow, IntegersWrapModuloTheirRange) {
    const Words words = random_words(1001, 6);
    Trial trial(1001);
    const auto bytes = trial.output<std::uint8_t>("bytes", 1001);
    narrow<std::uint8_t>(trial.graph, trial.input("words", words), {.output = bytes});
    for (const std::uint32_t n : {1001U, 5U}) {
        trial.run(n);
        trial.expect(bytes, std::vector<std::uint8_t>(words.begin(), words.begin() + n));
    }
}

template <class N>
void check_scan(ScanKind kind, Operator op, const std::function<Wide<N>(Wide<N>, Wide<N>)>& combine, Wide<N> first) {
    const auto items = numbers<N>(3000, 7);
    Trial trial(3000, Count::Kind::gpu);
    const auto scanned = trial.output<Wide<N>>("scanned", 3000);
    scan(trial.graph, trial.input("items", items), {.kind = kind, .op = op, .output = scanned});
    for (const std::uint32_t n : {0U, 1U, 3000U}) {
        std::vector<Wide<N>> expected;
        Wide<N> before = first;
        for (std::uint32_t i = 0; i < n; ++i) {
            const Wide<N> after = combine(before, widened(items[i]));
            expected.push_back(kind == ScanKind::exclusive ? before : after);
            before = after;
        }
        trial.run(n);
        trial.expect(scanned, expected);
    }
}

TEST(Narrow, ScansProduceWideNumbers) {
    check_scan<std::uint8_t>(ScanKind::inclusive, Operator::add, std::plus<>(), 0);
    check_scan<std::int16_t>(ScanKind::exclusive, Operator::add, std::plus<>(), 0);
    check_scan<std::int8_t>(
        ScanKind::inclusive, Operator::min, [](auto a, auto b) { return std::min(a, b); },
        std::numeric_limits<std::int32_t>::max());
    const auto greater = [](float a, float b) { return comes_before(a, b) ? b : a; };
    check_scan<Half>(ScanKind::inclusive, Operator::max, greater, -std::bit_cast<float>(0x7FFFFFFFU));
    check_scan<BFloat16>(ScanKind::inclusive, Operator::max, greater, -std::bit_cast<float>(0x7FFFFFFFU));
}

TEST(Narrow, NarrowsSumsInTransient) {
    const auto items = numbers<std::uint16_t>(1000, 8);
    Trial trial(1000);
    const auto sums = trial.output<std::uint16_t>("sums", 1000);
    narrow<std::uint16_t>(trial.graph, scan(trial.graph, trial.input("items", items)), {.output = sums});
    std::vector<std::uint16_t> expected(1000);
    std::partial_sum(items.begin(), items.end(), expected.begin(),
                     [](auto a, auto b) { return static_cast<std::uint16_t>(a + b); });
    trial.run(1000);
    trial.expect(sums, expected);
}

/// Checks a scan of rows that loads and stores 16-bit floats of type N, and a reduction that loads them. Sums are small
/// integers, which both types represent exactly. `bits` returns the 16-bit float of an integer.
template <class N, class Bits>
void check_fused(const char* type, const char* load, const char* store, bool native, const Bits& bits) {
    SCOPED_TRACE(std::string(type) + (native ? ", native" : ", packed"));
    const std::uint32_t n = 3001, columns = 30;
    std::vector<N> items, sums;
    std::uint32_t sum = 0, total = 0;
    for (std::uint32_t i = 0; i < n; ++i) {
        const std::uint32_t number = i * 7919 % 8;
        total += number;
        sum = number + (i % columns == 0 ? 0 : sum);
        items.push_back(bits(number));
        sums.push_back(bits(sum));
    }
    Trial trial(n, Count::Kind::constant);
    const auto in = trial.input("items", items);
    const auto reduced = trial.output<float>("total", 1);
    const auto wide = trial.output<float>("wide sums", n);
    const auto narrow = trial.output<N>("sums", n);
    const FusedBuffer x{native ? std::string(type) + " x[]" : "uint x[]", read(in)};
    fused_reduce<float>(trial.graph,
                        {.count = n, .buffers = {x}, .load = std::string("return ") + load + ";", .output = reduced});
    FusedScan scan{.monoid = {.name = "sum",
                              .fields = {"float v"},
                              .identity = "T(0.0)",
                              .combine = "return T(left.v + right.v);"},
                   .count = n,
                   .buffers = {x, {"float y[]", write(wide)}},
                   .load = std::string("return T(") + load + ");",
                   .store = "y[i] = inclusive.v;",
                   .segments = Segments::of_length(columns)};
    if (native) {
        scan.buffers.push_back({std::string(type) + " z[]", write(narrow)});
        scan.store += std::string(" z[i] = ") + store + ";";
    }
    fused_scan(trial.graph, scan);
    trial.run(n);
    std::vector<float> expected(n);
    std::transform(sums.begin(), sums.end(), expected.begin(), widened<N>);
    trial.expect(reduced, std::vector<float>{static_cast<float>(total)});
    trial.expect(wide, expected);
    trial.expect(narrow, native ? sums : std::vector<N>{});
}

TEST(Narrow, FusedLoadsAndStoresOfFloats) {
    const auto half = [](std::uint32_t number) { return nearest(static_cast<float>(number)); };
    const auto bfloat = [](std::uint32_t number) {
        return BFloat16{static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(static_cast<float>(number)) >> 16)};
    };
    check_fused<Half>("float16_t", "unpackHalf2x16(x[i / 2])[i % 2]", "", false, half);
    check_fused<BFloat16>("uint16_t", "uintBitsToFloat(x[i / 2] >> i % 2 * 16 << 16)", "", false, bfloat);
    if (test_context().capabilities().narrow_storage) {
        check_fused<Half>("float16_t", "float(x[i])", "float16_t(inclusive.v)", true, half);
        check_fused<BFloat16>("uint16_t", "uintBitsToFloat(uint(x[i]) << 16)",
                              "uint16_t(floatBitsToUint(inclusive.v) >> 16)", true, bfloat);
    }
}

/// Returns those of the first n numbers for whose index `keeps` returns true.
template <class N, class Keep>
std::vector<N> kept(const std::vector<N>& items, std::uint32_t n, const Keep& keeps) {
    std::vector<N> some;
    for (std::uint32_t i = 0; i < n; ++i) {
        if (keeps(i)) {
            some.push_back(items[i]);
        }
    }
    return some;
}

TEST(Narrow, Selections) {
    const auto items = numbers<std::uint8_t>(3001, 9);
    Words flags(3001), bits(94);
    for (std::uint32_t i = 0; i < 3001; ++i) {
        flags[i] = i % 3;
        bits[i / 32] |= (i % 5 == 0 ? 1U : 0U) << i % 32;
    }
    Trial trial(3001, Count::Kind::gpu);
    const auto input = trial.input("items", items);
    const auto small = trial.output<std::uint8_t>("small", 3001);
    const auto some = trial.output<std::uint8_t>("some", 20);
    const auto indices = trial.output("indices", 3001), count = trial.output("count", 1);
    const auto flagged = trial.output<std::uint8_t>("flagged", 3001);
    const auto by_bits = trial.output<std::uint8_t>("by bits", 3001);
    const auto heads = trial.output<std::uint8_t>("heads", 3001);
    select_if(trial.graph, input, Predicate::compare(Comparison::less, 100U),
              {.output = small, .output_indices = indices, .output_count = count});
    select_if(trial.graph, input, "x < 100u", {.output = some});
    select_flagged(trial.graph, input, trial.input("flags", flags), {.output = flagged});
    select_by_bits(trial.graph, input, trial.input("bits", bits), {.output = by_bits});
    unique(trial.graph, input, {.output = heads});
    for (const std::uint32_t n : {0U, 1U, 2U, 500U, 3001U}) {
        const auto expected = kept(items, n, [&](std::uint32_t i) { return items[i] < 100; });
        trial.run(n);
        trial.expect(small, expected);
        trial.expect(count, {count_of(expected)});
        trial.expect(some, at_most(expected, 20));
        trial.expect(indices, kept(ascending(n), n, [&](std::uint32_t i) { return items[i] < 100; }));
        trial.expect(flagged, kept(items, n, [](std::uint32_t i) { return i % 3 != 0; }));
        trial.expect(by_bits, kept(items, n, [](std::uint32_t i) { return i % 5 == 0; }));
        trial.expect(heads, kept(items, n, [&](std::uint32_t i) { return i == 0 || items[i] != items[i - 1]; }));
    }
}

TEST(Narrow, Partitions) {
    auto items = numbers<std::int16_t>(2000, 10);
    Trial trial(2000);
    const auto low = trial.output<std::int16_t>("low", 2000), middle = trial.output<std::int16_t>("middle", 2000),
               high = trial.output<std::int16_t>("high", 2000);
    const auto counts = trial.output("counts", 3);
    partition(trial.graph, trial.input("items", items),
              {Predicate::compare(Comparison::less, -1000), Predicate::compare(Comparison::less, 1000)},
              {.outputs = {low, middle, high}, .output_counts = counts});
    const auto half_items = numbers<Half>(2000, 11);
    const auto negative = trial.output<Half>("negative", 2000);
    select_if(trial.graph, trial.input("halves", half_items), Predicate::compare(Comparison::less, 0.0F),
              {.output = negative});
    for (const std::uint32_t n : {0U, 7U, 2000U}) {
        const auto is_low = [&](std::uint32_t i) { return items[i] < -1000; };
        const auto is_high = [&](std::uint32_t i) { return items[i] >= 1000; };
        trial.run(n);
        const auto lows = kept(items, n, is_low), highs = kept(items, n, is_high);
        trial.expect(low, lows);
        trial.expect(high, highs);
        trial.expect(middle, kept(items, n, [&](std::uint32_t i) { return !is_low(i) && !is_high(i); }));
        trial.expect(counts,
                     {count_of(lows), static_cast<std::uint32_t>(n - lows.size() - highs.size()), count_of(highs)});
        trial.expect(negative, kept(half_items, n, [&](std::uint32_t i) { return value_of(half_items[i]) < 0; }));
    }
}

TEST(Narrow, RejectsInvalidArguments) {
    using Byte = std::uint8_t;
    expect_refused("widen: the input is null", [](Graph& g) { widen(g, BufferRef<Byte>{}); });
    expect_refused("widen: the output has a capacity of 99 elements; 100 are required",
                   [](Graph& g) { widen(g, imported<Byte>(g), {.output = imported(g, 99)}); });
    expect_refused("narrow: the output has a capacity of 100 elements; 101 are required",
                   [](Graph& g) { narrow<Byte>(g, imported(g, 101), {.output = imported<Byte>(g)}); });
    expect_refused("select: a layout is not supported for numbers of 8 or 16 bits",
                   [](Graph& g) { select_if(g, imported<Byte>(g), "x > 1u", {.input_layout = {.offset = 1}}); });
    expect_refused("unique: an output of items is set but .want_items is false", [](Graph& g) {
        unique(g, imported<Byte>(g), {.output = imported<Byte>(g, 9), .want_items = false});
    });
}

} // namespace
} // namespace weir::tests::narrow_test
