# Read by cpack once for each package. The .deb leaves libraries to Debian; the archive includes
# them. Headers and static libraries are in neither: people who compile have the source.
set(CPACK_INSTALL_CMAKE_PROJECTS "${CPACK_BUILD_FOLDER};${CPACK_PACKAGE_NAME};tool;/")
if(CPACK_GENERATOR STREQUAL "TGZ")
  list(APPEND CPACK_INSTALL_CMAKE_PROJECTS
    "${CPACK_BUILD_FOLDER};${CPACK_PACKAGE_NAME};libraries;/")
  set(CPACK_PACKAGE_FILE_NAME "lastbit-${CPACK_PACKAGE_VERSION}-linux-${CPACK_PROCESSOR}")
endif()
