set(NNAPI_ARCHITECTURE riscv64)
set(NNAPI_TRIPLE riscv64-linux-gnu)
include(${CMAKE_CURRENT_LIST_DIR}/debian.cmake)
# lld 14 cannot relax its calls, and libraries of Debian 13 find their newer libstdc++ at run time.
add_link_options(-fuse-ld=bfd -Wl,--allow-shlib-undefined)
