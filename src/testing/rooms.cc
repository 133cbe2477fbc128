#include "testing/rooms.h"

#include <map>
#include <string>
#include <unordered_map>

#include "opkit/recipes/shared.h"

// The build lists the operation folders that have a recipe.cc: ROOM(conv_2d)ROOM(...)
#ifndef NNAPI_ROOMS_WITH_RECIPES
#error "src/CMakeLists.txt lists the rooms that have a recipe.cc"
#endif

namespace nn {
namespace ops::recipes {
#define ROOM(stem) extern const Recipes stem;
NNAPI_ROOMS_WITH_RECIPES
#undef ROOM

namespace {
constexpr struct {
    std::string_view stem;
    const Recipes* recipes;
} kRooms[] = {
#define ROOM(stem) {#stem, &stem},
        NNAPI_ROOMS_WITH_RECIPES
#undef ROOM
};
}  // namespace
}  // namespace ops::recipes

namespace {

const ops::Recipe& findRecipe(const OperationTypeInfo& operation, std::string_view operand) {
    static constexpr ops::Recipe kAny("*", ops::whole);
    for (const auto& room : ops::recipes::kRooms) {
        if (room.stem != operation.stem) continue;
        if (const auto* found = room.recipes->find(operation.type, operand)) return *found;
    }
    const auto* found = ops::recipes::find(ops::recipes::shared::kRecipes, operation.type, operand);
    return found == nullptr ? kAny : *found;
}

}  // namespace

const ops::Recipe& testing::recipeOf(const OperationTypeInfo& operation, std::string_view operand) {
    // Drawing a model asks for each operand several times.
    thread_local std::map<OperationType, std::unordered_map<std::string, const ops::Recipe*>> known;
    const ops::Recipe*& recipe = known[operation.type][std::string(operand)];
    if (recipe == nullptr) recipe = &findRecipe(operation, operand);
    return *recipe;
}

}  // namespace nn
