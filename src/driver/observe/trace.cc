#include "nnapi/driver/trace.h"

#include <fmt/format.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <iterator>
#include <utility>

#include "base/printable.h"

namespace nn {
namespace {

constexpr std::array<std::string_view, 7> kLayers = {"LA", "LR", "LI", "LD", "LC", "LO", "LU"};
static_assert(static_cast<size_t>(TraceLayer::UTILITY) + 1 == kLayers.size());

constexpr std::array<std::string_view, 13> kPhases = {"PO", "PWU", "PBM", "PI",  "PP",  "PC", "PE",
                                                      "PT", "PU",  "PIO", "PTR", "PCO", "PR"};
static_assert(static_cast<size_t>(TracePhase::RESULTS) + 1 == kPhases.size());

// The thread id that tools show next to the name of the process.
int64_t thisThread() {
    thread_local const int64_t id = syscall(SYS_gettid);
    return id;
}

// A byte that is not UTF-8 is shown as \xNN.
void appendString(std::string& json, std::string_view text) {
    json += '"';
    while (!text.empty()) {
        const Utf8Character character = firstCharacter(text);
        const auto byte = static_cast<unsigned char>(text[0]);
        if (character.size == 0) {
            fmt::format_to(std::back_inserter(json), "\\\\x{:02x}", byte);
        } else if (byte < ' ' || byte == 0x7f) {
            fmt::format_to(std::back_inserter(json), "\\u{:04x}", byte);
        } else {
            if (byte == '"' || byte == '\\') json += '\\';
            json += text.substr(0, character.size);
        }
        text.remove_prefix(std::max<size_t>(character.size, 1));
    }
    json += '"';
}

void appendMicroseconds(std::string& json, Duration time) {
    const auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
    fmt::format_to(std::back_inserter(json), "{}.{:03}", nanoseconds / 1000, nanoseconds % 1000);
}

}  // namespace

std::string_view codeOf(TraceLayer layer) {
    const auto row = static_cast<size_t>(layer);
    return row < kLayers.size() ? kLayers[row] : "LO";
}

std::string_view codeOf(TracePhase phase) {
    const auto row = static_cast<size_t>(phase);
    return row < kPhases.size() ? kPhases[row] : "PU";
}

std::string sliceName(TraceLayer layer, TracePhase phase, std::string_view detail, TraceMode mode) {
    std::string name;
    if (mode == TraceMode::SWITCH) name = "[SW]";
    if (mode == TraceMode::SUBTRACT) name = "[SUB]";
    name += fmt::format("[NN_{}_{}]", codeOf(layer), codeOf(phase));
    name += detail;
    return name;
}

Trace::Trace(TraceOptions options)
    : mMaxSlices(options.maxSlices), mStart(Clock::now()), mIsOn(options.isOn) {}

size_t Trace::size() const {
    const std::lock_guard lock(mMutex);
    return mSlices.size();
}

size_t Trace::dropped() const {
    const std::lock_guard lock(mMutex);
    return mDropped;
}

void Trace::clear() {
    std::vector<Slice> cleared;  // gone after the lock
    const std::lock_guard lock(mMutex);
    cleared.swap(mSlices);
    mDropped = 0;
}

void Trace::add(TraceLayer layer, TracePhase phase, std::string_view detail, TraceMode mode,
                TimePoint begin, TimePoint end) noexcept {
    constexpr size_t kLongestDetail = 256;
    const Duration since = std::max<Duration>(begin - mStart, Duration::zero());
    const Duration length = std::max<Duration>(end - begin, Duration::zero());
    std::string name;
    try {
        name = sliceName(layer, phase, beginningOf(detail, kLongestDetail), mode);
    } catch (...) {
        const std::lock_guard lock(mMutex);
        ++mDropped;
        return;
    }
    const std::lock_guard lock(mMutex);
    if (mSlices.size() >= mMaxSlices) {
        ++mDropped;
        return;
    }
    try {
        mSlices.push_back({std::move(name), layer, thisThread(), since, length});
    } catch (...) {
        ++mDropped;
    }
}

std::string Trace::json() const {
    std::vector<Slice> slices;
    size_t dropped = 0;
    {
        const std::lock_guard lock(mMutex);
        slices = mSlices;
        dropped = mDropped;
    }
    const auto process = static_cast<int64_t>(getpid());
    std::string json = "{\"displayTimeUnit\": \"ns\",\n";
    json += fmt::format(" \"otherData\": {{\"dropped\": \"{}\"}},\n \"traceEvents\": [", dropped);
    bool isFirst = true;
    for (const Slice& slice : slices) {
        json += isFirst ? "\n" : ",\n";
        isFirst = false;
        json += "  {\"ph\": \"X\", \"name\": ";
        appendString(json, slice.name);
        json += fmt::format(", \"cat\": \"{}\", \"pid\": {}, \"tid\": {}, \"ts\": ",
                            codeOf(slice.layer), process, slice.thread);
        appendMicroseconds(json, slice.begin);
        json += ", \"dur\": ";
        appendMicroseconds(json, slice.length);
        json += "}";
    }
    json += "\n ]}\n";
    return json;
}

// ---- operations of the interpreter

namespace {

// The operations under way: that of the main graph, and within it those of the graphs that it
// executes.
class Operations {
   public:
    explicit Operations(SharedTrace trace) : mTrace(std::move(trace)) {}
    Operations(const Operations&) = delete;
    Operations& operator=(const Operations&) = delete;
    ~Operations() {
        while (!mOpen.empty()) end();
    }

    void begin(const ComputedOperation& operation) {
        mOpen.push_back({fmt::format("{} {}", operation.name, operation.path), Clock::now()});
    }
    void end() {
        if (mOpen.empty()) return;
        mTrace->add(TraceLayer::CPU, TracePhase::COMPUTATION, mOpen.back().detail, TraceMode::PLAIN,
                    mOpen.back().begin, Clock::now());
        mOpen.pop_back();
    }

   private:
    struct Open {
        std::string detail;
        TimePoint begin;
    };
    SharedTrace mTrace;
    std::vector<Open> mOpen{};
};

}  // namespace

ExecuteOptions traced(ExecuteOptions options, SharedTrace trace) {
    if (trace == nullptr || !trace->isOn()) return options;
    auto operations = std::make_shared<Operations>(std::move(trace));
    options.starter = [operations, next = std::move(options.starter)](const auto& operation) {
        operations->begin(operation);
        if (next) next(operation);
    };
    options.observer = [operations, next = std::move(options.observer)](const auto& operation) {
        operations->end();
        if (next) next(operation);
    };
    return options;
}

}  // namespace nn
