#include "c/convert.hpp"

#include <utility>

namespace weir::c {

namespace {

constexpr unsigned scalar_of(weir_type type) {
    return static_cast<unsigned>(type) & 0xFFU;
}
constexpr unsigned components_of(weir_type type) {
    return (static_cast<unsigned>(type) >> 8U) + 1;
}

FusedBuffer fused_buffer(const weir_named_buffer& buffer) {
    return {text(buffer.declaration), binding_of(buffer.binding)};
}

FusedValue fused_value(const weir_named_value& value) {
    FusedValue out(text(value.name), count_of(value.value));
    if (value.value.kind == WEIR_COUNT_CONSTANT) {
        out.value = value.value.max;
    }
    switch (value.type) {
    case WEIR_U32: out.type = "uint"; break;
    case WEIR_I32: out.type = "int"; break;
    case WEIR_F32: out.type = "float"; break;
    default: refuse("value '" + out.name + "' cannot be of type " + type_name(value.type));
    }
    return out;
}

} // namespace

std::string type_name(weir_type type) {
    if (weir_type_size(type) == 0) {
        return std::to_string(static_cast<unsigned>(type)) + ", which does not exist";
    }
    constexpr const char* wide[] = {"u32", "i32", "f32", "u64", "i64", "f64", "words"};
    constexpr const char* narrow[] = {"u8", "i8", "u16", "i16", "f16", "bf16"};
    const unsigned scalar = scalar_of(type);
    std::string name = scalar < 0x10 ? wide[scalar] : narrow[scalar - 0x10];
    if (components_of(type) > 1 || scalar == 6) {
        name += " x " + std::to_string(components_of(type));
    }
    return name;
}

BufferId id_of(const weir_buffer_ref& buffer) {
    BufferId id;
    if (buffer.id != 0) {
        id.index = buffer.id - 1;
        id.graph = buffer.graph;
    }
    return id;
}

Count count_of(const weir_count& count) {
    Count out(count.max);
    switch (count.kind) {
    case WEIR_COUNT_CONSTANT: return out;
    case WEIR_COUNT_PARAMETER:
        out.kind = Count::Kind::parameter;
        out.parameter = count.id - 1;
        out.buffer.graph = count.graph;
        return out;
    case WEIR_COUNT_GPU:
        out.kind = Count::Kind::gpu;
        out.buffer.index = count.id - 1;
        out.buffer.graph = count.graph;
        out.word = count.word;
        out.is_direct = count.is_direct != VK_FALSE;
        return out;
    default: refuse("count kind " + std::to_string(static_cast<unsigned>(count.kind)) + " does not exist");
    }
}

weir_count to_c(const Count& count) {
    weir_count out{};
    out.max = count.max;
    if (count.kind == Count::Kind::parameter) {
        out.kind = WEIR_COUNT_PARAMETER;
        out.id = count.parameter + 1;
        out.graph = count.buffer.graph;
    } else if (count.kind == Count::Kind::gpu) {
        out.kind = WEIR_COUNT_GPU;
        out.id = count.buffer.index + 1;
        out.graph = count.buffer.graph;
        out.word = count.word;
        out.is_direct = count.is_direct ? VK_TRUE : VK_FALSE;
    }
    return out;
}

Access access_of(weir_access access) {
    static_assert(static_cast<int>(Access::any) == WEIR_ACCESS_PRESENT,
                  "weir_access and Access must have the same values");
    switch (access) {
    case WEIR_ACCESS_ANY: return Access::any;
    case WEIR_ACCESS_NONE: return Access::none;
    case WEIR_ACCESS_SHADER_READ: return Access::shader_read;
    case WEIR_ACCESS_SHADER_WRITE: return Access::shader_write;
    case WEIR_ACCESS_SHADER_READ_WRITE: return Access::shader_read_write;
    case WEIR_ACCESS_INDIRECT_READ: return Access::indirect_read;
    case WEIR_ACCESS_TRANSFER_READ: return Access::transfer_read;
    case WEIR_ACCESS_TRANSFER_WRITE: return Access::transfer_write;
    case WEIR_ACCESS_UNIFORM_READ: return Access::uniform_read;
    case WEIR_ACCESS_VERTEX_READ: return Access::vertex_read;
    case WEIR_ACCESS_INDEX_READ: return Access::index_read;
    case WEIR_ACCESS_VERTEX_SHADER_READ: return Access::vertex_shader_read;
    case WEIR_ACCESS_FRAGMENT_SHADER_READ: return Access::fragment_shader_read;
    case WEIR_ACCESS_HOST_READ: return Access::host_read;
    case WEIR_ACCESS_HOST_WRITE: return Access::host_write;
    case WEIR_ACCESS_SAMPLED_READ: return Access::sampled_read;
    case WEIR_ACCESS_FRAGMENT_SHADER_WRITE: return Access::fragment_shader_write;
    case WEIR_ACCESS_FRAGMENT_SHADER_READ_WRITE: return Access::fragment_shader_read_write;
    case WEIR_ACCESS_COLOR_WRITE: return Access::color_write;
    case WEIR_ACCESS_COLOR_READ_WRITE: return Access::color_read_write;
    case WEIR_ACCESS_DEPTH_READ: return Access::depth_read;
    case WEIR_ACCESS_DEPTH_WRITE: return Access::depth_write;
    case WEIR_ACCESS_DEPTH_READ_WRITE: return Access::depth_read_write;
    case WEIR_ACCESS_PRESENT: return Access::present;
    default: refuse("access " + std::to_string(static_cast<unsigned>(access)) + " does not exist");
    }
}

Binding binding_of(const weir_binding& binding) {
    return {id_of(binding.buffer), access_of(binding.access), binding.reads_back != VK_FALSE};
}

Segments segments_of(const weir_segments* given) {
    static_assert(static_cast<int>(Segments::Kind::offsets) == WEIR_SEGMENTS_OFFSETS);
    const weir_segments segments = options_or_zeros(given, offsetof(weir_segments, ends));
    if (static_cast<unsigned>(segments.kind) > WEIR_SEGMENTS_ROWS) {
        refuse("segment kind " + std::to_string(static_cast<unsigned>(segments.kind)) + " does not exist");
    }
    if (segments.variable_length.kind == WEIR_COUNT_CONSTANT && segments.variable_length.max != 0 &&
        segments.variable_length.max != segments.length) {
        refuse("weir_segments::variable_length is the constant " + std::to_string(segments.variable_length.max) +
               ", but `length` is " + std::to_string(segments.length));
    }
    if (segments.kind == WEIR_SEGMENTS_ROWS) {
        const bool is_variable = segments.variable_length.kind != WEIR_COUNT_CONSTANT;
        return Segments::of_rows(count_of(segments.rows),
                                 is_variable ? count_of(segments.variable_length) : Count(segments.length));
    }
    const bool end_given = segments.kind == WEIR_SEGMENTS_BETWEEN_OFFSETS;
    const bool ranges = segments.kind == WEIR_SEGMENTS_RANGES;
    const auto kind = end_given ? Segments::Kind::offsets
                      : ranges  ? Segments::Kind::ranges
                                : static_cast<Segments::Kind>(segments.kind);
    Segments out{.kind = kind, .length = segments.length, .end_given = end_given};
    if (segments.variable_length.kind != WEIR_COUNT_CONSTANT) {
        out.variable_length = count_of(segments.variable_length);
        out.length = out.variable_length.max;
    }
    if (kind == Segments::Kind::none || kind == Segments::Kind::length) {
        return out;
    }
    const std::uint32_t bytes = weir_type_size(segments.buffer.type);
    if (segments.buffer.id == 0) {
        refuse("the buffer of the segments is null");
    }
    if (bytes % 4 != 0 || (kind != Segments::Kind::keys && bytes != 4)) {
        refuse("the buffer of the segments cannot be of type " + type_name(segments.buffer.type));
    }
    out.buffer = id_of(segments.buffer);
    out.capacity = segments.buffer.capacity;
    out.key_words = bytes / 4;
    if (kind == Segments::Kind::offsets || ranges) {
        out.count = count_of(segments.buffer.count);
    }
    if (ranges) {
        if (segments.ends.id == 0 || weir_type_size(segments.ends.type) != 4) {
            refuse("the ends of the segments must be a buffer of words");
        }
        out.ends.id = id_of(segments.ends);
        out.ends.capacity = segments.ends.capacity;
    }
    return out;
}

Dispatch dispatch_of(const Graph& graph, const weir_dispatch& dispatch) {
    const auto at_least_one = [](std::uint32_t n) { return n == 0 ? 1 : n; };
    switch (dispatch.kind) {
    case WEIR_DISPATCH_GROUPS:
        if (dispatch.x == 0) {
            return {}; // not given
        }
        return Dispatch::groups(dispatch.x, at_least_one(dispatch.y), at_least_one(dispatch.z));
    case WEIR_DISPATCH_ELEMENTS:
        return Dispatch::elements(count_of(dispatch.count), at_least_one(dispatch.per_group), dispatch.at_least);
    case WEIR_DISPATCH_INDIRECT:
        return Dispatch::indirect(input<std::uint32_t>(graph, dispatch.arguments, "the arguments of the dispatch"),
                                  dispatch.word);
    default: refuse("dispatch kind " + std::to_string(static_cast<unsigned>(dispatch.kind)) + " does not exist");
    }
}

std::vector<std::string> texts_of(const char* const* texts, std::uint32_t count, const char* name) {
    std::vector<std::string> out;
    items(texts, count, name);
    for (std::uint32_t i = 0; i < count; ++i) {
        out.emplace_back(&needed(texts[i], name));
    }
    return out;
}

std::variant<Operator, Monoid> operator_of(weir_operator op, const weir_monoid* monoid) {
    static_assert(static_cast<int>(Operator::bit_xor) == WEIR_BIT_XOR);
    if (monoid == nullptr) {
        if (static_cast<unsigned>(op) > WEIR_BIT_XOR) {
            refuse("operator " + std::to_string(static_cast<unsigned>(op)) + " does not exist");
        }
        return static_cast<Operator>(op);
    }
    return monoid_of(monoid);
}

Monoid monoid_of(const weir_monoid* monoid) {
    const weir_monoid given = needed_struct(monoid, "the monoid");
    Monoid out;
    if (given.name != nullptr) {
        out.name = given.name;
    }
    out.fields = texts_of(given.fields, given.field_count, "a field of the monoid");
    out.functions = text(given.functions);
    out.identity = text(given.identity);
    out.combine = text(given.combine);
    out.commutes = given.commutes != VK_FALSE;
    out.exact = given.exact != VK_FALSE;
    return out;
}

std::vector<FusedBuffer> buffers_of(const weir_named_buffer* buffers, std::uint32_t count) {
    items(buffers, count, "the list of named buffers");
    std::vector<FusedBuffer> out;
    for (std::uint32_t i = 0; i < count; ++i) {
        out.push_back(fused_buffer(buffers[i]));
    }
    return out;
}

std::vector<FusedValue> values_of(const weir_named_value* values, std::uint32_t count) {
    items(values, count, "the list of named values");
    std::vector<FusedValue> out;
    for (std::uint32_t i = 0; i < count; ++i) {
        out.push_back(fused_value(values[i]));
    }
    return out;
}

Expression expression_of(const weir_expression* expression) {
    const weir_expression given = needed_struct(expression, "the expression");
    Expression out{.text = text(given.text)};
    out.functions = text(given.functions);
    out.buffers = buffers_of(given.buffers, given.buffer_count);
    out.values = values_of(given.values, given.value_count);
    if (given.name != nullptr) {
        out.name = given.name;
    }
    return out;
}

Predicate predicate_of(const weir_predicate* predicate, weir_type type) {
    const weir_predicate given = needed_struct(predicate, "the predicate");
    if (given.expression != nullptr) {
        Expression expression = expression_of(given.expression);
        return {.expression = std::move(expression.text),
                .functions = std::move(expression.functions),
                .buffers = std::move(expression.buffers),
                .values = std::move(expression.values),
                .name = std::move(expression.name)};
    }
    static_assert(static_cast<int>(Comparison::greater_equal) + 1 == WEIR_GREATER_EQUAL);
    const auto comparison = static_cast<unsigned>(given.comparison);
    if (comparison == WEIR_COMPARISON_NONE || comparison > WEIR_GREATER_EQUAL) {
        refuse("the predicate has no expression, and its comparison " + std::to_string(comparison) + " does not exist");
    }
    needed(given.number, "the number of the predicate");
    return with_type(Numbers(), "an element that is compared with a number", type, [&]<class T>(std::type_identity<T>) {
        return Predicate::compare(static_cast<Comparison>(comparison - 1), *value_of<T>(given.number));
    });
}

void check(const Graph& graph, const weir_buffer_ref& buffer, const std::string& what) {
    if (buffer.id == 0) {
        return;
    }
    const GraphDescription& all = graph.description();
    if (buffer.graph != all.identity.get() || buffer.id > all.resources.size()) {
        refuse(what + " is a buffer of another graph", ErrorCode::invalid_graph);
    }
    const GraphDescription::Resource& resource = all.resources[buffer.id - 1];
    if (std::uint64_t{buffer.capacity} * weir_type_size(buffer.type) > resource.bytes) {
        refuse(what + " has " + std::to_string(buffer.capacity) + " elements of type " + type_name(buffer.type) +
               "; buffer '" + resource.name + "' has a capacity of " + std::to_string(resource.bytes) + " bytes");
    }
    if (buffer.count.max > buffer.capacity) {
        refuse(what + " has a capacity of " + std::to_string(buffer.capacity) + " elements; its count can be up to " +
               std::to_string(buffer.count.max));
    }
}

weir_buffer_ref given_or_transient(Graph& graph, const weir_buffer_ref& given, const char* name, weir_type type,
                                   std::uint32_t capacity) {
    if (given.id != 0) {
        check(graph, given, name);
        if (given.type != type) {
            refuse(std::string(name) + " must be of type " + type_name(type) + ", not " + type_name(given.type));
        }
        return given;
    }
    return with_words(Structs(), name, type, [&]<class T>(std::type_identity<T>) {
        return to_c(graph.transient_buffer<T>(name, capacity == 0 ? 1 : capacity), type);
    });
}

} // namespace weir::c

std::uint32_t weir_type_size(weir_type type) {
    using namespace weir::c;
    const unsigned scalar = scalar_of(type), components = components_of(type);
    switch (scalar) {
    case WEIR_U32:
    case WEIR_I32:
    case WEIR_F32: return components <= 4 ? 4 * components : 0;
    case WEIR_U64:
    case WEIR_I64:
    case WEIR_F64: return components == 1 ? 8 : 0;
    case WEIR_WORDS_1: return components <= 16 ? 4 * components : 0;
    case WEIR_U8:
    case WEIR_I8: return components == 1 ? 1 : 0;
    case WEIR_U16:
    case WEIR_I16:
    case WEIR_F16:
    case WEIR_BF16: return components == 1 ? 2 : 0;
    default: return 0;
    }
}
