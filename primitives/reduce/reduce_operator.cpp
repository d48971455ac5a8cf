#include <variant>

#include "engine/base/strings.hpp"
#include "primitives/kernel/monoid.hpp"
#include "primitives/reduce/reduce_pass.hpp"

namespace weir {

std::optional<ReduceOperator> reduce_operator(Graph& graph, const char* name, ElementType element,
                                              const std::variant<Operator, Monoid>& op,
                                              const std::optional<std::array<std::uint32_t, 16>>& initial) {
    if (const Monoid* monoid = std::get_if<Monoid>(&op)) {
        const auto words = monoid_words(*monoid, graph.capabilities());
        if (!words) {
            graph.fail(words.error());
            return std::nullopt;
        }
        if (*words != element.words()) {
            graph.fail({ErrorCode::invalid_argument,
                        concat(name, ": elements have ", element.words(), " words, the struct of monoid '",
                               monoid->name, "' has ", *words)});
            return std::nullopt;
        }
        return ReduceOperator{.monoid = monoid, .initial = initial};
    }
    const auto built_in = built_in_operator(graph.capabilities(), element, std::get<Operator>(op));
    if (!built_in) {
        graph.fail({built_in.error().code, concat(name, ": ", built_in.error().message)});
        return std::nullopt;
    }
    return ReduceOperator{.kernels = built_in->kernels,
                          .op = built_in->op,
                          .initial = initial ? initial : built_in->of_nothing,
                          .initial_of_nothing = !initial};
}

} // namespace weir
