// Prints the HIDL and AIDL conversions of all vectors: the output is the same whether compiled
// against the stand-ins or against generated headers.
//
//   nnapi_conversions tests/vectors > conversions.txt
//
// Each line is for a vector and a version: whether the conversion succeeds or its error, its
// losses, a digest of every number and character of the object, and whether it survives the round
// trip.
#include <concepts>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>

#include "nnapi/convert.h"
#include "nnapi/io.h"
#include "nnapi/kinds.h"
#include "nnapi/print.h"

namespace nn {
namespace {

// FNV-1a.
class Digest {
   public:
    template <class T>
    void add(const T& value) {
        if constexpr (HasFields<T>) {
            visitFields(std::type_identity<T>{}, [&](std::string_view name, auto member) {
                addText(name);
                add(value.*member);
            });
        } else if constexpr (HidlUnion<T> || AidlUnion<T>) {
            visitHeld(value, [&](std::string_view name, const auto& member) {
                addText(name);
                add(member);
            });
        } else if constexpr (kinds::isOptional<T>) {
            addText(value ? "a value" : "no value");
            if (value) add(*value);
        } else if constexpr (std::same_as<T, ::ndk::ScopedFileDescriptor>) {
            addText(value.get() >= 0 ? "a file" : "no file");
        } else if constexpr (
                requires { value.begin(); } && !requires { value.c_str(); }) {
            addText(std::to_string(value.size()));
            for (const auto& each : value) add(each);
        } else {
            addText(print(value));
        }
    }
    void addText(std::string_view text) {
        for (const char each : text) addByte(static_cast<uint8_t>(each));
        addByte(0xff);
    }
    uint64_t value() const { return mValue; }

   private:
    void addByte(uint8_t byte) { mValue = (mValue ^ byte) * 0x100000001b3; }

    uint64_t mValue = 0xcbf29ce484222325;
};

template <class Hal>
void printConversion(const Result<Hal>& hal, const Losses& losses, const Model& model) {
    if (!hal.ok()) {
        std::printf(" refused: %s\n", hal.status().ToString().c_str());
        return;
    }
    Digest digest;
    digest.add(*hal);
    const Result<Model> back = unvalidatedConvert(*hal);
    std::printf(" %016llx %s", static_cast<unsigned long long>(digest.value()),
                !back.ok()       ? back.status().ToString().c_str()
                : *back == model ? "comes back"
                                 : "comes back changed");
    for (const Loss& loss : losses) std::printf("; %s", toString(loss).c_str());
    std::printf("\n");
}

template <HalVersion V>
void printConversions(const TestCase& testCase) {
    for (const bool isValidated : {true, false}) {
        Losses losses;
        const auto hal = isValidated ? convertTo<V>(testCase.model, &losses)
                                     : unvalidatedConvertTo<V>(testCase.model, &losses);
        std::printf("%s %s %s", testCase.name.c_str(), std::string(titleOf(V)).c_str(),
                    isValidated ? "validated" : "unvalidated");
        printConversion(hal, losses, testCase.model);
    }
}

int printAll(const char* folder) {
    std::set<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.path().extension() == ".gz") files.insert(entry.path());
    }
    for (const std::filesystem::path& file : files) {
        Result<TestCaseReader> reader = TestCaseReader::open(file);
        if (!reader.ok()) return 1;
        while (auto testCase = reader->next()) {
            if (!testCase->ok()) return 1;
#define NNAPI_HAL_VERSION(name, ...) printConversions<HalVersion::name>(**testCase);
#include "nnapi/hal_versions.def"
        }
    }
    return files.empty() ? 1 : 0;
}

}  // namespace
}  // namespace nn

int main(int count, char** arguments) {
    if (count == 2) return nn::printAll(arguments[1]);
    std::fprintf(stderr, "usage: nnapi_conversions FOLDER-OF-VECTORS\n");
    return 2;
}
