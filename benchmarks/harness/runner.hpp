#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include <weir/weir.hpp>

#include "harness/data.hpp"
#include "harness/operation.hpp"
#include "harness/report.hpp"
#include "harness/timer.hpp"

namespace weir::bench {

struct RunnerOptions {
    std::vector<std::uint32_t> sizes;
    bool asked_for_sizes = false;                          ///< otherwise skips sizes of operations with few_sizes
    std::function<bool(const std::string& name)> selected; ///< takes "op/type/impl"
    bool verify = false;
};

/// Measures operations and collects rows. Skips operations that do not fit the device, with a line on stderr.
class Runner {
public:
    /// Every row is compared with `copy`. `peer_rows` are listed next to Weir's rows.
    Runner(const Context& context, Timer& timer, RunnerOptions options, Table& table, Operation copy,
           std::vector<Row> peer_rows);

    void run(const Operation& operation);

    [[nodiscard]] const std::vector<Row>& rows() const { return rows_; }
    [[nodiscard]] bool failed() const { return failed_; } ///< an operation failed or a result was wrong

private:
    Result<Times> measure(const Operation& operation, const Variant& variant, std::uint32_t n, Arrays& expected);
    double copy_ms(std::uint32_t n);
    void report(const Row& row);
    void complain(const std::string& name, std::uint32_t n, const Error& error);

    Timer& timer_;
    RunnerOptions options_;
    Table& table_;
    Operation copy_;
    std::vector<Row> peer_rows_;
    Data data_;
    std::map<std::uint32_t, Times> copy_times_;
    std::vector<Row> rows_;
    bool failed_ = false;
    bool lost_ = false; ///< the device is lost: nothing more can be measured
};

} // namespace weir::bench
