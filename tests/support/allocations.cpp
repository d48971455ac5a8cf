#include "tests/support/allocations.hpp"

#include <cstdlib>
#include <new>

#if defined(_WIN32)
#include <malloc.h>
#endif

// A sanitizer replaces all forms of new and delete. This file replaces only some, so with a sanitizer it replaces none.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define WEIR_TESTS_SANITIZED
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define WEIR_TESTS_SANITIZED
#endif
#endif

namespace weir::tests {

namespace {

thread_local int counters = 0;
thread_local int pauses = 0;
thread_local std::size_t allocations = 0;

#if defined(_WIN32)
void* aligned(std::size_t size, std::size_t alignment) {
    return _aligned_malloc(size, alignment);
}
[[maybe_unused]] void free_aligned(void* memory) {
    _aligned_free(memory);
}
#else
void* aligned(std::size_t size, std::size_t alignment) {
    return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
}
[[maybe_unused]] void free_aligned(void* memory) {
    std::free(memory);
}
#endif

[[maybe_unused]] void* allocate(std::size_t size, std::size_t alignment) {
    if (counters > 0 && pauses == 0) {
        ++allocations;
    }
    size = size == 0 ? 1 : size;
    void* memory = alignment == 0 ? std::malloc(size) : aligned(size, alignment);
    if (memory == nullptr) {
        throw std::bad_alloc();
    }
    return memory;
}

} // namespace

AllocationCounter::AllocationCounter() {
    if (counters++ == 0) {
        allocations = 0;
    }
}
AllocationCounter::~AllocationCounter() {
    --counters;
}
std::size_t AllocationCounter::count() const {
    return allocations;
}
bool AllocationCounter::works() {
#if defined(WEIR_TESTS_SANITIZED)
    return false;
#else
    return true;
#endif
}

AllocationPause::AllocationPause() {
    ++pauses;
}
AllocationPause::~AllocationPause() {
    --pauses;
}

} // namespace weir::tests

#if !defined(WEIR_TESTS_SANITIZED)
// The default implementations of all other forms of new and delete call these.
void* operator new(std::size_t size) {
    return weir::tests::allocate(size, 0);
}
void* operator new(std::size_t size, std::align_val_t alignment) {
    return weir::tests::allocate(size, static_cast<std::size_t>(alignment));
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
    weir::tests::free_aligned(memory);
}
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
    weir::tests::free_aligned(memory);
}
#endif
