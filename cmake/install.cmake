# cmake --install: libraries, headers, find_package(elastane) and a pkg-config file.
include(CMakePackageConfigHelpers)

install(TARGETS elastane_core elastane_io elastane_forecast elastane_planners EXPORT elastane
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
file(STRINGS ${PROJECT_SOURCE_DIR}/cmake/public_headers.txt headers REGEX "^elastane/")
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/public_headers.txt)
foreach(header ${headers})
  get_filename_component(folder ${header} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/${folder})
endforeach()
install(EXPORT elastane NAMESPACE elastane:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/elastane)

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/elastane-config.cmake.in
  ${PROJECT_BINARY_DIR}/elastane-config.cmake INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/elastane)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/elastane-config-version.cmake COMPATIBILITY SameMinorVersion)
# relative to where the file lies, so that the installed tree can be moved
file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(ELASTANE_PC_PREFIX "\${pcfiledir}/${up}")
configure_file(${PROJECT_SOURCE_DIR}/cmake/elastane.pc.in ${PROJECT_BINARY_DIR}/elastane.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/elastane-config.cmake ${PROJECT_BINARY_DIR}/elastane-config-version.cmake
  DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/elastane)
install(FILES ${PROJECT_BINARY_DIR}/elastane.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
