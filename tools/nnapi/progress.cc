#include "tools/nnapi/progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>

#include "tools/nnapi/interrupt.h"

namespace nn::cli {

using namespace std::chrono_literals;

// The line on the terminal. A thread draws it, so that it is updated during a long-running model.
class Progress::Line {
   public:
    Line() : mThread([this] { drawUntilDone(); }) {}
    ~Line() {
        {
            const std::lock_guard lock(mMutex);
            mIsDone = true;
            erase();
        }
        mWake.notify_one();
        mThread.join();
    }

    template <class Change>
    void change(const Change& what) {
        const std::lock_guard lock(mMutex);
        what(*this);
    }

    void erase() {
        if (mIsShown) write("\r\x1b[K");
        mIsShown = false;
        mIsQuiet = true;
    }

    size_t files = 0;
    size_t file = 0;
    size_t models = 0;
    size_t cases = 0;  // 0: files are counted
    size_t casesDone = 0;
    size_t casesBad = 0;
    std::string fileName{};
    std::string modelName{};

   private:
    static void write(const std::string& text) {
        std::fwrite(text.data(), 1, text.size(), stderr);
        std::fflush(stderr);
    }

    void drawUntilDone() {
        std::unique_lock lock(mMutex);
        while (!mWake.wait_for(lock, 200ms, [this] { return mIsDone; })) {
            if (std::exchange(mIsQuiet, false)) continue;  // other output may follow
            write("\r\x1b[K" + text());
            mIsShown = true;
        }
    }

    // "file 3 of 12, model 250, 14 s: add.jsonl.gz add_2", or "case 300 of 900, 2 bad, 14 s:
    // vectors/add/sync", in one line of the terminal.
    std::string text() const {
        const auto elapsed = std::chrono::duration_cast<std::chrono::seconds>(
                std::chrono::steady_clock::now() - mStart);
        std::string text =
                cases == 0 ? fmt::format("file {} of {}, model {}, {} s: {} {}", file, files,
                                         models, elapsed.count(), fileName, modelName)
                           : fmt::format("case {} of {}, {} bad, {} s: {}", casesDone, cases,
                                         casesBad, elapsed.count(), modelName);
        // Names come from outside: no control characters, and one column for each byte.
        std::ranges::replace_if(
                text, [](char c) { return c < ' ' || c > '~'; }, '?');
        winsize size = {};
        const bool isKnown = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
        return text.substr(0, isKnown ? size.ws_col - 1 : 79);
    }

    std::mutex mMutex;
    std::condition_variable mWake;
    std::chrono::steady_clock::time_point mStart = std::chrono::steady_clock::now();
    bool mIsShown = false;
    bool mIsQuiet = false;
    bool mIsDone = false;
    std::thread mThread;  // last: it uses the others
};

std::unique_ptr<Progress::Line> Progress::sLine;

Progress::Progress() {
    catchInterrupts();
    if (isatty(STDERR_FILENO) != 0) sLine = std::make_unique<Line>();
}

Progress::~Progress() { sLine = nullptr; }

void Progress::files(size_t count) {
    if (sLine) sLine->change([&](Line& line) { line.files = count; });
}

void Progress::file(const std::filesystem::path& path) {
    if (!sLine) return;
    sLine->change([&](Line& line) {
        ++line.file;
        line.fileName = path.filename().string();
        line.modelName.clear();
    });
}

void Progress::model(const std::string& name) {
    if (!sLine) return;
    sLine->change([&](Line& line) {
        ++line.models;
        line.modelName = name;
    });
}

void Progress::cases(size_t done, size_t all, size_t bad, const std::string& name) {
    if (!sLine) return;
    sLine->change([&](Line& line) {
        line.casesDone = done;
        line.cases = all;
        line.casesBad = bad;
        line.modelName = name;
    });
}

void Progress::hide() {
    if (sLine) sLine->change([](Line& line) { line.erase(); });
}

}  // namespace nn::cli
