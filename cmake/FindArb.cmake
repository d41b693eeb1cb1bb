# Arb ships no CMake package. Debian 12 names the library flint-arb and the header arb.h; since
# FLINT 3 Arb is part of FLINT itself and the header is flint/arb.h. Creates the target Arb::Arb,
# with LASTBIT_ARB_IN_FLINT defined in the second case.
find_path(Arb_INCLUDE_DIR NAMES arb.h flint/arb.h)
find_library(Arb_LIBRARY NAMES flint-arb arb flint)
find_library(Arb_FLINT_LIBRARY NAMES flint)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Arb REQUIRED_VARS Arb_LIBRARY Arb_FLINT_LIBRARY Arb_INCLUDE_DIR)
if(Arb_FOUND AND NOT TARGET Arb::Arb)
  add_library(Arb::Arb UNKNOWN IMPORTED)
  set_target_properties(Arb::Arb PROPERTIES
    IMPORTED_LOCATION "${Arb_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${Arb_INCLUDE_DIR}"
    INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${Arb_INCLUDE_DIR}"
    INTERFACE_LINK_LIBRARIES "${Arb_FLINT_LIBRARY}")
  if(NOT EXISTS "${Arb_INCLUDE_DIR}/arb.h")
    set_target_properties(Arb::Arb PROPERTIES INTERFACE_COMPILE_DEFINITIONS LASTBIT_ARB_IN_FLINT)
  endif()
endif()
mark_as_advanced(Arb_INCLUDE_DIR Arb_LIBRARY Arb_FLINT_LIBRARY)
