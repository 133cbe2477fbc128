# A port of vcpkg for the tree that it is in: vcpkg install nnapi --overlay-ports=packaging/vcpkg
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

vcpkg_check_linkage(ONLY_STATIC_LIBRARY)
vcpkg_check_features(OUT_FEATURE_OPTIONS features
    FEATURES
        importers NNAPI_IMPORTERS
        service   NNAPI_SERVICE
        xnnpack   NNAPI_XNNPACK
    INVERTED_FEATURES
        devices   NNAPI_CORE
)
vcpkg_cmake_configure(
    SOURCE_PATH "${SOURCE_PATH}"
    OPTIONS -DNNAPI_DEVELOP=OFF -DNNAPI_INSTALL=ON -DNNAPI_PYTHON=OFF ${features}
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME nnapi CONFIG_PATH lib/cmake/nnapi)
vcpkg_fixup_pkgconfig()
if("devices" IN_LIST FEATURES)
    vcpkg_copy_tools(TOOL_NAMES nnapi nnapi-device AUTO_CLEAN)
endif()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE" "${SOURCE_PATH}/NOTICE")
