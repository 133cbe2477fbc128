// nnapi_android/log_tag.h -- LOG_TAG of a file that defines none, or later, or no longer.
#pragma once

#pragma push_macro("LOG_TAG")
#undef LOG_TAG
inline constexpr const char* LOG_TAG = nullptr;  // the tag of the process
#pragma pop_macro("LOG_TAG")
