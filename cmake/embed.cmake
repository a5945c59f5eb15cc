# cmake -DOUT=… -DNAMESPACE=… -DFILES="a.js;b.css" -P embed.cmake: writes files as C++ strings, a_js and b_css, and
# their declarations beside them.
set(source "// Made by cmake/embed.cmake.\n#include \"${OUT}.h\"\n\nnamespace ${NAMESPACE} {\n\n")
set(header "// Texts that became part of the program: made by cmake/embed.cmake.\n#pragma once\n\nnamespace ${NAMESPACE} {\n\n")
foreach(path ${FILES})
  get_filename_component(name ${path} NAME)
  string(REPLACE "." "_" name ${name})
  file(READ ${path} text)
  string(APPEND source "const char* const ${name} = R\"elastane(${text})elastane\";\n")
  string(APPEND header "extern const char* const ${name};\n")
endforeach()
file(WRITE ${OUT}.cpp "${source}\n}  // namespace ${NAMESPACE}\n")
file(WRITE ${OUT}.h "${header}\n}  // namespace ${NAMESPACE}\n")
