#include "common/copy.hpp"
#include "operations.hpp"

namespace weir::bench {

namespace {

Result<Program> prepare(Data& data, std::uint32_t n) {
    const auto from = data.input(Input::words, n), to = data.output(0, n);
    if (!from || !to) {
        return tl::unexpected(from ? to.error() : from.error());
    }
    return samples::copy_program(data.context(), *from, *to, n);
}

} // namespace

Operation copy_operation() {
    return {.op = "copy",
            .type = "u32",
            .bytes_per_item = 8,
            .memory_per_item = 8,
            .expected = [](std::uint32_t n) { return Arrays{Data::words(Input::words, n)}; },
            .variants = {{"weir", prepare}}};
}

} // namespace weir::bench
