set(NNAPI_ARCHITECTURE s390x)
set(NNAPI_TRIPLE s390x-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/debian.cmake)
add_link_options(-fuse-ld=bfd)  # lld does not support s390x
