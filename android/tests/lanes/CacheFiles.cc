#define LOG_TAG "lanes-cache"

#include "CacheFiles.h"

#include <android-base/file.h>
#include <android-base/logging.h>
#include <android-base/scopeguard.h>
#include <nnapi/Validation.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <string>
#include <type_traits>
#include <utility>

namespace vendor::lanes {

using ::android::base::borrowed_fd;
using ::android::base::make_scope_guard;
using ::android::base::ReadFullyAtOffset;
using ::android::base::WriteFullyAtOffset;

namespace {

constexpr uint32_t kMagic = 0x4c4e4531;  // "1ENL"
constexpr off_t kMaxFileSize = off_t{1} << 30;

using Bytes = std::vector<uint8_t>;

// Detects every change of a single byte, and nearly all others.
class Digest {
   public:
    void add(const Bytes& bytes) {
        for (const uint8_t byte : bytes) mValue = (mValue ^ byte) * 0x100000001b3;
        mValue = (mValue ^ bytes.size()) * 0x100000001b3;
    }
    uint64_t value() const { return mValue; }

   private:
    uint64_t mValue = 0xcbf29ce484222325;
};

uint64_t digestOf(const Bytes& graph, const Bytes& constants, const Bytes& token) {
    Digest digest;
    for (const Bytes* part : {&graph, &constants, &token}) digest.add(*part);
    return digest.value();
}

class Writer {
   public:
    template <typename T>
    void add(const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        const auto* bytes = reinterpret_cast<const uint8_t*>(&value);
        mBytes.insert(mBytes.end(), bytes, bytes + sizeof(T));
    }
    template <typename T>
    void addAll(const std::vector<T>& values) {
        add(static_cast<uint32_t>(values.size()));
        for (const T& value : values) add(value);
    }
    const Bytes& bytes() const { return mBytes; }

   private:
    Bytes mBytes;
};

// Reads the data that Writer has written; if the data ends early, ok() is false.
class Reader {
   public:
    explicit Reader(const Bytes& bytes) : mBytes(bytes) {}

    template <typename T>
    T get() {
        T value{};
        if (mBytes.size() - mAt < sizeof(T)) {
            mIsOk = false;
            return value;
        }
        std::memcpy(&value, mBytes.data() + mAt, sizeof(T));
        mAt += sizeof(T);
        return value;
    }
    template <typename T>
    std::vector<T> getAll() {
        std::vector<T> values;
        for (uint32_t left = get<uint32_t>(); left > 0 && mIsOk; --left) values.push_back(get<T>());
        return values;
    }
    bool ok() const { return mIsOk; }
    bool isAtEnd() const { return mAt == mBytes.size(); }

   private:
    const Bytes& mBytes;
    size_t mAt = 0;
    bool mIsOk = true;
};

Bytes writeGraph(const nn::Model& model) {
    Writer writer;
    writer.add(static_cast<uint8_t>(model.relaxComputationFloat32toFloat16));
    writer.add(static_cast<uint32_t>(model.main.operands.size()));
    for (const nn::Operand& operand : model.main.operands) {
        writer.add(operand.type);
        writer.addAll(operand.dimensions);
        writer.add(operand.scale);
        writer.add(operand.zeroPoint);
        writer.add(operand.lifetime);
        writer.add(operand.location.offset);
        writer.add(operand.location.length);
    }
    writer.add(static_cast<uint32_t>(model.main.operations.size()));
    for (const nn::Operation& operation : model.main.operations) {
        writer.add(operation.type);
        writer.addAll(operation.inputs);
        writer.addAll(operation.outputs);
    }
    writer.addAll(model.main.inputIndexes);
    writer.addAll(model.main.outputIndexes);
    return writer.bytes();
}

nn::Operand readOperand(Reader* reader) {
    nn::Operand operand;
    operand.type = reader->get<nn::OperandType>();
    operand.dimensions = reader->getAll<uint32_t>();
    operand.scale = reader->get<float>();
    operand.zeroPoint = reader->get<int32_t>();
    operand.lifetime = reader->get<nn::Operand::LifeTime>();
    operand.location.offset = reader->get<uint32_t>();
    operand.location.length = reader->get<uint32_t>();
    return operand;
}

nn::GeneralResult<nn::Model> readModel(const Bytes& graph, Bytes constants) {
    Reader reader(graph);
    nn::Model model;
    model.relaxComputationFloat32toFloat16 = reader.get<uint8_t>() != 0;
    for (auto left = reader.get<uint32_t>(); left > 0 && reader.ok(); --left) {
        model.main.operands.push_back(readOperand(&reader));
    }
    for (auto left = reader.get<uint32_t>(); left > 0 && reader.ok(); --left) {
        nn::Operation operation;
        operation.type = reader.get<nn::OperationType>();
        operation.inputs = reader.getAll<uint32_t>();
        operation.outputs = reader.getAll<uint32_t>();
        model.main.operations.push_back(std::move(operation));
    }
    model.main.inputIndexes = reader.getAll<uint32_t>();
    model.main.outputIndexes = reader.getAll<uint32_t>();
    if (!reader.ok() || !reader.isAtEnd()) return NN_ERROR() << "the graph has a wrong length";
    model.operandValues = nn::Model::OperandValues(std::move(constants));
    NN_TRY(nn::validate(model));
    return model;
}

nn::GeneralResult<Bytes> readFile(borrowed_fd fd) {
    struct stat status;
    if (fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
        return NN_ERROR() << "a cache file is not a regular file";
    }
    if (status.st_size > kMaxFileSize) return NN_ERROR() << "a cache file is too large";
    Bytes bytes(static_cast<size_t>(status.st_size));
    if (!ReadFullyAtOffset(fd, bytes.data(), bytes.size(), 0)) {
        return NN_ERROR() << "a cache file cannot be read: " << std::strerror(errno);
    }
    return bytes;
}

bool writeFile(borrowed_fd fd, const Bytes& bytes) {
    return ftruncate(fd.get(), 0) == 0 && WriteFullyAtOffset(fd, bytes.data(), bytes.size(), 0);
}

}  // namespace

nn::GeneralResult<void> saveModel(const nn::Model& model, const CacheFiles& files) {
    auto empty = make_scope_guard([&files] {
        for (const borrowed_fd fd : {files.model, files.data}) {
            if (ftruncate(fd.get(), 0) != 0) PLOG(WARNING) << "a cache file cannot be emptied";
        }
    });
    if (!model.referenced.empty() || !model.extensionNameToPrefix.empty()) {
        return NN_ERROR() << "only plain graphs are kept";
    }
    const Bytes graph = writeGraph(model);
    const auto* values = model.operandValues.data();
    const Bytes constants(values, values + model.operandValues.size());
    Writer header;
    header.add(kMagic);
    header.add(digestOf(graph, constants, files.token));
    header.addAll(graph);
    if (!writeFile(files.data, constants) || !writeFile(files.model, header.bytes())) {
        return NN_ERROR() << "a cache file cannot be written: " << std::strerror(errno);
    }
    empty.Disable();
    return {};
}

nn::GeneralResult<nn::Model> loadModel(const CacheFiles& files) {
    const Bytes modelFile = NN_TRY(readFile(files.model));
    Bytes constants = NN_TRY(readFile(files.data));
    Reader header(modelFile);
    const auto magic = header.get<uint32_t>();
    const auto digest = header.get<uint64_t>();
    const Bytes graph = header.getAll<uint8_t>();
    if (magic != kMagic || !header.ok() || !header.isAtEnd() ||
        digest != digestOf(graph, constants, files.token)) {
        return NN_ERROR() << "the cache files are not those of this token";
    }
    return readModel(graph, std::move(constants));
}

}  // namespace vendor::lanes
