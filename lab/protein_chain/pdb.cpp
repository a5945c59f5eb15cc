#include "lab/protein_chain/pdb.h"

#include <cstdio>
#include <utility>

namespace elastane::protein_chain {
namespace {

struct Name {
  const char* padded;  // columns 13 to 16
  char element;
};

Name name_of(AtomKind kind) {
  switch (kind) {
    case AtomKind::n: return {" N  ", 'N'};
    case AtomKind::ca: return {" CA ", 'C'};
    case AtomKind::cb: return {" CB ", 'C'};
    case AtomKind::c: return {" C  ", 'C'};
    case AtomKind::o: break;
  }
  return {" O  ", 'O'};
}

template <class... Parts>
void add_line(std::string& file, const char* format, Parts... parts) {
  char line[96];
  const int length = std::snprintf(line, sizeof line, format, parts...);
  file.append(line, static_cast<std::size_t>(length < static_cast<int>(sizeof line) ? length : sizeof line - 1));
  file.append(80 > length ? static_cast<std::size_t>(80 - length) : 0, ' ');
  file += '\n';
}

}  // namespace

PdbWriter::PdbWriter(const std::string& kind, const std::string& title) {
  add_line(file_, "HEADER    %-40s01-JAN-26   0XXX", kind.c_str());
  add_line(file_, "TITLE     %.60s", title.c_str());
  add_line(file_, "CRYST1%9.3f%9.3f%9.3f%7.2f%7.2f%7.2f %-11s%4d", 1.0, 1.0, 1.0, 90.0, 90.0, 90.0, "P 1", 1);
}

void PdbWriter::add_atom(AtomKind kind, char letter, Vec3 at, double b) {
  const Name name = name_of(kind);
  add_line(file_, "ATOM  %5d %4s %.3s A%4d    %8.3f%8.3f%8.3f%6.2f%6.2f          %2c", ++serial_, name.padded,
           three_letters(letter).data(), residue_, at.x, at.y, at.z, 1.0, b, name.element);
}

std::string PdbWriter::finish() {
  add_line(file_, "TER   %5d      %.3s A%4d", serial_ + 1, three_letters(letter_).data(), residue_ - 1);
  add_line(file_, "%s", "END");
  return std::move(file_);
}

}  // namespace elastane::protein_chain
