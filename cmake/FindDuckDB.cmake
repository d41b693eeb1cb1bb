# DuckDB: the shared library and its C header, from the two pinned packages that `./run` fetches
# into third_party/duckdb/node_modules, or from DuckDB_ROOT. Makes the target DuckDB::DuckDB.
set(packages "${CMAKE_CURRENT_LIST_DIR}/../third_party/duckdb/node_modules")
cmake_path(NORMAL_PATH packages)
find_library(DuckDB_LIBRARY duckdb
  HINTS "${packages}/@duckdb/node-bindings-linux-x64" PATH_SUFFIXES lib)
find_path(DuckDB_INCLUDE_DIR duckdb.h
  HINTS "${packages}/duckdb/src/duckdb/src/include" PATH_SUFFIXES include)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(DuckDB REQUIRED_VARS DuckDB_LIBRARY DuckDB_INCLUDE_DIR)
if(DuckDB_FOUND AND NOT TARGET DuckDB::DuckDB)
  add_library(DuckDB::DuckDB SHARED IMPORTED)
  set_target_properties(DuckDB::DuckDB PROPERTIES
    IMPORTED_LOCATION "${DuckDB_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${DuckDB_INCLUDE_DIR}")
endif()
mark_as_advanced(DuckDB_LIBRARY DuckDB_INCLUDE_DIR)
