#pragma once

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <initializer_list>
#include <random>
#include <string>

#include "tests/fuzz/targets.hpp"

namespace weir::fuzz {

/// A file of these bytes, for functions that take a file name. Each process has one, which each object writes again.
class FedFile {
public:
    FedFile(std::initializer_list<Bytes> parts) {
        std::FILE* const file = std::fopen(name().c_str(), "wb");
        if (file == nullptr) {
            std::abort();
        }
        for (const Bytes part : parts) {
            if (std::fwrite(part.data(), 1, part.size(), file) != part.size()) {
                std::abort();
            }
        }
        std::fclose(file);
    }
    ~FedFile() { std::remove(name().c_str()); }
    FedFile(const FedFile&) = delete;
    FedFile& operator=(const FedFile&) = delete;

    [[nodiscard]] static const std::string& name() {
        static const std::string path = [] {
            const std::filesystem::path memory = "/dev/shm"; // fast enough for some thousand executions per second
            const auto folder = std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
            return (folder / ("weir-fuzz-" + std::to_string(std::random_device{}()))).string();
        }();
        return path;
    }
};

} // namespace weir::fuzz
