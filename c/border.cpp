#include "c/border.hpp"

#include <algorithm>
#include <cstdint>
#include <exception>
#include <iterator>
#include <new>
#include <stdexcept>

namespace weir::c {

namespace {

// Results of C are the codes of C++ plus 1, because WEIR_SUCCESS is 0.
constexpr weir_result result_of(ErrorCode code) {
    return static_cast<weir_result>(static_cast<int>(code) + 1);
}
static_assert(result_of(ErrorCode::invalid_argument) == WEIR_ERROR_INVALID_ARGUMENT);
static_assert(result_of(ErrorCode::invalid_graph) == WEIR_ERROR_INVALID_GRAPH);
static_assert(result_of(ErrorCode::unsupported) == WEIR_ERROR_UNSUPPORTED);
static_assert(result_of(ErrorCode::no_device) == WEIR_ERROR_NO_DEVICE);
static_assert(result_of(ErrorCode::out_of_memory) == WEIR_ERROR_OUT_OF_MEMORY);
static_assert(result_of(ErrorCode::limit_exceeded) == WEIR_ERROR_LIMIT_EXCEEDED);
static_assert(result_of(ErrorCode::shader_compilation) == WEIR_ERROR_SHADER_COMPILATION);
static_assert(result_of(ErrorCode::io) == WEIR_ERROR_IO);
static_assert(result_of(ErrorCode::device_lost) == WEIR_ERROR_DEVICE_LOST);
static_assert(result_of(ErrorCode::vulkan) == WEIR_ERROR_VULKAN);

/// Calls `use` with the code and the message of the exception that is being handled.
template <class Use>
void with_exception(const Use& use) {
    constexpr std::string_view no_memory = "out of host memory";
    try {
        throw;
    } catch (const Refused& refused) {
        use(refused.error.code, refused.error.message);
    } catch (const std::bad_alloc&) {
        use(ErrorCode::out_of_memory, no_memory);
    } catch (const std::length_error&) {
        use(ErrorCode::out_of_memory, no_memory);
    } catch (const std::exception& other) {
        use(ErrorCode::vulkan, other.what());
    } catch (...) {
        use(ErrorCode::vulkan, "unknown exception");
    }
}

/// Appends as much of `part` as fits, cut between UTF-8 characters. Returns false if `part` was cut.
bool append(weir_error& error, std::size_t& size, std::string_view part) {
    constexpr std::size_t room = sizeof(error.message) - sizeof("...");
    std::size_t taken = std::min(part.size(), room - size);
    const bool all = taken == part.size();
    while (!all && taken > 0 && (static_cast<unsigned char>(part[taken]) & 0xC0U) == 0x80U) {
        --taken;
    }
    std::memcpy(error.message + size, part.data(), taken);
    size += taken;
    return all;
}

} // namespace

void refuse(std::string why, ErrorCode code) {
    throw Refused{{code, std::move(why)}};
}

weir_result report(weir_error* error, ErrorCode code, std::string_view function, std::string_view message,
                   VkResult vulkan) noexcept {
    const weir_result result = result_of(code);
    if (error != nullptr) {
        error->code = result;
        error->vulkan = vulkan;
        std::size_t size = 0;
        const bool all = append(*error, size, function) && (function.empty() || append(*error, size, ": ")) &&
                         append(*error, size, message);
        std::memcpy(error->message + size, all ? "" : "...", all ? sizeof("") : sizeof("..."));
    }
    return result;
}

weir_result report_exception(weir_error* error, std::string_view function) noexcept {
    weir_result result = WEIR_ERROR_VULKAN;
    with_exception([&](ErrorCode code, std::string_view message) { result = report(error, code, function, message); });
    return result;
}

void fail_with_exception(weir_graph& graph, std::string_view function) noexcept {
    try {
        with_exception([&](ErrorCode code, std::string_view message) {
            graph.graph.fail({code, std::string(function) + ": " + std::string(message)});
        });
    } catch (...) {
        graph.out_of_memory = true;
    }
}

} // namespace weir::c

using namespace weir::c;

std::uint32_t weir_abi_version(void) {
    return WEIR_ABI_VERSION;
}

const char* weir_version(void) {
    return WEIR_VERSION;
}

const char* weir_result_name(weir_result result) {
    constexpr const char* names[] = {"success",       "invalid argument", "invalid graph",  "unsupported",
                                     "no device",     "out of memory",    "limit exceeded", "shader compilation",
                                     "input, output", "device lost",      "Vulkan"};
    const auto i = static_cast<std::size_t>(result);
    return i < std::size(names) ? names[i] : "no result";
}
