# elastane_install_library(PART): installs elastane_PART as component PART, with its own CMake and pkg-config files, so that
# parts that were not built need not be installed: cmake --install build --component core
include(CMakePackageConfigHelpers)

# of a part, in pkg-config's words: what else it needs, and its library
set(ELASTANE_PC_REQUIRES_io elastane_core)
set(ELASTANE_PC_REQUIRES_forecast elastane_io)
set(ELASTANE_PC_REQUIRES_planners elastane_core)
set(ELASTANE_PC_LIBS_core "-lelastane_core -lhwy")
set(ELASTANE_PC_LIBS_io "-lelastane_io -lz")
set(ELASTANE_PC_LIBS_forecast -lelastane_forecast)
set(ELASTANE_PC_LIBS_planners -lelastane_planners)
set(ELASTANE_PC_LIBS_c -lelastane)
set(ELASTANE_PC_REQUIRES_all "elastane_forecast elastane_planners")

# relative to where the file lies, so that the installed tree can be moved
file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(ELASTANE_PC_PREFIX "\${pcfiledir}/${up}")

function(elastane_install_pkg_config name part)
  set(ELASTANE_PC_NAME ${name})
  set(ELASTANE_PC_REQUIRES ${ELASTANE_PC_REQUIRES_${part}})
  set(ELASTANE_PC_LIBS ${ELASTANE_PC_LIBS_${part}})
  configure_file(${PROJECT_SOURCE_DIR}/cmake/elastane.pc.in ${PROJECT_BINARY_DIR}/${name}.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/${name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT ${part})
endfunction()

function(elastane_install_library part)
  install(TARGETS elastane_${part} EXPORT elastane-${part}
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${part}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT ${part})
  install(EXPORT elastane-${part} NAMESPACE elastane:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/elastane
    COMPONENT ${part})
  elastane_install_pkg_config(elastane_${part} ${part})
  # every part brings the package's own files: whichever comes first makes find_package work
  foreach(file elastane-config.cmake elastane-config-version.cmake)
    install(FILES ${PROJECT_BINARY_DIR}/${file} DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/elastane COMPONENT ${part})
  endforeach()
endfunction()
