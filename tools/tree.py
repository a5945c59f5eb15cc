"""What the checks of this folder share: the files of the repository, the parts of a source, and the self-tests."""
import os
import re
import sys
import tempfile
from fnmatch import fnmatch
from pathlib import Path

PUBLIC_HEADERS, INSTALL = "cmake/public_headers.txt", "cmake/install.cmake"
SKIPPED = {"./build", "./runs", "node_modules", "__pycache__"}  # and hidden folders, but for .ci
STRING = r"""|"(?:[^"\\\n]|\\.)*"|(?<![0-9a-fA-F])'(?:[^'\\\n]|\\.)*'"""  # 1'000 is not one
LITERAL_OR_COMMENT = {  # group 1 is a comment, everything else a literal
    "c": re.compile(r"""(//[^\n]*|/\*.*?\*/)|R"([^\s()\\]*)\(.*?\)\2"|`(?:[^`\\]|\\.)*`""" + STRING, re.DOTALL),
    "script": re.compile(r"""((?<![^\s;])\#[^\n]*|\"{3}.*?\"{3}|'{3}.*?'{3})""" + STRING, re.DOTALL),
}
C_LIKE = (".h", ".cpp", ".cc", ".c", ".js", ".mjs", ".ts")
SCRIPTS = (".py", ".sh", ".cmake", "CMakeLists.txt")


def files_in(root):
    """Every file as a path from the root, in order."""
    for here, folders, names in os.walk(root):
        above = "./" if here == str(root) else ""
        folders[:] = sorted(f for f in folders if not {f, above + f} & SKIPPED and (f[0] != "." or f == ".ci"))
        for name in sorted(names):
            yield (Path(here) / name).relative_to(root).as_posix()


def read(root, path):
    return (Path(root) / path).read_text(encoding="utf-8", errors="replace")


def is_script(path, text):
    return path.endswith(SCRIPTS) or text.startswith("#!")


def is_source(path, text):
    return path.endswith(C_LIKE) or is_script(path, text)


def blank(text):
    """The same lines and columns, with nothing on them."""
    return re.sub(r"[^\n]", " ", text)


def code_and_comments(path, text):
    """A source twice: once without comments and literals, once with comments only. Lines and columns stay."""
    code, comments, last = [], [], 0
    for match in LITERAL_OR_COMMENT["script" if is_script(path, text) else "c"].finditer(text):
        between = text[last:match.start()]
        code += [between, blank(match[0])]
        comments += [blank(between), match[0] if match[1] else blank(match[0])]
        last = match.end()
    return "".join(code) + text[last:], "".join(comments) + blank(text[last:])


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def table_lines(root, path):
    """(number, fields) of each line of a list file; two spaces or more stand between fields, # begins a comment."""
    if not (Path(root) / path).is_file():
        return
    for number, line in enumerate(read(root, path).splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield number, re.split(r"\s{2,}|\t", line.strip())


def public_headers(root):
    """What is installed: by the list of public headers, or, without one, by the folders that are installed."""
    if (Path(root) / PUBLIC_HEADERS).is_file():
        return [fields[0] for _, fields in table_lines(root, PUBLIC_HEADERS)]
    install = read(root, INSTALL) if (Path(root) / INSTALL).is_file() else ""
    install = " ".join(re.findall(r"install\(DIRECTORY(.*?)\)", install, re.DOTALL))
    folders = tuple(folder + "/" for folder in re.findall(r"\b(elastane/[\w/]+)", install))
    excluded = re.findall(r'PATTERN "([^"]+)" EXCLUDE', install)
    return [path for path in files_in(root) if path.startswith(folders or "\0") and path.endswith(".h")
            and not any(fnmatch(path.rsplit("/", 1)[-1], pattern) for pattern in excluded)]


def self_test(name, cases, offences):
    """cases: (files of a little tree, a part of the only complaint that it must raise; "" if it must raise none)."""
    failures = 0
    for files, expected in cases:
        with tempfile.TemporaryDirectory() as folder:
            for file, text in files.items():
                path = Path(folder) / file
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            found = offences(folder)
        right = len(found) == 1 and expected in ": ".join(found[0]) if expected else not found
        failures += not right
        shown = ", ".join(list(files)[-2:])
        print(f"{'right' if right else 'WRONG'}: {shown} → {[': '.join(f) for f in found] or 'nothing'}")
    print(f"{name} --self-test: {len(cases)} trees, {failures} failures")
    return 1 if failures else 0


def root_from(arguments, usage):
    """The folder to check: the only argument, or the repository."""
    if len(arguments) > 1 or any(a.startswith("-") for a in arguments):
        sys.exit(usage)
    return Path(arguments[0]) if arguments else Path(__file__).resolve().parent.parent


def report(name, found, summary):
    for where, wrong in found:
        print(f"{where}: {wrong}")
    print(f"{name}: {summary}, {len(found)} offences")
    return 1 if found else 0
