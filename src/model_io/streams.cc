#include "model_io/streams.h"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "base/files.h"
#include "base/limits.h"
#include "base/no_throw.h"
#include "base/printable.h"
#include "model_io/inputs.h"
#include "model_io/json.h"
#include "model_io/pools.h"
#include "nnapi/model_file.pb.h"
#include "nnapi/test_case.pb.h"

namespace nn::schema {

namespace {

constexpr std::string_view kBlanks = " \t\r\n";

bool hasHighBit(char byte) { return static_cast<uint8_t>(byte) >= 0x80; }

template <class Message>
bool hasField(std::string_view name) {
    return Message::descriptor()->FindFieldByName({name.data(), name.size()}) != nullptr;
}

// A tag of two bytes: the numbers of the fields of a model file begin at 16, where ONNX has none.
bool isBinaryModel(std::string_view bytes) {
    constexpr int kLengthDelimited = 2;
    if (bytes.size() < 2 || !hasHighBit(bytes[0]) || hasHighBit(bytes[1])) return false;
    const int tag = (bytes[0] & 0x7f) | (bytes[1] << 7);
    return (tag & 7) == kLengthDelimited &&
           nnapi::ModelFile::descriptor()->FindFieldByNumber(tag >> 3) != nullptr;
}

// Without blanks, and without lines that begin with '#'.
std::string_view skipComments(std::string_view text) {
    for (;;) {
        text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
        if (!text.starts_with('#')) return text;
        text.remove_prefix(std::min(text.find('\n'), text.size()));
    }
}

// "canonical {", "v1_0: {" or "aidl <"
bool isTextModel(std::string_view bytes) {
    const std::string_view text = skipComments(bytes);
    const size_t end = text.find_first_of(" \t\r\n:{<");
    if (end == std::string_view::npos || !hasField<nnapi::ModelFile>(text.substr(0, end))) {
        return false;
    }
    const size_t next = text.find_first_not_of(kBlanks, end);
    return next != std::string_view::npos &&
           std::string_view(":{<").find(text[next]) != std::string_view::npos;
}

bool isObject(std::string_view bytes) {
    const size_t start = bytes.find_first_not_of(kBlanks);
    return start != std::string_view::npos && bytes[start] == '{';
}

}  // namespace

std::optional<StreamFormat> provenFormat(std::string_view bytes) {
    if (bytes.starts_with("\x1f\x8b")) return StreamFormat::TEST_CASES;
    if (isBinaryModel(bytes)) return StreamFormat::BINARY;
    if (isTextModel(bytes)) return StreamFormat::TEXT;
    if (!isObject(bytes)) return std::nullopt;
    const std::string_view key = firstKey(bytes);
    if (hasField<nnapi::TestCase>(key)) return StreamFormat::TEST_CASES;
    if (hasField<nnapi::ModelFile>(key) || hasField<nnapi::Model>(key)) return StreamFormat::JSON;
    return std::nullopt;
}

StreamFormat guessFormat(std::string_view bytes) {
    if (const auto proven = provenFormat(bytes)) return *proven;
    if (!bytes.empty() && hasHighBit(bytes[0])) return StreamFormat::BINARY;
    return isObject(bytes) ? StreamFormat::JSON : StreamFormat::TEXT;
}

Format modelFormat(StreamFormat format) {
    switch (format) {
        case StreamFormat::BINARY:
            return Format::BINARY;
        case StreamFormat::TEXT:
            return Format::TEXT;
        case StreamFormat::JSON:
        case StreamFormat::TEST_CASES:  // a line is JSON; reading it fails: it is not a model
            return Format::JSON;
    }
    return Format::JSON;
}

std::optional<StreamFormat> formatOfFile(const std::filesystem::path& path,
                                         std::string_view bytes) {
    const auto named = [&]() -> std::optional<StreamFormat> {
        if (isTestCaseFile(path)) return StreamFormat::TEST_CASES;
        const auto format = formatOf(path);
        if (!format) return std::nullopt;
        switch (*format) {
            case Format::BINARY:
                return StreamFormat::BINARY;
            case Format::TEXT:
                return StreamFormat::TEXT;
            case Format::JSON:
                return StreamFormat::JSON;
        }
        return std::nullopt;
    }();
    const auto proven = provenFormat(bytes);
    const auto isJson = [](const std::optional<StreamFormat>& format) {
        return format == StreamFormat::JSON || format == StreamFormat::TEST_CASES;
    };
    const bool isCompressed = bytes.starts_with("\x1f\x8b");
    if (!proven || (isJson(named) && isJson(proven) && !isCompressed)) return named;
    return proven;
}

Status unknownContent(const std::filesystem::path& path, std::string_view extensions) {
    return contentError(
            fmt::format("{}: extension is {}, allowed {} for a model whose bytes show no format",
                        nameOf(path), inQuotes(path.extension().string()), extensions));
}

Result<std::string> readStream(int fd, std::string_view name, const Limits& limits) try {
    constexpr size_t kAtOnce = 1 << 18;
    const Limits allowed{.fileBytes = std::min(limits.fileBytes, kMaxMessageBytes)};
    std::string bytes;
    for (;;) {
        const size_t size = bytes.size();
        bytes.resize(size + kAtOnce);
        const ssize_t count = ::read(fd, bytes.data() + size, kAtOnce);
        bytes.resize(size + static_cast<size_t>(std::max<ssize_t>(count, 0)));
        if (count == 0) return bytes;
        if (count < 0 && errno == EAGAIN) {  // another process made it non-blocking
            pollfd wait{.fd = fd, .events = POLLIN, .revents = 0};
            poll(&wait, 1, -1);
        } else if (count < 0 && errno != EINTR) {
            return makeError(ErrorStatus::GENERAL_FAILURE,
                             fmt::format("{}: {}", name, std::strerror(errno)));
        }
        NNAPI_RETURN_IF_ERROR(nn::within(allowed, &Limits::fileBytes, bytes.size(), name));
    }
} catch (...) {
    return statusOfException();
}

Result<TestCaseReader> testCasesOf(std::string_view bytes, std::string name,
                                   const Limits& limits) try {
    NNAPI_ASSIGN_OR_RETURN(fd, memoryFileOf(bytes));
    return TestCaseReader::open(std::move(fd), std::move(name), limits);
} catch (...) {
    return statusOfException();
}

}  // namespace nn::schema
