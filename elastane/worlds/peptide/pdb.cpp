#include "elastane/worlds/peptide/pdb.h"

#include <cstdio>

namespace elastane::peptide {
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

// readers want the main chain first: N, CA, C, O, CB
constexpr AtomKind kOrder[] = {AtomKind::n, AtomKind::ca, AtomKind::c, AtomKind::o, AtomKind::cb};

template <class... Parts>
void add_line(std::string& file, const char* format, Parts... parts) {
  char line[96];
  const int length = std::snprintf(line, sizeof line, format, parts...);
  file.append(line, static_cast<std::size_t>(length < static_cast<int>(sizeof line) ? length : sizeof line - 1));
  file.append(80 > length ? static_cast<std::size_t>(80 - length) : 0, ' ');
  file += '\n';
}

}  // namespace

std::string to_pdb(const Chain& chain, const Conformation& conformation, const std::string& title) {
  std::string file;
  add_line(file, "%-62s%-4s", "HEADER    PEPTIDE                                 01-JAN-26", "0XXX");
  add_line(file, "TITLE     %.60s", title.c_str());
  add_line(file, "CRYST1%9.3f%9.3f%9.3f%7.2f%7.2f%7.2f %-11s%4d", 1.0, 1.0, 1.0, 90.0, 90.0, 90.0, "P 1", 1);
  int serial = 0;
  const Sequence& sequence = chain.sequence();
  for (int i = 0; i < chain.residues(); ++i) {
    const char* residue = three_letters(sequence.letters[static_cast<std::size_t>(i)]).data();
    for (const AtomKind kind : kOrder) {
      if (kind == AtomKind::cb && !sequence.has_cb(i)) continue;
      const Vec3 r = conformation.at(chain.index(i, kind));
      const Name name = name_of(kind);
      add_line(file, "ATOM  %5d %4s %.3s A%4d    %8.3f%8.3f%8.3f%6.2f%6.2f          %2c", ++serial, name.padded,
               residue, i + 1, r.x, r.y, r.z, 1.0, 0.0, name.element);
    }
  }
  const char* last = three_letters(sequence.letters[static_cast<std::size_t>(chain.residues() - 1)]).data();
  add_line(file, "TER   %5d      %.3s A%4d", serial + 1, last, chain.residues());
  add_line(file, "%s", "END");
  return file;
}

}  // namespace elastane::peptide
