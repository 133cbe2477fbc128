// Text of lists for messages. A file decides how long they are, so that they are cut.
//
//   listText(dimensions)    [1, 3, 224, 224]
//   listText(longList)      [0, 1, 2, ..., 15 and 249984 more], with 16 entries
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>

namespace nn {

// Entries that a message shows of a list.
inline constexpr size_t kMaxListedEntries = 16;

// The first entries of a list, separated by commas, without brackets.
template <class Range>
std::string listedEntries(const Range& list) {
    const size_t size = std::size(list);
    const size_t shown = std::min(size, kMaxListedEntries);
    const auto begin = std::begin(list);
    std::string text = fmt::format(
            "{}", fmt::join(begin, std::next(begin, static_cast<std::ptrdiff_t>(shown)), ", "));
    if (shown < size) text += fmt::format(" and {} more", size - shown);
    return text;
}

template <class Range>
std::string listText(const Range& list) {
    return "[" + listedEntries(list) + "]";
}

}  // namespace nn
