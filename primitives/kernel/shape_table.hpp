#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include <weir/engine/capabilities.hpp>

// Parser for the table of kernel shapes; shapes.csv describes the format. The library parses it at compile time, the
// program that writes the table at run time.

namespace weir {

/// A class of devices that share shapes, by vendor and device kind (such as integrated GPUs). Classes do not depend on
/// the model, so that new devices have a class.
struct DeviceClass {
    static constexpr std::uint32_t any = ~0U;

    std::string_view name;
    std::uint32_t vendor = any;
    std::uint32_t kind = any; ///< a DeviceKind, or any

    [[nodiscard]] bool holds(const Capabilities& device) const {
        return (vendor == any || vendor == device.vendor_id) &&
               (kind == any || kind == static_cast<std::uint32_t>(device.kind));
    }
};

/// Classes from narrow to wide. A device uses the shapes of the first class that contains it and has rows. The last
/// class contains all devices.
inline constexpr DeviceClass device_classes[] = {
    {"cpu", DeviceClass::any, static_cast<std::uint32_t>(DeviceKind::cpu)},
    {"amd-integrated", vendors::amd, static_cast<std::uint32_t>(DeviceKind::integrated)},
    {"amd", vendors::amd},
    {"intel-integrated", vendors::intel, static_cast<std::uint32_t>(DeviceKind::integrated)},
    {"intel", vendors::intel},
    {"nvidia-integrated", vendors::nvidia, static_cast<std::uint32_t>(DeviceKind::integrated)},
    {"nvidia", vendors::nvidia},
    {"apple", vendors::apple},
    {"arm", vendors::arm},
    {"imagination", vendors::imagination},
    {"qualcomm", vendors::qualcomm},
    {"default"},
};

enum class ShapeKernel : std::uint8_t {
    scan_light,
    scan_shuffled,
    scan_rounding,
    scan_segmented,
    reduce_by_key,
    select,
    partition,
    runs,
    reduce,
    sort_keys,
    sort_wide_keys,
    sort_pairs,
};
inline constexpr std::array<std::string_view, 12> shape_kernel_names{
    "scan_light", "scan_shuffled", "scan_rounding", "scan_segmented", "reduce_by_key",  "select",
    "partition",  "runs",          "reduce",        "sort_keys",      "sort_wide_keys", "sort_pairs"};

constexpr std::string_view name_of(ShapeKernel kernel) {
    return shape_kernel_names.at(static_cast<std::size_t>(kernel));
}
constexpr bool is_sort(ShapeKernel kernel) {
    return kernel == ShapeKernel::sort_keys || kernel == ShapeKernel::sort_wide_keys ||
           kernel == ShapeKernel::sort_pairs;
}
constexpr bool is_compaction(ShapeKernel kernel) {
    return kernel == ShapeKernel::select || kernel == ShapeKernel::partition || kernel == ShapeKernel::runs;
}

/// A row of the table.
struct KernelShape {
    static constexpr std::uint64_t any = std::numeric_limits<std::uint64_t>::max();

    std::string_view device; ///< name of a class
    ShapeKernel kernel = ShapeKernel::scan_light;
    std::uint64_t up_to = any; ///< maximum words of the input: a power of two, or any
    std::uint32_t workgroup = 0;
    std::uint32_t items = 0;
    std::uint32_t groups = 0;
    std::uint32_t rounds = 0;
    std::uint32_t max_spins = 0;
    std::uint32_t packed = 0;

    [[nodiscard]] constexpr bool same_rows(const KernelShape& other) const {
        return device == other.device && kernel == other.kernel;
    }
    /// Returns whether this is the shape of a sort by a single workgroup.
    [[nodiscard]] constexpr bool sorts_alone() const { return is_sort(kernel) && groups == 1; }
};

/// Columns after device, kernel and up_to. To add one, add a member above, a line here, and a column to shapes.csv.
struct ShapeColumn {
    std::string_view name;
    std::uint32_t KernelShape::*number;
    std::uint32_t most; ///< maximum value; `mistake_of` checks everything else
};
inline constexpr ShapeColumn shape_columns[] = {
    {"workgroup", &KernelShape::workgroup, 1024},     {"items", &KernelShape::items, 64},
    {"groups", &KernelShape::groups, 65535},          {"rounds", &KernelShape::rounds, 64},
    {"max_spins", &KernelShape::max_spins, 1U << 30}, {"packed", &KernelShape::packed, 1}};

/// Returns whether the device supports packed tile states, which are 64-bit words.
inline bool has_packed_states(const Capabilities& device) {
    return device.int64 && device.int64_atomics;
}

/// Returns the mistake in a row, without regard to other rows; empty if there is none.
constexpr std::string_view mistake_of(const KernelShape& row) {
    if (std::ranges::find(device_classes, row.device, &DeviceClass::name) == std::ranges::end(device_classes)) {
        return "the device class does not exist";
    }
    if (!std::has_single_bit(row.workgroup) || row.workgroup < 4) {
        return "workgroup must be a power of two from 4 to 1024";
    }
    if (row.items == 0) {
        return "items must be from 1 to 64";
    }
    const bool is_reduction = row.kernel == ShapeKernel::reduce;
    if ((row.max_spins == 0) != is_reduction) {
        return is_reduction ? "max_spins must be 0 for reductions" : "max_spins must be at least 1 for this kernel";
    }
    if (is_reduction ? row.groups == 0 : row.groups > (is_sort(row.kernel) ? 1U : 0U)) {
        return is_reduction          ? "groups must be from 1 to 65535 for reductions"
               : is_sort(row.kernel) ? "groups must be 0 or 1 for sorts"
                                     : "groups must be 0 for this kernel";
    }
    const bool compacts = is_compaction(row.kernel);
    if (row.packed != 0 && (is_reduction || compacts || is_sort(row.kernel))) {
        return "packed is supported for scans only";
    }
    if (compacts && row.items > 32) {
        return "items must not exceed 32 for compactions";
    }
    if (row.rounds != 0 && (!is_sort(row.kernel) || row.sorts_alone())) {
        return "rounds must be 0 except for sorts by several workgroups";
    }
    if (is_sort(row.kernel) && row.workgroup * row.items > 0xFFFF) {
        return "a tile of a sort must have less than 2^16 keys";
    }
    if (row.sorts_alone() && (row.items > 16 || row.up_to > row.workgroup * row.items)) {
        return row.items > 16 ? "items must not exceed 16 for sorts by one workgroup"
                              : "up_to exceeds workgroup * items of a sort by one workgroup";
    }
    return {};
}

struct ShapeTable {
    std::array<KernelShape, 512> rows;
    std::size_t size = 0;
    std::string_view mistake; ///< empty if there is none
    std::size_t line = 0;     ///< last parsed line, the one with the mistake if there is one

    [[nodiscard]] constexpr std::span<const KernelShape> all() const { return {rows.data(), size}; }
};

namespace shape_text {

/// Removes the text up to and including `end` from `text`. Returns it without `end`.
constexpr std::string_view take(std::string_view& text, char end) {
    const std::size_t at = text.find(end);
    const std::string_view taken = text.substr(0, at);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + 1);
    return taken;
}

constexpr bool read_number(std::string_view text, std::uint32_t most, std::uint32_t& number) {
    std::uint64_t value = 0;
    for (const char c : text) {
        if (c < '0' || c > '9' || value > most) {
            return false;
        }
        value = value * 10 + static_cast<std::uint64_t>(c - '0');
    }
    number = static_cast<std::uint32_t>(value);
    return !text.empty() && value <= most;
}

constexpr bool is_header(std::string_view line) {
    bool good = take(line, ',') == "device" && take(line, ',') == "kernel" && take(line, ',') == "up_to";
    for (const ShapeColumn& column : shape_columns) {
        good = good && take(line, ',') == column.name;
    }
    return good && line.empty();
}

/// Parses a line into `row`. Returns its mistake; empty if there is none.
constexpr std::string_view read_row(std::string_view line, KernelShape& row) {
    row.device = take(line, ',');
    const auto kernel = std::ranges::find(shape_kernel_names, take(line, ','));
    if (kernel == shape_kernel_names.end()) {
        return "the kernel does not exist";
    }
    row.kernel = static_cast<ShapeKernel>(kernel - shape_kernel_names.begin());
    const std::string_view up_to = take(line, ',');
    if (up_to != "any") {
        std::uint32_t power = 0;
        if (!up_to.starts_with("2^") || !read_number(up_to.substr(2), 32, power)) {
            return "up_to must be a power of two from 2^0 to 2^32, or 'any'";
        }
        row.up_to = std::uint64_t{1} << power;
    }
    for (const ShapeColumn& column : shape_columns) {
        if (!read_number(take(line, ','), column.most, row.*column.number)) {
            return "a column is missing, not a number or too large";
        }
    }
    return line.empty() ? mistake_of(row) : "the row has more columns than the header";
}

/// Returns the mistake in the position of a row after the rows `before`; empty if there is none.
constexpr std::string_view mistake_after(std::span<const KernelShape> before, const KernelShape& row) {
    if (!before.empty() && before.back().same_rows(row)) {
        return before.back().up_to < row.up_to ? "" : "sizes must ascend, with 'any' last";
    }
    if (!before.empty() && before.back().up_to != KernelShape::any) {
        return "the previous rows must end with 'any'";
    }
    return std::ranges::none_of(before, [&](const KernelShape& other) { return other.same_rows(row); })
               ? ""
               : "rows of one device and kernel must be consecutive";
}

/// Returns the mistake in the complete table; empty if there is none.
constexpr std::string_view mistake_of_all(std::span<const KernelShape> rows) {
    for (std::size_t kernel = 0; kernel < shape_kernel_names.size(); ++kernel) {
        if (std::ranges::none_of(rows, [&](const KernelShape& row) {
                return row.device == "default" && static_cast<std::size_t>(row.kernel) == kernel;
            })) {
            return "a kernel has no rows for default devices";
        }
    }
    if (rows.back().up_to != KernelShape::any) {
        return "the last row must be for 'any' size";
    }
    return {};
}

} // namespace shape_text

/// Parses a table. The names in the result refer to `text`. Stops at the first mistake.
constexpr ShapeTable read_shapes(std::string_view text) {
    ShapeTable table;
    bool has_header = false;
    while (!text.empty() && table.mistake.empty()) {
        ++table.line;
        const std::string_view line = shape_text::take(text, '\n');
        if (line.empty() || line.starts_with('#')) {
            continue;
        }
        if (!has_header) {
            has_header = shape_text::is_header(line);
            table.mistake = has_header ? "" : "the first line must name the columns";
        } else if (table.size == table.rows.size()) {
            table.mistake = "too many rows";
        } else {
            KernelShape& row = table.rows.at(table.size);
            table.mistake = shape_text::read_row(line, row);
            if (table.mistake.empty()) {
                table.mistake = shape_text::mistake_after(table.all(), row);
            }
            ++table.size;
        }
    }
    if (table.mistake.empty()) {
        table.mistake = shape_text::mistake_of_all(table.all());
    }
    return table;
}

/// Returns the rows of a class for a kernel; empty if the class has none.
inline std::span<const KernelShape> rows_of_class(std::span<const KernelShape> table, std::string_view device_class,
                                                  ShapeKernel kernel) {
    const auto is_row = [&](const KernelShape& row) { return row.device == device_class && row.kernel == kernel; };
    const auto first = std::ranges::find_if(table, is_row);
    return {first, std::find_if_not(first, table.end(), is_row)};
}

/// Returns the rows for a kernel on a device: those of the first class that contains the device and has rows.
inline std::span<const KernelShape> rows_of(std::span<const KernelShape> table, const Capabilities& device,
                                            ShapeKernel kernel) {
    for (const DeviceClass& is_in : device_classes) {
        const auto rows = rows_of_class(table, is_in.name, kernel);
        if (is_in.holds(device) && !rows.empty()) {
            return rows;
        }
    }
    return {};
}

/// Returns the row for an input of `words` words.
inline const KernelShape& row_for(std::span<const KernelShape> rows, std::uint64_t words) {
    return *std::ranges::find_if(rows, [&](const KernelShape& row) { return words <= row.up_to; });
}

} // namespace weir
