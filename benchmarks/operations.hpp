#pragma once

#include <vector>

#include "harness/operation.hpp"
#include "harness/shape.hpp"

// Operations that weir_bench measures. NAME_operations() is in NAME_bench.cpp, here or in studies/survey.
namespace weir::bench {

Operation copy_operation();
std::vector<Operation> scan_operations(const std::vector<Shape>& shapes);
std::vector<Operation> scan_columns_operations();
std::vector<Operation> compaction_operations(const std::vector<Shape>& shapes);
std::vector<Operation> elementwise_operations();
std::vector<Operation> histogram_operations();
std::vector<Operation> reduce_operations(const std::vector<Shape>& shapes);
std::vector<Operation> reduce_by_key_operations(const std::vector<Shape>& shapes); // `shapes`: those of scans
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

/// Scans n ones with two variants of survey_operation() and returns a table with a row per tile: the exclusive prefix
/// in the spine of `last workgroup`, and the tile state after `persistent loop`, which is the tile's inclusive prefix
/// if the look-back is correct.
Result<std::string> survey_spines(const Context& context, std::uint32_t n);
std::vector<Operation> workgroup_scan_operations();

} // namespace weir::bench
