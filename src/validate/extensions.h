// Finds the extension types and operations of a model by the names that its prefixes stand for.
#pragma once

#include <bit>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "nnapi/extension_operations.h"
#include "opkit/rules/call.h"

namespace nn {

// What must be known of a type to hold its values.
struct ElementType {
    uint32_t size = 0;  // bytes
    bool isTensor = false;

    // At which addresses its elements can be read and written.
    size_t alignment() const { return size_t{1} << std::countr_zero(size | kBufferAlignment); }
};

// Of a listed type, by its row; nothing is known without one.
inline ElementType elementTypeOf(const OperandTypeInfo* info) {
    if (info == nullptr) return {};
    return {.size = info->elementSize, .isTensor = info->isTensor};
}

class Extensions {
   public:
    // Fails with INVALID_ARGUMENT where what is registered is not legal.
    static Result<Extensions> create(
            const Model& model,
            std::span<const std::shared_ptr<const ExtensionOperations>> registered);

    // Listed types and those of extensions. Fails for an extension's that is not registered; the
    // size is 0 for listed types without values of a size.
    Result<ElementType> elementType(OperandType type) const;

    Result<const ExtensionOperation*> operation(OperationType type) const;

    // Report under interpreter.extension what the functions of the operation answer.
    bool validate(const ExtensionOperation& operation, const ops::Call& op) const;
    bool outputShapes(const ExtensionOperation& operation, const ops::Call& op,
                      std::span<ops::Shape> shapes) const;
    // The outputs have memory.
    bool compute(const ExtensionOperation& operation, const ops::Call& op) const;

    // "SOFTMAX", "com.example.complex:0"; empty for a number that the model gives no name.
    std::string operationName(OperationType type) const;

   private:
    struct Named {
        std::string name;
        std::shared_ptr<const ExtensionOperations> registered;  // null: it is not
        // What is registered, by number.
        std::map<uint16_t, ElementType> types{};
        std::map<uint16_t, const ExtensionOperation*> operations{};
    };
    class Call;

    // What a prefix stands for; fails where no extension is registered for it. `what` is the number
    // within the extension, as "operation 3".
    Result<const Named*> find(uint32_t type, std::string_view kind) const;

    std::map<uint16_t, Named> mByPrefix;
};

}  // namespace nn
