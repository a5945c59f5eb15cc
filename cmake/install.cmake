# cmake --install: libraries, headers, find_package(elastane) and a pkg-config file.
include(CMakePackageConfigHelpers)

install(TARGETS elastane_core elastane_io elastane_forecast elastane_planners EXPORT elastane
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/elastane/core ${PROJECT_SOURCE_DIR}/elastane/io
  ${PROJECT_SOURCE_DIR}/elastane/forecast ${PROJECT_SOURCE_DIR}/elastane/planners
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/elastane FILES_MATCHING PATTERN "*.h" PATTERN "*-inl.h" EXCLUDE
  PATTERN "eigen_view.h" EXCLUDE
  # these need nlohmann-json, or are how forecasters are fitted
  PATTERN "json.h" EXCLUDE PATTERN "json_fields.h" EXCLUDE PATTERN "stored_arrays.h" EXCLUDE
  PATTERN "stored_file.h" EXCLUDE PATTERN "placer.h" EXCLUDE PATTERN "config_json.h" EXCLUDE
  PATTERN "blank_model.h" EXCLUDE PATTERN "held_out_errors.h" EXCLUDE PATTERN "held_out_tuning.h" EXCLUDE
  PATTERN "season.h" EXCLUDE PATTERN "forecast_method.h" EXCLUDE PATTERN "forecast_score.h" EXCLUDE)
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
