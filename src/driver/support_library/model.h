// Builds a support library's own representation of a model.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include "driver/support_library/library.h"
#include "nnapi/driver/result.h"
#include "nnapi/types.h"

namespace nn::driver {

// A model that is finished. The canonical one is legal, without pointers, and as long as the
// library's: values of more than 128 bytes are not copied.
struct LibraryModel {
    Model model{};
    std::vector<std::shared_ptr<ANeuralNetworksMemory>> memories{};   // by pool
    std::vector<std::shared_ptr<ANeuralNetworksModel>> referenced{};  // by graph
    std::shared_ptr<ANeuralNetworksModel> main{};
    std::map<OperandType, int32_t> extensionTypes{};  // as the library numbers them
};

// INVALID_ARGUMENT for an illegal model; otherwise any error of the library.
GeneralResult<std::shared_ptr<const LibraryModel>> buildModel(const Library& library, Model model);

// The name and the code within it of a type, an operation or an attribute of an extension. Legal
// models and hints have a name for each.
struct ExtensionCode {
    const char* name = nullptr;
    uint16_t code = 0;
};
GeneralResult<ExtensionCode> extensionCodeOf(uint32_t token,
                                             const std::vector<ExtensionNameAndPrefix>& names);

// Passes the hints to the library. Hints that it does not support, and all hints before level 8,
// are dropped and logged.
Status addHints(
        const Library& library, const std::vector<TokenValuePair>& hints,
        const std::vector<ExtensionNameAndPrefix>& names, std::string_view function,
        const std::function<int(const NnApiSLDriverImplFL8& table, const ExtensionCode& code,
                                const std::vector<uint8_t>& value)>& add);

}  // namespace nn::driver
