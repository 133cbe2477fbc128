set(NNAPI_ARCHITECTURE arm64)
set(NNAPI_TRIPLE aarch64-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/debian.cmake)
add_link_options(-B/usr/lib/llvm-14/bin)  # where this compiler finds lld
