#pragma once

#include <cstdint>
#include <string>

namespace samples {

/// A bar on stderr for a long step; nothing at all where stderr is no terminal. It is gone when the step is over.
class Progress {
public:
    explicit Progress(std::string step);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();

    /// How much of the step is done, from 0 to 1.
    void show(double done);

private:
    std::string step_;
    bool terminal_;
    int shown_ = -1; ///< percent
};

} // namespace samples
