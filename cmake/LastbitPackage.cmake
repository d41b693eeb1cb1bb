# What people get who only run the tool: the tool, DuckDB's library, the corpus and example release
# files (component `tool`), and for the archive every other library that the tool needs except glibc
# (component `libraries`). Nothing installed names a folder of this machine: the tool looks for its
# libraries next to itself. Included after the tool.
set(private_folder "${CMAKE_INSTALL_LIBDIR}/lastbit")
set(data_folder "${CMAKE_INSTALL_DATADIR}/lastbit")
file(RELATIVE_PATH from_tool_to_libraries
  "/prefix/${CMAKE_INSTALL_BINDIR}" "/prefix/${private_folder}")

set_target_properties(lastbit lastbit-check PROPERTIES
  INSTALL_RPATH "$ORIGIN/${from_tool_to_libraries}")
foreach(program lastbit lastbit-check)
  # RPATH rather than RUNPATH: only RPATH also applies to the libraries of the libraries.
  target_link_options(${program} PRIVATE -Wl,--disable-new-dtags)
endforeach()
install(TARGETS lastbit lastbit-check RUNTIME_DEPENDENCY_SET lastbit_libraries
  RUNTIME COMPONENT tool)
if(DuckDB_FOUND)
  install(IMPORTED_RUNTIME_ARTIFACTS DuckDB::DuckDB
    LIBRARY DESTINATION "${private_folder}" COMPONENT tool)
endif()
install(DIRECTORY corpus DESTINATION "${data_folder}" COMPONENT tool)
install(DIRECTORY examples/releases DESTINATION "${data_folder}/examples" COMPONENT tool)
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT tool)
# Where Debian looks for it.
install(FILES LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}" RENAME copyright COMPONENT tool)
install(FILES third_party/duckdb/LICENSE DESTINATION "${CMAKE_INSTALL_DOCDIR}" RENAME copyright-duckdb
  COMPONENT tool)
install(RUNTIME_DEPENDENCY_SET lastbit_libraries
  PRE_EXCLUDE_REGEXES "^lib(c|m|dl|rt|pthread)\\.so" "^ld-linux" "^libduckdb\\.so"
  LIBRARY DESTINATION "${private_folder}" COMPONENT libraries EXCLUDE_FROM_ALL)
# Their licences must be passed on with them; Debian keeps each in a file.
install(SCRIPT cmake/LastbitCopyrights.cmake COMPONENT libraries EXCLUDE_FROM_ALL)
install(CODE "install_copyrights(\"${private_folder}\" \"${CMAKE_INSTALL_DOCDIR}\"
  \"${CMAKE_LIBRARY_ARCHITECTURE}\")" COMPONENT libraries EXCLUDE_FROM_ALL)

# The packages that cpack makes; LastbitPackageParts.cmake says which parts each of them has.
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME lastbit)
set(CPACK_PACKAGE_VENDOR "the Lastbit authors")
set(CPACK_PACKAGE_CONTACT "the Lastbit authors")
set(CPACK_PACKAGE_DIRECTORY "${PROJECT_SOURCE_DIR}/build/packages")
set(CPACK_BUILD_FOLDER "${PROJECT_BINARY_DIR}")
set(CPACK_PROCESSOR "${CMAKE_SYSTEM_PROCESSOR}")
set(CPACK_STRIP_FILES ON)
set(CPACK_THREADS 0)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Loaded when a release or a ledger names a PostgreSQL server.
set(CPACK_DEBIAN_PACKAGE_SUGGESTS libpq5)
if(DuckDB_FOUND)
  cmake_path(GET DuckDB_LIBRARY PARENT_PATH CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS)
endif()
set(CPACK_PROJECT_CONFIG_FILE "${PROJECT_SOURCE_DIR}/cmake/LastbitPackageParts.cmake")
include(CPack)
