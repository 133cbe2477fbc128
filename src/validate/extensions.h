// Finds the extension types and operations of a model by the names of its prefixes.
#pragma once

#include <bit>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "nnapi/extension_operations.h"
#include "op_support/rules/op_view.h"

namespace nn {

// The properties of a type that its values depend on.
struct ElementType {
    uint32_t size = 0;  // bytes
    bool isTensor = false;

    // At which addresses its elements can be read and written.
    size_t alignment() const { return size_t{1} << std::countr_zero(size | kBufferAlignment); }
};

// For a listed type, by its row; all unknown without one.
inline ElementType elementTypeOf(const OperandTypeInfo* info) {
    if (info == nullptr) return {};
    return {.size = info->elementSize, .isTensor = info->isTensor};
}

class Extensions {
   public:
    // Fails with INVALID_ARGUMENT if a registration is invalid.
    static Result<Extensions> create(
            const Model& model,
            std::span<const std::shared_ptr<const ExtensionOperations>> registered);

    // Listed types and those of extensions. Fails for an extension's that is not registered; the
    // size is 0 for listed types without values of a size.
    Result<ElementType> elementType(OperandType type) const;

    Result<const ExtensionOperation*> operation(OperationType type) const;

    // Reports under interpreter.extension the failures that the operation's functions return.
    bool validate(const ExtensionOperation& operation, const ops::OpView& op) const;
    bool outputShapes(const ExtensionOperation& operation, const ops::OpView& op,
                      std::span<ops::Shape> shapes) const;
    // The outputs have memory. `mayContinue` fails once the execution must end.
    bool compute(const ExtensionOperation& operation, const ops::OpView& op,
                 std::function<Status()> mayContinue) const;

    // "SOFTMAX", "com.example.complex:0"; empty for a number without a name in the model.
    std::string operationName(OperationType type) const;

   private:
    struct Named {
        std::string name;
        std::shared_ptr<const ExtensionOperations> registered;  // null: it is not
        // Registered types, by number.
        std::map<uint16_t, ElementType> types{};
        std::map<uint16_t, const ExtensionOperation*> operations{};
    };
    class Call;

    // The meaning of a type or operation code; fails if no extension is registered for its prefix.
    // `what` is the number within the extension, as "operation 3".
    Result<const Named*> find(uint32_t type, std::string_view kind) const;

    std::map<uint16_t, Named> mByPrefix;
};

}  // namespace nn
