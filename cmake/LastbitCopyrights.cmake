# install_copyrights(LIBRARIES DOCUMENTS): run while installing. For every library that was installed into the
# folder LIBRARIES, installs the copyright file of its Debian package as DOCUMENTS/copyright-PACKAGE.
# Elsewhere than on Debian nothing is known about them, and a line says so.
function(install_copyrights libraries documents)
  set(prefix "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")
  find_program(dpkg_query dpkg-query)
  if(NOT dpkg_query)
    message(STATUS "This is no Debian: add the licences of ${libraries} by hand")
    return()
  endif()
  file(GLOB installed "${prefix}/${libraries}/*.so*")
  foreach(library IN LISTS installed)
    cmake_path(GET library FILENAME name)
    execute_process(COMMAND "${dpkg_query}" --search "*/${name}"
      OUTPUT_VARIABLE owners ERROR_QUIET)
    # Lines such as `libgmp10:amd64: /usr/lib/x86_64-linux-gnu/libgmp.so.10.4.1`.
    string(REGEX MATCH "^[^:,\n]+" package "${owners}")
    set(copyright "/usr/share/doc/${package}/copyright")
    if(package AND EXISTS "${copyright}")
      file(INSTALL "${copyright}" DESTINATION "${prefix}/${documents}" RENAME "copyright-${package}")
    elseif(NOT name MATCHES "^libduckdb")
      message(WARNING "${name}: found no copyright file")
    endif()
  endforeach()
endfunction()
