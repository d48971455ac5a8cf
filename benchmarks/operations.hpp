#pragma once

#include <vector>

#include "harness/operation.hpp"
#include "harness/shape.hpp"

// Each function has a source file named after its primitive.
namespace weir::bench {

Operation copy_operation();
std::vector<Operation> scan_operations(const std::vector<Shape>& shapes);
std::vector<Operation> scan_columns_operations();
std::vector<Operation> compaction_operations(const std::vector<Shape>& shapes);
std::vector<Operation> elementwise_operations();
std::vector<Operation> histogram_operations();
std::vector<Operation> reduce_operations(const std::vector<Shape>& shapes);
std::vector<Operation> reduce_by_key_operations(const std::vector<Shape>& shapes); // shapes of scans
std::vector<Operation> radix_sort_operations(const std::vector<Shape>& shapes);
std::vector<Operation> segmented_sort_operations();
std::vector<Operation> segmented_top_k_operations();
std::vector<Operation> top_k_operations();
std::vector<Operation> merge_operations();
std::vector<Operation> merge_sort_operations(const std::vector<Shape>& shapes);
std::vector<Operation> search_operations();
std::vector<Operation> set_operations();
std::vector<Operation> subgroup_scan_operations();
Operation survey_operation();

/// Returns a table of the tiles of scans of n ones in survey_operation(). For each tile: the exclusive prefix in the
/// spine of `last workgroup`, and the tile state that `persistent loop` leaves, which is the tile's inclusive prefix if
/// the look-back is correct.
Result<std::string> survey_spines(const Context& context, std::uint32_t n);
std::vector<Operation> workgroup_scan_operations();

} // namespace weir::bench
