# The package that an outside project finds with find_package(lastbit): one target per module, and
# lastbit::lastbit for all of them. Included after the last module.
get_property(modules GLOBAL PROPERTY lastbit_installed_modules)
add_library(lastbit_all INTERFACE)
add_library(lastbit::lastbit ALIAS lastbit_all)
set_target_properties(lastbit_all PROPERTIES EXPORT_NAME lastbit)
target_link_libraries(lastbit_all INTERFACE ${modules})
install(TARGETS lastbit_all EXPORT lastbit-targets)
install(FILES lastbit/lastbit.h DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/lastbit")

set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/lastbit")
install(EXPORT lastbit-targets NAMESPACE lastbit:: DESTINATION "${package_folder}")
configure_package_config_file(
  "${PROJECT_SOURCE_DIR}/cmake/lastbit-config.cmake.in"
  "${PROJECT_BINARY_DIR}/lastbit-config.cmake" INSTALL_DESTINATION "${package_folder}")
write_basic_package_version_file(
  "${PROJECT_BINARY_DIR}/lastbit-config-version.cmake" COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/lastbit-config.cmake" "${PROJECT_BINARY_DIR}/lastbit-config-version.cmake"
  cmake/FindGMP.cmake cmake/FindMPFR.cmake cmake/FindArb.cmake cmake/FindUtf8proc.cmake
  cmake/FindZstd.cmake
  DESTINATION "${package_folder}")
