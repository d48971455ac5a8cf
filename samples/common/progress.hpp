#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace samples {

/// Progress line on stderr for a long step: its name, the seconds since it began, and a bar once `show` has been
/// called. A thread redraws the line, so the seconds advance during a long call. Prints nothing if stderr is not a
/// terminal. The destructor erases the line.
class Progress {
public:
    explicit Progress(std::string step);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();

    /// Sets the completed fraction of the step, from 0 to 1.
    void show(double done);

private:
    /// Prints the line. `mutex_` must be locked.
    void print() const;
    void print_until_over();

    std::string step_;
    bool is_terminal_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    std::mutex mutex_;
    std::condition_variable changed_;
    bool is_over_ = false;
    int percent_ = -1; ///< -1: unknown
    std::thread printer_;
};

} // namespace samples
