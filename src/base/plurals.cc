#include "base/plurals.h"

namespace nn {
namespace {

// "file descriptors" -> "file descriptor", "batches" -> "batch"
std::string singular(std::string_view nouns) {
    std::string text(nouns);
    const size_t space = text.find("s ");
    const size_t end = space == std::string::npos ? text.size() : space + 1;
    if (end == 0 || text[end - 1] != 's') return text;
    const std::string_view noun = std::string_view(text).substr(0, end);
    const bool isLong = noun.ends_with("ches") || noun.ends_with("xes") || noun.ends_with("sses");
    return text.erase(end - (isLong ? 2 : 1), isLong ? 2 : 1);
}

}  // namespace

std::string toString(const Plural& counted) {
    return std::to_string(counted.number) + " " +
           (counted.number == 1 ? singular(counted.nouns) : std::string(counted.nouns));
}

std::string toString(const Below& below) {
    if (below.number == 0) return fmt::format("but {} has no {}", below.owner, below.nouns);
    return fmt::format("allowed below {}, the number of {}", below.number, below.nouns);
}

std::string toString(const DimensionList& list) {
    constexpr size_t kMax = 16;
    std::string text = "[";
    for (size_t i = 0; i < std::min(list.dimensions.size(), kMax); ++i) {
        if (i != 0) text += ", ";
        text += std::to_string(list.dimensions[i]);
    }
    if (list.dimensions.size() > kMax) {
        text += fmt::format(", ... {} in all", list.dimensions.size());
    }
    text += ']';
    return text;
}

}  // namespace nn
