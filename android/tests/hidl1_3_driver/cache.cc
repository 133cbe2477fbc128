#define LOG_TAG "sample-npu@1.3-cache"

#include "cache.h"

#include <android-base/logging.h>
#include <android-base/scopeguard.h>
#include <cutils/native_handle.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <vector>

#include "CpuExecutor.h"
#include "TokenHasher.h"
#include "Utils.h"

namespace sample::npu {

using namespace android::nn;
using namespace android::nn::hal;

namespace {

using Bytes = std::vector<uint8_t>;

constexpr size_t kDigestSize = static_cast<size_t>(Constant::BYTE_SIZE_OF_CACHE_TOKEN);
constexpr off_t kLargestFile = 256 << 20;

class Writer {
   public:
    void number(uint32_t value) {
        const auto* first = reinterpret_cast<const uint8_t*>(&value);
        mBytes.insert(mBytes.end(), first, first + sizeof(value));
    }
    void list(const hidl_vec<uint32_t>& values) {
        number(static_cast<uint32_t>(values.size()));
        for (uint32_t value : values) number(value);
    }
    const Bytes& bytes() const { return mBytes; }

   private:
    Bytes mBytes;
};

// The digest has been checked, so these are the bytes that Writer wrote.
class Reader {
   public:
    Reader(const Bytes& bytes, size_t first) : mBytes(bytes), mNext(first) {}

    uint32_t number() {
        uint32_t value = 0;
        if (mBytes.size() - mNext < sizeof(value)) return 0;
        std::memcpy(&value, mBytes.data() + mNext, sizeof(value));
        mNext += sizeof(value);
        return value;
    }
    hidl_vec<uint32_t> list() {
        hidl_vec<uint32_t> values;
        values.resize(number());
        for (uint32_t& value : values) value = number();
        return values;
    }

   private:
    const Bytes& mBytes;
    size_t mNext;
};

uint32_t bitsOf(float value) {
    uint32_t bits;
    std::memcpy(&bits, &value, sizeof(bits));
    return bits;
}

float floatOf(uint32_t bits) {
    float value;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
}

// Collects all constants, and makes the operands refer to them. Returns false if the model contains
// parts that the cache does not store.
bool collect(const Model& model, std::vector<Operand>* operands, Bytes* constants) {
    std::vector<RunTimePoolInfo> pools;
    NN_RET_CHECK(setRunTimePoolInfosFromHidlMemories(&pools, model.pools));
    NN_RET_CHECK_EQ(model.referenced.size(), 0u);
    NN_RET_CHECK_EQ(model.extensionNameToPrefix.size(), 0u);
    for (const Operand& original : model.main.operands) {
        Operand operand = original;
        NN_RET_CHECK(operand.extraParams.getDiscriminator() ==
                     OperandExtraParams::hidl_discriminator::none);
        const uint8_t* first = nullptr;
        if (operand.lifetime == OperandLifeTime::CONSTANT_COPY) {
            first = model.operandValues.data() + operand.location.offset;
        } else if (operand.lifetime == OperandLifeTime::CONSTANT_REFERENCE) {
            first = pools[operand.location.poolIndex].getBuffer() + operand.location.offset;
        }
        if (first != nullptr) {
            const uint32_t length = operand.location.length;
            constants->resize(constants->size() +
                              alignBytesNeeded(static_cast<uint32_t>(constants->size()), length));
            operand.lifetime = OperandLifeTime::CONSTANT_COPY;
            operand.location = {.poolIndex = 0,
                                .offset = static_cast<uint32_t>(constants->size()),
                                .length = length};
            constants->insert(constants->end(), first, first + length);
        }
        operands->push_back(operand);
    }
    return true;
}

Bytes bytesOf(const Model& model, const std::vector<Operand>& operands) {
    Writer writer;
    writer.number(model.relaxComputationFloat32toFloat16 ? 1 : 0);
    writer.number(static_cast<uint32_t>(operands.size()));
    for (const Operand& operand : operands) {
        writer.number(static_cast<uint32_t>(operand.type));
        writer.list(operand.dimensions);
        writer.number(operand.numberOfConsumers);
        writer.number(bitsOf(operand.scale));
        writer.number(static_cast<uint32_t>(operand.zeroPoint));
        writer.number(static_cast<uint32_t>(operand.lifetime));
        writer.number(operand.location.offset);
        writer.number(operand.location.length);
    }
    writer.number(static_cast<uint32_t>(model.main.operations.size()));
    for (const Operation& operation : model.main.operations) {
        writer.number(static_cast<uint32_t>(operation.type));
        writer.list(operation.inputs);
        writer.list(operation.outputs);
    }
    writer.list(model.main.inputIndexes);
    writer.list(model.main.outputIndexes);
    return writer.bytes();
}

Model modelOf(const Bytes& bytes, const Bytes& constants) {
    Reader reader(bytes, kDigestSize);
    Model model;
    model.relaxComputationFloat32toFloat16 = reader.number() != 0;
    model.main.operands.resize(reader.number());
    for (Operand& operand : model.main.operands) {
        operand.type = static_cast<OperandType>(reader.number());
        operand.dimensions = reader.list();
        operand.numberOfConsumers = reader.number();
        operand.scale = floatOf(reader.number());
        operand.zeroPoint = static_cast<int32_t>(reader.number());
        operand.lifetime = static_cast<OperandLifeTime>(reader.number());
        operand.location.offset = reader.number();
        operand.location.length = reader.number();
    }
    model.main.operations.resize(reader.number());
    for (Operation& operation : model.main.operations) {
        operation.type = static_cast<OperationType>(reader.number());
        operation.inputs = reader.list();
        operation.outputs = reader.list();
    }
    model.main.inputIndexes = reader.list();
    model.main.outputIndexes = reader.list();
    model.operandValues = constants;
    return model;
}

// The digest of both files; empty if it cannot be computed.
Bytes digestOf(const CacheToken& token, const uint8_t* graph, size_t size, const Bytes& constants) {
    TokenHasher hasher(token.data());
    const auto length = static_cast<uint64_t>(size);
    if (!hasher.updateFromString("sample-npu@1.3") || !hasher.update(&length, sizeof(length)) ||
        !hasher.update(graph, size) || !hasher.update(constants.data(), constants.size()) ||
        !hasher.finish()) {
        return {};
    }
    return Bytes(hasher.getCacheToken(), hasher.getCacheToken() + kDigestSize);
}

bool writeFile(int fd, const Bytes& bytes) {
    if (ftruncate(fd, 0) != 0) return false;
    size_t written = 0;
    while (written < bytes.size()) {
        const ssize_t more = TEMP_FAILURE_RETRY(pwrite(
                fd, bytes.data() + written, bytes.size() - written, static_cast<off_t>(written)));
        if (more <= 0) return false;
        written += static_cast<size_t>(more);
    }
    return true;
}

std::optional<Bytes> readFile(int fd) {
    struct stat status = {};
    if (fstat(fd, &status) != 0 || status.st_size < 0 || status.st_size > kLargestFile) return {};
    Bytes bytes(static_cast<size_t>(status.st_size));
    size_t known = 0;
    while (known < bytes.size()) {
        const ssize_t more = TEMP_FAILURE_RETRY(
                pread(fd, bytes.data() + known, bytes.size() - known, static_cast<off_t>(known)));
        if (more <= 0) return {};
        known += static_cast<size_t>(more);
    }
    return bytes;
}

bool hasOneDescriptor(const hidl_handle& handle) {
    const native_handle_t* native = handle.getNativeHandle();
    return native != nullptr && native->numFds == 1 && native->numInts == 0;
}

}  // namespace

bool areCacheFiles(const hidl_vec<hidl_handle>& modelCache,
                   const hidl_vec<hidl_handle>& dataCache) {
    return modelCache.size() == kNumModelCache && dataCache.size() == kNumDataCache &&
           hasOneDescriptor(modelCache[0]) && hasOneDescriptor(dataCache[0]);
}

void saveToCache(const Model& model, const hidl_handle& modelFile, const hidl_handle& dataFile,
                 const CacheToken& token) {
    const int modelFd = modelFile->data[0];
    const int dataFd = dataFile->data[0];
    auto emptyFiles = android::base::make_scope_guard([modelFd, dataFd] {
        if (ftruncate(modelFd, 0) != 0 || ftruncate(dataFd, 0) != 0) {
            PLOG(WARNING) << "a cache file cannot be emptied";
        }
    });
    std::vector<Operand> operands;
    Bytes constants;
    if (!collect(model, &operands, &constants)) return;
    const Bytes graph = bytesOf(model, operands);
    Bytes file = digestOf(token, graph.data(), graph.size(), constants);
    if (file.empty()) return;
    file.insert(file.end(), graph.begin(), graph.end());
    if (!writeFile(dataFd, constants) || !writeFile(modelFd, file)) {
        PLOG(ERROR) << "a cache file cannot be written";
        return;
    }
    emptyFiles.Disable();
}

std::optional<Model> loadFromCache(const hidl_handle& modelFile, const hidl_handle& dataFile,
                                   const CacheToken& token) {
    const std::optional<Bytes> file = readFile(modelFile->data[0]);
    const std::optional<Bytes> constants = readFile(dataFile->data[0]);
    if (!file || !constants || file->size() < kDigestSize) {
        LOG(ERROR) << "the cache files cannot be read";
        return std::nullopt;
    }
    const Bytes digest =
            digestOf(token, file->data() + kDigestSize, file->size() - kDigestSize, *constants);
    if (digest.empty() || std::memcmp(digest.data(), file->data(), kDigestSize) != 0) {
        LOG(ERROR) << "the cache files were not written with this token";
        return std::nullopt;
    }
    return modelOf(*file, *constants);
}

}  // namespace sample::npu
