# DuckDB: the shared library from the pinned package that `./run` fetches into
# third_party/duckdb/node_modules, and the header for it from third_party/duckdb/include; or both
# from DuckDB_ROOT. Creates the target DuckDB::DuckDB.
set(duckdb "${CMAKE_CURRENT_LIST_DIR}/../third_party/duckdb")
cmake_path(NORMAL_PATH duckdb)
# A build folder may remember the header of an earlier version, which is gone.
if(DuckDB_INCLUDE_DIR AND NOT EXISTS "${DuckDB_INCLUDE_DIR}/duckdb.h")
  unset(DuckDB_INCLUDE_DIR CACHE)
endif()
find_library(DuckDB_LIBRARY duckdb
  HINTS "${duckdb}/node_modules/@duckdb/node-bindings-linux-x64" PATH_SUFFIXES lib)
find_path(DuckDB_INCLUDE_DIR duckdb.h HINTS "${duckdb}" PATH_SUFFIXES include)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(DuckDB REQUIRED_VARS DuckDB_LIBRARY DuckDB_INCLUDE_DIR)
if(DuckDB_FOUND AND NOT TARGET DuckDB::DuckDB)
  add_library(DuckDB::DuckDB SHARED IMPORTED)
  set_target_properties(DuckDB::DuckDB PROPERTIES
    IMPORTED_LOCATION "${DuckDB_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${DuckDB_INCLUDE_DIR}")
endif()
mark_as_advanced(DuckDB_LIBRARY DuckDB_INCLUDE_DIR)
