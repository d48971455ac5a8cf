// The leak checker runs after drivers and layers have been unloaded. It then reports memory that their globals point to
// as leaked, or cannot name the library that allocated it. With the checker, dlclose therefore unloads nothing.

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define WEIR_TESTS_LEAK_CHECK
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define WEIR_TESTS_LEAK_CHECK
#endif

#if defined(WEIR_TESTS_LEAK_CHECK)
extern "C" int dlclose(void*);
extern "C" int dlclose(void*) {
    return 0;
}

// The validation layer leaks some memory of every instance.
extern "C" const char* __lsan_default_suppressions(); // NOLINT(bugprone-reserved-identifier): the checker's name for it
extern "C" const char* __lsan_default_suppressions() { // NOLINT(bugprone-reserved-identifier)
    return "leak:libVkLayer_khronos_validation\n";
}
#endif
