#include <fcntl.h>
#include <fmt/format.h>
#include <google/protobuf/arena.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <new>
#include <utility>

#include "base/files.h"
#include "base/full_transfer.h"
#include "base/limits.h"
#include "base/no_throw.h"
#include "base/printable.h"
#include "model_io/canonical.h"
#include "model_io/formats.h"
#include "model_io/json.h"
#include "model_io/reflect.h"
#include "nnapi/checked_math.h"
#include "nnapi/io.h"
#include "nnapi/model_file.pb.h"
#include "nnapi/test_case.pb.h"

namespace nn {

struct CloseGz {
    void operator()(gzFile file) const { gzclose(file); }
};
using GzFile = std::unique_ptr<gzFile_s, CloseGz>;

namespace {

namespace fs = std::filesystem;
using namespace schema;

constexpr unsigned kReadAtOnce = 1 << 18;

enum class Packing { NONE, GZIP };

Result<Packing> packingOf(const fs::path& path) {
    const std::string name = path.filename().string();
    if (name.ends_with(".jsonl")) return Packing::NONE;
    if (name.ends_with(".jsonl.gz")) return Packing::GZIP;
    return contentError(
            fmt::format("{}: extension is {}, allowed .jsonl and .jsonl.gz for test cases",
                        nameOf(path), inQuotes(path.extension().string())));
}

// A kilobyte of compressed blank lines has a megabyte of content. Test cases are compressed to a
// tenth in general, small ones of equal values to a hundredth.
constexpr uint64_t kContentOfAnyFile = uint64_t{64} << 20, kContentForEachByte = 64;

// The most bytes that the content of a file may have. A pipe has no size.
uint64_t allowedContent(int fd) {
    struct stat status {};
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return UINT64_MAX;
    const auto part =
            checkedMul<uint64_t>(static_cast<uint64_t>(status.st_size), kContentForEachByte);
    return checkedAdd<uint64_t>(part, kContentOfAnyFile).value_or(UINT64_MAX);
}

// Opens for writing, and takes the descriptor over.
GzFile openGz(UniqueFd fd, const char* mode) {
    GzFile file(gzdopen(fd.get(), mode));
    if (file != nullptr) fd.release();
    return file;
}

// Reads a file, and decompresses it if it begins as a gzip file. zlib's gzread() ignores what
// follows the first member and does not begin as another one.
class ContentReader {
   public:
    explicit ContentReader(UniqueFd fd) : mFd(std::move(fd)) {}
    ContentReader(const ContentReader&) = delete;
    ContentReader& operator=(const ContentReader&) = delete;
    ~ContentReader() { inflateEnd(&mStream); }

    // The next piece, valid until the next call; empty at the end.
    Result<std::string_view> next() {
        const bool isFirst = mStream.next_in == nullptr;
        if (mStream.avail_in == 0) NNAPI_RETURN_IF_ERROR(fill());
        const std::string_view input(mInput.data(), mStream.avail_in);
        if (isFirst && input.starts_with("\x1f\x8b")) {
            constexpr int kGzip = 16;
            if (inflateInit2(&mStream, MAX_WBITS + kGzip) != Z_OK) throw std::bad_alloc();
            mOutput.resize(kReadAtOnce);
        }
        if (!mOutput.empty()) return decompress();
        mStream.avail_in = 0;
        return input;
    }

   private:
    Status fill() {
        const size_t size = transferAll(kReadAtOnce, [&](size_t done) {
            return ::read(mFd.get(), mInput.data() + done, kReadAtOnce - done);
        });
        if (size < kReadAtOnce && errno != 0) return contentError(std::strerror(errno));
        mStream.next_in = reinterpret_cast<Bytef*>(mInput.data());
        mStream.avail_in = static_cast<uInt>(size);
        return {};
    }

    // Returns after a member, so that damage to the next one does not lose its content.
    Result<std::string_view> decompress() {
        mStream.next_out = reinterpret_cast<Bytef*>(mOutput.data());
        mStream.avail_out = kReadAtOnce;
        while (mStream.avail_out == kReadAtOnce) {
            if (mStream.avail_in == 0) NNAPI_RETURN_IF_ERROR(fill());
            if (mStream.avail_in == 0) {
                if (mIsBetweenMembers) break;
                return contentError("compressed data is truncated");
            }
            if (mIsBetweenMembers && *mStream.next_in == 0) {  // padding, as gzip allows
                ++mStream.next_in;
                --mStream.avail_in;
                continue;
            }
            if (mIsBetweenMembers) inflateReset(&mStream);
            const int code = inflate(&mStream, Z_NO_FLUSH);
            mIsBetweenMembers = code == Z_STREAM_END;
            if (code == Z_MEM_ERROR) throw std::bad_alloc();
            if (code != Z_OK && code != Z_STREAM_END) {
                return contentError("compressed data is damaged");
            }
        }
        return std::string_view(mOutput.data(), kReadAtOnce - mStream.avail_out);
    }

    UniqueFd mFd;
    z_stream mStream{};
    std::vector<char> mInput = std::vector<char>(kReadAtOnce);
    std::vector<char> mOutput{};  // empty unless compressed
    bool mIsBetweenMembers = false;
};

// ---------------------------------------------------------------------------------------------
// Messages

Status write(const Tensor& tensor, nnapi::Value& message) {
    message.mutable_dimensions()->Add(tensor.dimensions.begin(), tensor.dimensions.end());
    message.set_data(tensor.data.data(), tensor.data.size());
    message.set_hasnovalue(tensor.hasNoValue);
    return {};
}

Tensor readTensor(const nnapi::Value& message) {
    return {.dimensions = {message.dimensions().begin(), message.dimensions().end()},
            .data = {message.data().begin(), message.data().end()},
            .hasNoValue = message.hasnovalue()};
}

Status write(const TestCase& testCase, nnapi::TestCase& message) {
    NNAPI_RETURN_IF_ERROR(checkText("name", testCase.name));
    NNAPI_RETURN_IF_ERROR(checkText("spec", testCase.spec));
    message.set_name(testCase.name);
    message.set_spec(testCase.spec);
    message.set_minsupportedversion(nnapi::MinSupportedVersion::UNKNOWN);
    if (const auto& version = testCase.minSupportedVersion) {
        const int level = featureLevel(*version);
        if (version->runtimeOnlyFeatures || level < 1 ||
            !nnapi::MinSupportedVersion::Code_IsValid(level)) {
            return contentError(
                    fmt::format("minSupportedVersion is {}, allowed feature levels "
                                "1..8 without runtime-only features",
                                toString(*version)));
        }
        message.set_minsupportedversion(static_cast<nnapi::MinSupportedVersion::Code>(level));
    }
    message.set_expectfailure(testCase.expectFailure);
    message.set_expectedmultinomialdistributiontolerance(
            testCase.expectedMultinomialDistributionTolerance);
    PoolWriter pools;
    NNAPI_RETURN_IF_ERROR(
            within("model.", writeCanonical(testCase.model, *message.mutable_model(), pools)));
    for (const Tensor& input : testCase.inputs) {
        NNAPI_RETURN_IF_ERROR(write(input, *message.add_inputs()));
    }
    for (const TestCase::Output& output : testCase.outputs) {
        NNAPI_RETURN_IF_ERROR(write(output.value, *message.add_outputs()));
        message.mutable_outputs()->rbegin()->set_ignored(output.ignored);
    }
    return {};
}

Result<TestCase> read(const nnapi::TestCase& message) {
    TestCase testCase{
            .name = message.name(),
            .spec = message.spec(),
            .expectFailure = message.expectfailure(),
            .expectedMultinomialDistributionTolerance =
                    message.expectedmultinomialdistributiontolerance(),
    };
    const int level = message.minsupportedversion();
    if (!nnapi::MinSupportedVersion::Code_IsValid(level)) {
        return contentError(fmt::format("minSupportedVersion is {}, allowed 0..8", level));
    }
    if (level != nnapi::MinSupportedVersion::UNKNOWN) {
        testCase.minSupportedVersion = Version{.level = static_cast<Version::Level>(level)};
    }
    auto model = readCanonical(message.model(), PoolReader());
    if (!model.ok()) return within("model.", model.status());
    testCase.model = *std::move(model);
    for (const nnapi::Value& input : message.inputs()) {
        if (input.ignored()) return contentError("inputs: ignored found, allowed only in outputs");
        testCase.inputs.push_back(readTensor(input));
    }
    for (const nnapi::Value& output : message.outputs()) {
        testCase.outputs.push_back({.value = readTensor(output), .ignored = output.ignored()});
    }
    return testCase;
}

}  // namespace

Result<TestCase> parseTestCase(std::string_view line, const Limits& limits) try {
    const std::string_view key = firstKey(line);
    const auto isIn = [&](const pb::Descriptor* type) {
        return type->FindFieldByName({key.data(), key.size()}) != nullptr;
    };
    if (isIn(nnapi::ModelFile::descriptor()) || isIn(nnapi::Model::descriptor())) {
        return contentError("holds a model, allowed a test case (models are read from .json)");
    }
    pb::Arena arena;
    auto& message = *pb::Arena::CreateMessage<nnapi::TestCase>(&arena);
    NNAPI_RETURN_IF_ERROR(parseMessage("", line, Format::JSON, limits, message));
    return read(message);
} catch (...) {
    return statusOfException();
}

Result<std::string> serializeTestCase(const TestCase& testCase) try {
    pb::Arena arena;
    auto& message = *pb::Arena::CreateMessage<nnapi::TestCase>(&arena);
    NNAPI_RETURN_IF_ERROR(write(testCase, message));
    return serializeMessage(message, Format::JSON, Layout::ONE_LINE);
} catch (...) {
    return statusOfException();
}

// ---------------------------------------------------------------------------------------------
// Files

class TestCaseReader::File {
   public:
    File(std::string name, UniqueFd fd, const Limits& limits)
        : mName(std::move(name)),
          mLimits(limits),
          mAllowed(allowedContent(fd.get())),
          mContent(std::make_unique<ContentReader>(std::move(fd))) {}

    std::optional<Result<TestCase>> next() {
        const bool isFirst = std::exchange(mIsFirst, false);
        do {
            mLine.clear();
            auto more = readLine();
            if (!more.ok()) {
                mContent.reset();
                return within(place(), more.status());
            }
            if (!*more && isFirst) return contentError(printable(mName) + ": holds no test cases");
            if (!*more) return std::nullopt;
        } while (mLine.find_first_not_of(" \t\r") == std::string::npos);
        auto testCase = parseTestCase(mLine, mLimits);
        if (!testCase.ok()) return within(place(), testCase.status());
        return testCase;
    }

   private:
    std::string place() const { return fmt::format("{}:{}: ", printable(mName), mLineNumber); }

    // Appends the next line to mLine; false at the end.
    Result<bool> readLine() {
        if (mContent == nullptr) return false;
        ++mLineNumber;
        for (;;) {
            const auto end = mRest.find('\n');
            mLine += mRest.substr(0, end);
            NNAPI_RETURN_IF_ERROR(nn::within(mLimits, &Limits::fileBytes, mLine.size(), ""));
            if (end != std::string_view::npos) {
                mRest.remove_prefix(end + 1);
                return true;
            }
            NNAPI_ASSIGN_OR_RETURN(piece, mContent->next());
            mRest = piece;
            if (mRest.empty()) {
                mContent.reset();
                return !mLine.empty();
            }
            mTotal += mRest.size();
            if (mTotal > mAllowed) {
                return makeError(kLimitExceeded,
                                 fmt::format("the content has more than {} bytes, allowed {} and "
                                             "{} for each byte of the compressed file",
                                             mAllowed, kContentOfAnyFile, kContentForEachByte));
            }
        }
    }

    std::string mName;
    Limits mLimits;
    uint64_t mAllowed;                        // the most bytes that the content may have
    std::unique_ptr<ContentReader> mContent;  // null at its end
    std::string_view mRest{};                 // of its last piece, not yet consumed
    std::string mLine{};
    size_t mLineNumber = 0;
    bool mIsFirst = true;
    uint64_t mTotal = 0;  // bytes of content that have been read
};

Result<TestCaseReader> TestCaseReader::open(const fs::path& path, const Limits& limits) try {
    NNAPI_RETURN_IF_ERROR(packingOf(path).status());
    NNAPI_ASSIGN_OR_RETURN(fd, openRegularFile(path));
    return open(std::move(fd), path.string(), limits);
} catch (...) {
    return statusOfException();
}

Result<TestCaseReader> TestCaseReader::open(UniqueFd fd, std::string name,
                                            const Limits& limits) try {
    return TestCaseReader(std::make_unique<File>(std::move(name), std::move(fd), limits));
} catch (...) {
    return statusOfException();
}

TestCaseReader::TestCaseReader(std::unique_ptr<File> file) : mFile(std::move(file)) {}
TestCaseReader::TestCaseReader(TestCaseReader&&) noexcept = default;
TestCaseReader& TestCaseReader::operator=(TestCaseReader&&) noexcept = default;
TestCaseReader::~TestCaseReader() = default;

std::optional<Result<TestCase>> TestCaseReader::next() try {
    if (mFile == nullptr) return std::nullopt;
    return mFile->next();
} catch (...) {
    mFile.reset();
    return Result<TestCase>(statusOfException());
}

class TestCaseWriter::File {
   public:
    File(fs::path path, NewFile file, GzFile out)
        : mPath(std::move(path)), mFile(std::move(file)), mOut(std::move(out)) {}

    Status write(const TestCase& testCase) {
        auto serialized = serializeTestCase(testCase);
        if (!serialized.ok()) {
            return within(fmt::format("{}: {}: ", nameOf(mPath), printable(testCase.name)),
                          serialized.status());
        }
        mLine = *std::move(serialized) + '\n';
        return gzfwrite(mLine.data(), mLine.size(), 1, mOut.get()) == 1 ? Status()
                                                                        : systemError(mPath);
    }

    Status commit() {
        if (gzclose(mOut.release()) != Z_OK) return systemError(mPath);
        return within(nameOf(mPath) + ": ", mFile.commit());
    }

   private:
    fs::path mPath;
    NewFile mFile;
    std::string mLine;  // outlives mOut: on close, zlib retries failed writes
    GzFile mOut;
};

Result<TestCaseWriter> TestCaseWriter::create(const fs::path& path) try {
    NNAPI_ASSIGN_OR_RETURN(packing, packingOf(path));
    NNAPI_ASSIGN_OR_RETURN(file, createFile(path));
    GzFile out = openGz(duplicate(file.fd()), packing == Packing::GZIP ? "wb9" : "wbT");
    if (out == nullptr) return systemError(path);
    return TestCaseWriter(std::make_unique<File>(path, std::move(file), std::move(out)));
} catch (...) {
    return statusOfException();
}

TestCaseWriter::TestCaseWriter(std::unique_ptr<File> file) : mFile(std::move(file)) {}
TestCaseWriter::TestCaseWriter(TestCaseWriter&&) noexcept = default;
TestCaseWriter& TestCaseWriter::operator=(TestCaseWriter&&) noexcept = default;
TestCaseWriter::~TestCaseWriter() = default;

Status TestCaseWriter::write(const TestCase& testCase) try {
    if (mFile == nullptr) return contentError("the file of test cases is written already");
    Status status = mFile->write(testCase);
    if (!status.ok()) mFile.reset();
    return status;
} catch (...) {
    mFile.reset();
    return statusOfException();
}

Status TestCaseWriter::commit() try {
    if (mFile == nullptr) return contentError("the file of test cases is written already");
    Status status = mFile->commit();
    mFile.reset();
    return status;
} catch (...) {
    mFile.reset();
    return statusOfException();
}

Status writeTestCases(const fs::path& path, std::span<const TestCase> testCases) {
    NNAPI_ASSIGN_OR_RETURN(writer, TestCaseWriter::create(path));
    for (const TestCase& testCase : testCases) NNAPI_RETURN_IF_ERROR(writer.write(testCase));
    return writer.commit();
}

}  // namespace nn
