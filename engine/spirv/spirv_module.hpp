#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

// A SPIR-V module, parsed as far as reflection needs. Nothing in it is trusted: an id that is out of bounds or of the
// wrong kind is treated as no id.

namespace weir::spirv {

constexpr std::size_t header_words = 5; ///< words before the first instruction

/// Instructions that Weir reads or writes, by their numbers in the SPIR-V specification.
enum class Op : std::uint16_t {
    source = 3,
    name = 5,
    extension = 10,
    ext_inst_import = 11,
    ext_inst = 12,
    memory_model = 14,
    entry_point = 15,
    execution_mode = 16,
    type_bool = 20,
    type_int = 21,
    type_float = 22,
    type_vector = 23,
    type_matrix = 24,
    type_image = 25,
    type_sampler = 26,
    type_sampled_image = 27,
    type_array = 28,
    type_runtime_array = 29,
    type_struct = 30,
    type_pointer = 32,
    constant_true = 41,
    constant_false = 42,
    constant = 43,
    constant_composite = 44,
    constant_null = 46,
    spec_constant_true = 48,
    spec_constant_false = 49,
    spec_constant = 50,
    spec_constant_composite = 51,
    spec_constant_op = 52,
    function = 54,
    function_parameter = 55,
    function_end = 56,
    function_call = 57,
    variable = 59,
    image_texel_pointer = 60,
    load = 61,
    store = 62,
    copy_memory = 63,
    copy_memory_sized = 64,
    access_chain = 65,
    in_bounds_access_chain = 66,
    ptr_access_chain = 67,
    array_length = 68,
    in_bounds_ptr_access_chain = 70,
    decorate = 71,
    member_decorate = 72,
    vector_shuffle = 79,
    composite_extract = 81,
    copy_object = 83,
    sampled_image = 86,
    image_sample_first = 87, ///< up to image_read: samples, fetches and gathers
    image_read = 98,
    image_write = 99,
    image = 100,
    image_query_first = 101,
    image_query_last = 107,
    u_convert = 113,
    s_convert = 114,
    bitcast = 124,
    s_negate = 126,
    i_add = 128,
    i_sub = 130,
    i_mul = 132,
    u_div = 134,
    s_div = 135,
    u_mod = 137,
    s_rem = 138,
    logical_equal = 164,
    logical_not_equal = 165,
    logical_or = 166,
    logical_and = 167,
    logical_not = 168,
    select = 169,
    i_equal = 170,
    i_not_equal = 171,
    u_greater = 172,
    s_greater = 173,
    u_greater_equal = 174,
    s_greater_equal = 175,
    u_less = 176,
    s_less = 177,
    u_less_equal = 178,
    s_less_equal = 179,
    shift_right_logical = 194,
    shift_right_arithmetic = 195,
    shift_left_logical = 196,
    bitwise_or = 197,
    bitwise_xor = 198,
    bitwise_and = 199,
    bitwise_not = 200,
    atomic_load = 227,
    atomic_store = 228,
    atomic_exchange = 229, ///< up to atomic_xor: all read and write
    atomic_xor = 242,
    phi = 245,
    loop_merge = 246,
    label = 248,
    branch = 249,
    branch_conditional = 250,
    switch_on = 251,
    return_value = 254,
    image_sparse_first = 305, ///< up to image_sparse_gather_last: samples, fetches and gathers
    image_sparse_gather_last = 315,
    atomic_flag_test_and_set = 318,
    atomic_flag_clear = 319,
    image_sparse_read = 320,
    execution_mode_id = 331,
    decorate_id = 332,
    group_ballot_bit_count = 342,
    group_i_add = 349,
    group_f_mul = 352, ///< from group_i_add on: sums and products
    cooperative_matrix_load_khr = 4457,
    cooperative_matrix_store_khr = 4458,
    cooperative_matrix_load_nv = 5359,
    cooperative_matrix_store_nv = 5360,
    decorate_string = 5632,
    member_decorate_string = 5633,
    atomic_f_min = 5614,
    atomic_f_max = 5615,
    atomic_f_add = 6035,
};

inline bool is_atomic_on_third(Op operation) {
    return (operation >= Op::atomic_exchange && operation <= Op::atomic_xor) ||
           operation == Op::atomic_flag_test_and_set || operation == Op::atomic_f_min ||
           operation == Op::atomic_f_max || operation == Op::atomic_f_add;
}

enum class StorageClass : std::uint32_t {
    uniform_constant = 0,
    input = 1,
    uniform = 2,
    private_ = 6,
    function = 7,
    push_constant = 9,
    storage_buffer = 12,
};

enum class DecorationKind : std::uint32_t {
    spec_id = 1,
    buffer_block = 3,
    row_major = 4,
    array_stride = 6,
    matrix_stride = 7,
    built_in = 11,
    binding = 33,
    descriptor_set = 34,
    offset = 35,
    counter_buffer = 5634, ///< SPV_GOOGLE_hlsl_functionality1: a buffer's second variable, its counter
};

/// An instruction. Words beyond its end read as 0, which is no id.
struct Instruction {
    std::span<const std::uint32_t> words;
    [[nodiscard]] std::uint32_t opcode() const { return word(0) & 0xffffU; }
    [[nodiscard]] Op op() const { return static_cast<Op>(opcode()); }
    [[nodiscard]] std::uint32_t word(std::size_t i) const { return i < words.size() ? words[i] : 0; }
    [[nodiscard]] std::size_t size() const { return words.size(); }
};

/// Calls `visit(instruction)` for each instruction of a module. Precondition: check_spirv(words) succeeds.
template <class Visit>
void for_each_instruction(std::span<const std::uint32_t> words, const Visit& visit) {
    for (std::size_t at = header_words; at < words.size(); at += words[at] >> 16U) {
        visit(Instruction{words.subspan(at, words[at] >> 16U)});
    }
}

/// Appends an instruction.
inline void emit(std::vector<std::uint32_t>& out, std::uint32_t opcode, std::initializer_list<std::uint32_t> operands) {
    out.push_back(static_cast<std::uint32_t>(operands.size() + 1) << 16U | opcode);
    out.insert(out.end(), operands);
}

/// Returns the literal string that starts at the first of `words`; empty if it does not end within them.
std::string_view literal(std::span<const std::uint32_t> words);

/// A value, as far as it is known before the shader runs.
struct Value {
    enum class Kind : std::uint8_t {
        none,      ///< not defined so far
        constant,  ///< the integer or truth value `bits`
        cell,      ///< a pointer to variable number `bits` of a function or an invocation
        part,      ///< a pointer into that variable
        push,      ///< a pointer to byte `bits` of the push constants
        varying,   ///< any value
        resources, ///< a pointer into, or a handle of, any of the resources in bit mask `bits`
        built_in,  ///< a pointer to built-in vector number `bits`
        vector,    ///< the contents of built-in vector number `bits`
    };
    Kind kind = Kind::none;
    std::uint64_t bits = 0;

    [[nodiscard]] bool is(Kind of) const { return kind == of; }
    bool operator==(const Value&) const = default;
};

class Module {
public:
    static constexpr std::uint32_t none = ~0U;

    /// The definition of an id.
    struct Id {
        std::uint32_t at = 0;   ///< word of its definition; 0: not defined, or by an instruction that is not needed
        std::uint32_t name = 0; ///< word where its name starts; 0: no name
        std::uint32_t function = none; ///< index of the function that it belongs to
        std::uint32_t slot = 0;        ///< index among its kind: blocks, functions, variables, values of a function
        std::optional<std::uint64_t> constant;
    };
    struct Block {
        std::uint32_t label = 0;
        std::uint32_t begin = 0, last = 0, end = 0; ///< words of its first and last instruction, and its end
    };
    struct Function {
        std::uint32_t first_block = 0, end_block = 0;
        std::uint32_t slots = 0; ///< number of followed values
        std::vector<std::uint32_t> parameters;
    };

    /// Parses `words`, which must outlive the module. `constants`: value of specialization constant i.
    Module(std::span<const std::uint32_t> words, std::span<const std::uint32_t> constants);

    /// Returns the index of the function of compute entry point `main`; `none` if the module has no such entry point.
    [[nodiscard]] std::uint32_t entry() const { return function_of(entry_); }
    [[nodiscard]] const std::vector<Function>& functions() const { return functions_; }
    [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
    /// Returns the ids of all variables outside functions.
    [[nodiscard]] const std::vector<std::uint32_t>& variables() const { return variables_; }

    [[nodiscard]] const Id& id(std::uint32_t id) const { return ids_[id < ids_.size() ? id : 0]; }
    /// Returns the index of function `id`; `none` if `id` is not a function.
    [[nodiscard]] std::uint32_t function_of(std::uint32_t id) const;
    /// Returns the instruction at a word; one of no words if `at` is out of bounds.
    [[nodiscard]] Instruction instruction(std::uint32_t at) const;
    /// Returns the instruction that defines `id`, or one of no words.
    [[nodiscard]] Instruction definition(std::uint32_t id) const { return instruction(this->id(id).at); }
    /// Returns the workgroup size of the entry point in x, y and z; nullopt if unknown.
    [[nodiscard]] std::array<std::optional<std::uint32_t>, 3> workgroup_size() const;
    /// Checks that the module names HLSL or Slang as its source language.
    [[nodiscard]] bool is_hlsl() const { return is_hlsl_; }
    /// Checks that glslang, or shaderc with it, generated the module.
    [[nodiscard]] bool is_by_glslang() const;
    /// Checks that `id` is the instruction set of GLSL.
    [[nodiscard]] bool is_glsl(std::uint32_t id) const;
    /// Returns the OpName of `id`; may be empty.
    [[nodiscard]] std::string_view name(std::uint32_t id) const;
    /// Returns the type of a value or variable.
    [[nodiscard]] std::uint32_t type_of(std::uint32_t id) const { return definition(id).word(1); }
    /// Returns the width in bits of an integer type; 1 for booleans, 0 for other types.
    [[nodiscard]] std::uint32_t width(std::uint32_t type) const;
    [[nodiscard]] std::optional<std::uint32_t> decoration(std::uint32_t id, DecorationKind kind,
                                                          std::uint32_t member = none) const;
    /// Returns the bytes of a type in its layout, up to the end of its last member; 0 if it has no size. A matrix, or
    /// an array of matrices, must be passed as member `member` of struct `parent`, which has its stride.
    [[nodiscard]] std::uint64_t bytes(std::uint32_t type, std::uint32_t parent = 0, std::uint32_t member = 0) const;

    /// Evaluates `operation`. Its operands are words `first` and up of `instruction`; `value` returns the values of
    /// ids.
    template <class ValueOf>
    Value evaluate(Op operation, std::uint32_t type, const Instruction& instruction, std::size_t first,
                   const ValueOf& value) const {
        if (operation == Op::composite_extract) {
            return extracted(instruction, first);
        }
        return fold(
            operation, width(type), width(type_of(instruction.word(first))),
            {value(instruction.word(first)), value(instruction.word(first + 1)), value(instruction.word(first + 2))});
    }
    /// Checks that `evaluate` supports `operation`.
    static bool folds(Op operation);

private:
    struct Decoration {
        std::uint32_t id, member;
        DecorationKind kind;
        std::uint32_t value;
    };
    struct Operands {
        Value a, b, c;
    };

    void read(const Instruction& instruction, std::uint32_t at, std::span<const std::uint32_t> constants);
    void read_in_function(const Instruction& instruction, std::uint32_t at);
    void define(std::uint32_t id, std::uint32_t at, std::uint32_t slot = 0);
    [[nodiscard]] std::optional<std::uint64_t> constant(const Instruction& instruction,
                                                        std::span<const std::uint32_t> constants) const;
    [[nodiscard]] Value extracted(const Instruction& instruction, std::size_t first) const;
    static Value fold(Op operation, std::uint32_t width, std::uint32_t operand_width, const Operands& operands);

    std::span<const std::uint32_t> words_;
    std::uint32_t entry_ = 0;
    std::uint32_t size_mode_ = 0;     ///< word of the execution mode with the workgroup size
    std::uint32_t built_in_size_ = 0; ///< constant with the workgroup size, which has priority
    bool in_function_ = false;
    bool is_hlsl_ = false;
    std::vector<Id> ids_; ///< index 0 is no id
    std::vector<Decoration> decorations_;
    std::vector<std::uint32_t> variables_;
    std::vector<std::uint64_t> struct_bytes_; ///< by slot
    std::vector<Function> functions_;
    std::vector<Block> blocks_;
};

/// Returns the type that the type of `pointer`, a variable or a pointer, points to.
inline std::uint32_t pointee(const Module& module, std::uint32_t pointer) {
    return module.definition(module.type_of(pointer)).word(3);
}

} // namespace weir::spirv
