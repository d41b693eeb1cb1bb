# install_copyrights(LIBRARIES DOCUMENTS ARCHITECTURE): run while installing. For every library in the installed
# folder LIBRARIES, installs the copyright file of its Debian package as DOCUMENTS/copyright-PACKAGE. On other
# systems it only says that somebody must do this by hand.
function(install_copyrights libraries documents architecture)
  set(prefix "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
  find_program(dpkg_query dpkg-query)
  if(NOT dpkg_query)
    message(STATUS "This is not Debian: add the licences of ${libraries} by hand")
    return()
  endif()
  file(GLOB installed "${prefix}/${libraries}/*.so*")
  list(FILTER installed EXCLUDE REGEX "/libduckdb")
  foreach(library IN LISTS installed)
    cmake_path(GET library FILENAME name)
    # A line such as `libgmp10:amd64: /usr/lib/x86_64-linux-gnu/libgmp.so.10`.
    execute_process(COMMAND "${dpkg_query}" --search "*/${architecture}/${name}"
      OUTPUT_VARIABLE owner ERROR_QUIET)
    string(REGEX MATCH "^[^:,\n]+" package "${owner}")
    set(copyright "/usr/share/doc/${package}/copyright")
    if(NOT package OR NOT EXISTS "${copyright}")
      message(FATAL_ERROR "${name}: found no copyright file, and it must not be passed on without")
    endif()
    file(INSTALL "${copyright}" DESTINATION "${prefix}/${documents}" RENAME "copyright-${package}")
  endforeach()
endfunction()
