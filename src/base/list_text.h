// Text of lists for messages. A file decides how long they are, so that they are cut.
//
//   listText(dimensions)    [1, 3, 224, 224]
//   listText(longList)      [0, 1, 2, ..., 15 and 249984 more], with 16 entries
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <string>

namespace nn {

// Entries that a message shows of a list.
inline constexpr size_t kMaxListedEntries = 16;

// The first entries of a list, as `show` writes each, separated by commas, without brackets.
template <class Range, class Show = std::identity>
std::string listedEntries(const Range& list, Show show = {}) {
    const size_t size = std::size(list);
    std::string text;
    size_t shown = 0;
    for (auto entry = std::begin(list); shown < std::min(size, kMaxListedEntries); ++entry) {
        fmt::format_to(std::back_inserter(text), "{}{}", shown++ == 0 ? "" : ", ", show(*entry));
    }
    if (shown < size) text += fmt::format(" and {} more", size - shown);
    return text;
}

template <class Range>
std::string listText(const Range& list) {
    return "[" + listedEntries(list) + "]";
}

}  // namespace nn
