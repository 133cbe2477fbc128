// android-base/thread_annotations.h -- what clang is to know about mutexes.
//
//   std::mutex mMutex;
//   int mCount GUARDED_BY(mMutex) = 0;
//
// They say nothing unless the mutexes of the C++ library are annotated, which those of libstdc++
// are not.
#pragma once

#include <absl/base/thread_annotations.h>

// Which has some of these names, too.
#undef ACQUIRED_AFTER
#undef ACQUIRED_BEFORE
#undef EXCLUSIVE_LOCKS_REQUIRED
#undef GUARDED_BY
#undef LOCKS_EXCLUDED
#undef LOCK_RETURNED
#undef NO_THREAD_SAFETY_ANALYSIS
#undef PT_GUARDED_BY
#undef SHARED_LOCKS_REQUIRED
#undef THREAD_ANNOTATION_ATTRIBUTE__

#if defined(__clang__) && defined(_LIBCPP_ENABLE_THREAD_SAFETY_ANNOTATIONS)
#define THREAD_ANNOTATION_ATTRIBUTE__(x) __attribute__((x))
#else
#define THREAD_ANNOTATION_ATTRIBUTE__(x)
#endif

#define CAPABILITY(x) THREAD_ANNOTATION_ATTRIBUTE__(capability(x))
#define SCOPED_CAPABILITY THREAD_ANNOTATION_ATTRIBUTE__(scoped_lockable)
#define SHARED_CAPABILITY(...) THREAD_ANNOTATION_ATTRIBUTE__(shared_capability(__VA_ARGS__))
#define GUARDED_BY(x) THREAD_ANNOTATION_ATTRIBUTE__(guarded_by(x))
#define PT_GUARDED_BY(x) THREAD_ANNOTATION_ATTRIBUTE__(pt_guarded_by(x))
#define EXCLUSIVE_LOCKS_REQUIRED(...) \
    THREAD_ANNOTATION_ATTRIBUTE__(exclusive_locks_required(__VA_ARGS__))
#define SHARED_LOCKS_REQUIRED(...) THREAD_ANNOTATION_ATTRIBUTE__(shared_locks_required(__VA_ARGS__))
#define ACQUIRED_BEFORE(...) THREAD_ANNOTATION_ATTRIBUTE__(acquired_before(__VA_ARGS__))
#define ACQUIRED_AFTER(...) THREAD_ANNOTATION_ATTRIBUTE__(acquired_after(__VA_ARGS__))
#define REQUIRES(...) THREAD_ANNOTATION_ATTRIBUTE__(requires_capability(__VA_ARGS__))
#define REQUIRES_SHARED(...) THREAD_ANNOTATION_ATTRIBUTE__(requires_shared_capability(__VA_ARGS__))
#define ACQUIRE(...) THREAD_ANNOTATION_ATTRIBUTE__(acquire_capability(__VA_ARGS__))
#define ACQUIRE_SHARED(...) THREAD_ANNOTATION_ATTRIBUTE__(acquire_shared_capability(__VA_ARGS__))
#define RELEASE(...) THREAD_ANNOTATION_ATTRIBUTE__(release_capability(__VA_ARGS__))
#define RELEASE_SHARED(...) THREAD_ANNOTATION_ATTRIBUTE__(release_shared_capability(__VA_ARGS__))
#define TRY_ACQUIRE(...) THREAD_ANNOTATION_ATTRIBUTE__(try_acquire_capability(__VA_ARGS__))
#define TRY_ACQUIRE_SHARED(...) \
    THREAD_ANNOTATION_ATTRIBUTE__(try_acquire_shared_capability(__VA_ARGS__))
#define EXCLUDES(...) THREAD_ANNOTATION_ATTRIBUTE__(locks_excluded(__VA_ARGS__))
#ifndef LOCKS_EXCLUDED  // abseil has it, too
#define LOCKS_EXCLUDED(...) EXCLUDES(__VA_ARGS__)
#endif
#define ASSERT_CAPABILITY(x) THREAD_ANNOTATION_ATTRIBUTE__(assert_capability(x))
#define RETURN_CAPABILITY(x) THREAD_ANNOTATION_ATTRIBUTE__(lock_returned(x))
#ifndef LOCK_RETURNED
#define LOCK_RETURNED(x) RETURN_CAPABILITY(x)
#endif
#define NO_THREAD_SAFETY_ANALYSIS THREAD_ANNOTATION_ATTRIBUTE__(no_thread_safety_analysis)

namespace android::base {

// Tells clang that a mutex is held, which it cannot see.
class SCOPED_CAPABILITY ScopedLockAssertion {
   public:
    template <class Mutex>
    explicit ScopedLockAssertion(Mutex& mutex [[maybe_unused]]) ACQUIRE(mutex) {}
    ~ScopedLockAssertion() RELEASE() {}
};

}  // namespace android::base
