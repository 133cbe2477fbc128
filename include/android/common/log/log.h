// log/log.h -- the logging macros of Android's liblog: ALOGE, ALOGI and their like.
#pragma once
