// Scans along the columns of matrices, compared with a loop over their rows.

#include <limits>

#include "tests/primitives/scan_cases.hpp"
#include "tests/support/turns.hpp"

namespace weir::tests::scan_columns_test {
namespace {

const OnOneDriver on_one_driver{"ScanColumns.RejectsInvalidArguments"};
const Sweeps sweeps{"ScanColumns.Typed*", "ScanColumns.LargeMatrix"};

/// Returns `output` with each column scanned by `combine`, starting with `before`.
template <class T, class Combine>
std::vector<T> expected(const std::vector<T>& input, MatrixSize size, const ColumnScanOptions<T>& options, T before,
                        const Combine& combine, std::vector<T> output) {
    const auto pitch = [&](MatrixLayout layout) { return layout.pitch != 0 ? layout.pitch : size.columns; };
    for (std::uint32_t column = 0; column < size.columns; ++column) {
        T sum = before;
        for (std::uint32_t row = 0; row < size.rows; ++row) {
            const T& item = input[options.input_layout.offset + row * pitch(options.input_layout) + column];
            T& place = output[options.output_layout.offset + row * pitch(options.output_layout) + column];
            const T exclusive = sum;
            sum = combine(sum, item);
            place = options.kind == ScanKind::exclusive ? exclusive : sum;
        }
    }
    return output;
}

std::uint32_t end_of(MatrixSize size, MatrixLayout layout) {
    return static_cast<std::uint32_t>(detail::matrix_end(size, layout)) + 3; // 3 guard elements
}

/// Scans `input` into another buffer and in place, and checks both results.
template <class T, class Combine>
void check(MatrixSize size, ColumnScanOptions<T> options, const std::vector<T>& input, T before,
           const Combine& combine) {
    SCOPED_TRACE(std::to_string(size.rows) + " x " + std::to_string(size.columns) +
                 (options.kind == ScanKind::exclusive ? " exclusive" : ""));
    const std::uint32_t room = end_of(size, options.output_layout);
    Trial trial(count_of(input), Count::Kind::constant);
    options.output = trial.output<T>("out of place", room);
    scan_columns(trial.graph, trial.input("in", input), size, options);
    ColumnScanOptions<T> in_place = options;
    const auto same = in_place.output = trial.in_place("in place", input);
    in_place.output_layout = options.input_layout;
    scan_columns(trial.graph, same, size, in_place);
    trial.run(count_of(input));
    trial.expect(options.output, expected(input, size, options, before, combine, poisoned<T>(room)));
    trial.expect(same, expected(input, size, in_place, before, combine, input));
}

std::uint32_t add(std::uint32_t a, std::uint32_t b) {
    return a + b;
}

TEST(ScanColumns, SizesAroundTiles) {
    // Workgroups of 64 for 16 columns: tiles of 4 x 2 rows.
    const ColumnScanTuning tuning{.workgroup = std::min(64U, max_workgroup()), .width = 16, .rows = 2, .parts = 3};
    std::uint32_t number = 0;
    for (const std::uint32_t rows : {1U, 2U, 7U, 8U, 9U, 24U, 25U, 100U}) {
        for (const std::uint32_t columns : {1U, 3U, 15U, 16U, 17U, 50U}) {
            const MatrixSize size{rows, columns};
            const auto kind = ++number % 2 == 0 ? ScanKind::inclusive : ScanKind::exclusive;
            check<std::uint32_t>(size, {.kind = kind, .tuning = tuning}, random_words(rows * columns, number), 0, add);
        }
    }
}

TEST(ScanColumns, TallAndWide) {
    std::uint32_t seed = 0;
    for (const MatrixSize size : {MatrixSize{20000, 1}, {2, 30000}, {300, 200}}) {
        const auto input = random_words(std::size_t{size.rows} * size.columns, ++seed);
        check<std::uint32_t>(size, {.tuning = {.rows = 2}}, input, 0, add);
    }
    check<std::uint32_t>({100, 70}, {}, random_words(7000, 9), 0, add); // default shape
}

TEST(ScanColumns, LargeMatrix) {
    const MatrixSize size{1500, 1100};
    check<std::uint32_t>(size, {.tuning = {.parts = 5}}, random_words(std::size_t{size.rows} * size.columns, 3), 0,
                         add);
}

TEST(ScanColumns, LayoutsAndInitialValues) {
    const MatrixSize size{70, 33};
    const MatrixLayout in{.offset = 5, .pitch = 40}, out{.offset = 2, .pitch = 35};
    const auto input = random_words(end_of(size, in), 9);
    for (const ScanKind kind : {ScanKind::inclusive, ScanKind::exclusive}) {
        check<std::uint32_t>(size,
                             {.kind = kind,
                              .op = Operator::max,
                              .initial = 1U << 30,
                              .input_layout = in,
                              .output_layout = out,
                              .tuning = {.workgroup = std::min(64U, max_workgroup()), .rows = 2, .parts = 4}},
                             input, 1U << 30, [](auto a, auto b) { return std::max(a, b); });
    }
}

TEST(ScanColumns, NonCommutativeOperator) {
    const MatrixSize size{150, 9};
    const std::vector<Bicyclic> input = random_brackets(size.rows * size.columns, 1);
    for (const std::uint32_t parts : {1U, 6U}) {
        check<Bicyclic>(
            size,
            {.op = bicyclic,
             .tuning = {.workgroup = std::min(64U, max_workgroup()), .width = 8, .rows = 3, .parts = parts}},
            input, {0, 0}, combine_brackets);
    }
}

/// Checks sums and minima of small integers, which are exact in each type.
template <class T>
void check_type() {
    const MatrixSize size{90, 20};
    std::vector<T> input(std::size_t{size.rows} * size.columns);
    const auto words = random_words(input.size(), 5);
    for (std::size_t i = 0; i < input.size(); ++i) {
        input[i] = static_cast<T>(static_cast<std::int32_t>(words[i] % 64) - 32);
    }
    const ColumnScanTuning tuning{.workgroup = std::min(64U, max_workgroup()), .rows = 4, .parts = 3};
    check<T>(size, {.kind = ScanKind::exclusive, .tuning = tuning}, input, T{}, [](T a, T b) { return a + b; });
    constexpr bool is_float = std::numeric_limits<T>::has_infinity;
    constexpr T greatest = is_float ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
    check<T>(size, {.kind = ScanKind::exclusive, .op = Operator::min, .tuning = tuning}, input, greatest,
             [](T a, T b) { return std::min(a, b); });
}

TEST(ScanColumns, TypedNumbers) {
    check_type<std::int32_t>();
    check_type<float>();
    check_type<std::uint64_t>();
    check_type<std::int64_t>();
    if (test_context().capabilities().float64) {
        check_type<double>();
    }
}

TEST(ScanColumns, TypedVectors) {
    using Three = std::array<float, 3>;
    const MatrixSize size{40, 21};
    std::vector<Three> input(std::size_t{size.rows} * size.columns);
    const auto words = random_words(input.size() * 3, 6);
    for (std::size_t i = 0; i < input.size() * 3; ++i) {
        input[i / 3].at(i % 3) = static_cast<float>(words[i] % 16);
    }
    check<Three>(size, {.tuning = {.parts = 2}}, input, {}, [](const Three& a, const Three& b) {
        return Three{a[0] + b[0], a[1] + b[1], a[2] + b[2]};
    });
}

TEST(ScanColumns, EmptyMatrixWritesNothing) {
    const std::uint32_t lanes = test_context().capabilities().subgroup_size_max;
    const ColumnScanTuning small{.workgroup = lanes, .width = lanes, .rows = 1}; // one tile per row
    const struct {
        MatrixSize size;
        ColumnScanTuning tuning;
    } cases[] = {{{0, 5}, {}}, {{5, 0}, {}}, {{100000, 0}, {}}, {{5, 0}, small}, {{0, 5}, small}};
    for (const auto& one : cases) {
        SCOPED_TRACE(std::to_string(one.size.rows) + " x " + std::to_string(one.size.columns));
        Trial trial(4, Count::Kind::constant);
        const auto out = trial.output("out", 4);
        scan_columns(trial.graph, trial.input("in", Words(4)), one.size, {.output = out, .tuning = one.tuning});
        trial.run(4);
        trial.expect(out, Words{});
    }
}

TEST(ScanColumns, RejectsInvalidArguments) {
    const auto with = [](MatrixSize size, const ColumnScanOptions<std::uint32_t>& options) {
        return [size, options](Graph& g, Ref in) { scan_columns(g, in, size, options); };
    };
    EXPECT_EQ(error_of(with({10, 10}, {})), "no error");
    expect_refused("the input has a capacity of 100 elements; 110 are required", with({11, 10}, {}));
    expect_refused("101 are required", with({10, 10}, {.input_layout = {.offset = 1}}));
    expect_refused("the pitch of the input is 8 elements; its rows have 9",
                   with({10, 9}, {.input_layout = {.pitch = 8}}));
    expect_refused("but have different layouts", [](Graph& g, Ref in) {
        scan_columns(g, in, {9, 9}, {.output = in, .input_layout = {.pitch = 10}});
    });
    expect_refused("monoid 'bicyclic' has 2", with({10, 10}, {.op = bicyclic}));
    expect_refused("powers of two", with({10, 10}, {.tuning = {.workgroup = 48}}));
    expect_refused("powers of two", with({10, 10}, {.tuning = {.width = 3}}));
    expect_refused("ScanKind", with({10, 10}, {.kind = static_cast<ScanKind>(7)}));
}

} // namespace
} // namespace weir::tests::scan_columns_test
