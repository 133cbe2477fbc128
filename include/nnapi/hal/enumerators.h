// nnapi/hal/enumerators.h -- The rows that a version of HIDL has, as enumerators.
//
//   enum class OperationType : int32_t {
//   #define NNAPI_OPERATION(name, code, since, ...) NNAPI_ENUMERATOR(V1_1, since, name, code)
//   #include "nnapi/operations.def"
//   };
#pragma once

// "name = code," if the version is `since` or later; otherwise nothing. AIDL has one enumeration of
// all rows, for all versions.
#define NNAPI_ENUMERATOR(version, since, name, code) \
    NNAPI_ENUMERATOR_IF(NNAPI_##version##_HAS_##since)(name, code)

// The versions that each has; a pair that is not listed expands to no comma, and so to nothing.
#define NNAPI_V1_0_HAS_V1_0 ~, NNAPI_ENUMERATOR_GIVEN
#define NNAPI_V1_1_HAS_V1_0 ~, NNAPI_ENUMERATOR_GIVEN
#define NNAPI_V1_1_HAS_V1_1 ~, NNAPI_ENUMERATOR_GIVEN
#define NNAPI_V1_2_HAS_V1_0 ~, NNAPI_ENUMERATOR_GIVEN
#define NNAPI_V1_2_HAS_V1_1 ~, NNAPI_ENUMERATOR_GIVEN
#define NNAPI_V1_2_HAS_V1_2 ~, NNAPI_ENUMERATOR_GIVEN
#define NNAPI_V1_3_HAS_V1_0 ~, NNAPI_ENUMERATOR_GIVEN
#define NNAPI_V1_3_HAS_V1_1 ~, NNAPI_ENUMERATOR_GIVEN
#define NNAPI_V1_3_HAS_V1_2 ~, NNAPI_ENUMERATOR_GIVEN
#define NNAPI_V1_3_HAS_V1_3 ~, NNAPI_ENUMERATOR_GIVEN

// Parts of NNAPI_ENUMERATOR.
#define NNAPI_ENUMERATOR_GIVEN(name, code) name = code,
#define NNAPI_ENUMERATOR_NONE(name, code)
#define NNAPI_ENUMERATOR_IF(has) NNAPI_ENUMERATOR_SECOND(has, NNAPI_ENUMERATOR_NONE, ~)
#define NNAPI_ENUMERATOR_SECOND(...) NNAPI_ENUMERATOR_PICK(__VA_ARGS__)
#define NNAPI_ENUMERATOR_PICK(first, second, ...) second
