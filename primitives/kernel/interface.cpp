#include "primitives/kernel/interface.hpp"

#include <algorithm>

namespace weir {

void set_bindings(Pass& pass, std::initializer_list<NumberedBinding> bindings) {
    for (const auto& [number, binding] : bindings) {
        pass.bindings.resize(std::max<std::size_t>(pass.bindings.size(), number + 1));
        pass.bindings[number] = binding;
    }
}

} // namespace weir
