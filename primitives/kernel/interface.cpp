#include "primitives/kernel/interface.hpp"

namespace weir {

void set_bindings(Pass& pass, std::initializer_list<NumberedBinding> bindings) {
    std::size_t count = pass.bindings.size();
    for (const NumberedBinding& binding : bindings) {
        count = std::max<std::size_t>(count, binding.number + 1);
    }
    pass.bindings.resize(count);
    for (const auto& [number, binding] : bindings) {
        pass.bindings[number] = binding;
    }
}

} // namespace weir
