#include "primitives/kernel/interface.hpp"

namespace weir {

void set_bindings(Pass& pass, std::initializer_list<NumberedBinding> bindings) {
    const std::uint32_t last = std::ranges::max(bindings, {}, &NumberedBinding::number).number;
    pass.bindings.resize(std::max<std::size_t>(pass.bindings.size(), last + 1));
    for (const auto& [number, binding] : bindings) {
        pass.bindings[number] = binding;
    }
}

} // namespace weir
