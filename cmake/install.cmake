# cmake --install: libraries, headers, find_package(elastane) and pkg-config files, in components core, io, forecast and
# planners (and c, of bindings/c).
include(${PROJECT_SOURCE_DIR}/cmake/install_part.cmake)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/elastane-config.cmake.in
  ${PROJECT_BINARY_DIR}/elastane-config.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/elastane)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/elastane-config-version.cmake COMPATIBILITY SameMinorVersion)

foreach(part core io forecast planners)
  elastane_install_library(${part})
endforeach()
elastane_install_pkg_config(elastane all)

file(STRINGS ${PROJECT_SOURCE_DIR}/cmake/public_headers.txt headers REGEX "^elastane/")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/public_headers.txt)
foreach(header ${headers})
  get_filename_component(folder ${header} DIRECTORY)
  # elastane/core/… belongs to core, elastane.h to the last part that it includes
  if(header MATCHES "^elastane/([a-z]+)/")
    set(part ${CMAKE_MATCH_1})
  else()
    set(part forecast)
  endif()
  install(FILES ${PROJECT_SOURCE_DIR}/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder} COMPONENT ${part})
endforeach()
