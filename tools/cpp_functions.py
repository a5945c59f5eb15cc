"""The functions of a C++ source, found by their braces and without a compiler.

What stands before an opening brace in a namespace or in a class distinguishes functions from types and initialisers.
"""
import re

import tree

DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.|\\\n)*", re.MULTILINE)
TEMPLATE = re.compile(r"template\s*<(?:[^<>]|<(?:[^<>]|<[^<>]*>)*>)*>")
LABEL = re.compile(r"\A(?:\s|(?:public|protected|private):)*")
SCOPE = re.compile(r"(?:(?:inline|static|const|constexpr|typedef)\s+)*(?:namespace|class|struct|union|enum|extern)\b")
LAMBDA = re.compile(r"(\w+)\s*=\s*\[")
NAME = re.compile(r"(operator\s*(?:\(\)|[^\s\w(]+|[\w: ]+)|~?[\w:]*\w)\s*\(")


def end_of(code, position):
    """One past the bracket that closes the one at the position; the end of the code if none does."""
    opening = code[position]
    closing = {"(": ")", "{": "}"}[opening]
    depth = 0
    for match in re.compile(f"[{opening}{closing}]").finditer(code, position):
        depth += 1 if match[0] == opening else -1
        if depth == 0:
            return match.end()
    return len(code)


def opens_scope(head):
    """Is it a namespace or a type, in which declarations follow?"""
    return SCOPE.match(head) and not (head.startswith("extern") and "(" in head)


def function_name(head):
    """The name that a declaration before a brace gives to a function; None if it declares something else."""
    if match := LAMBDA.search(head):
        return match[1]
    match = NAME.search(head)
    if match is None or "=" in head[:match.start()]:  # the arguments of an initialiser
        return None
    return match[1]


def functions_of(text):
    """(name, start, end) of each function, also of members in their class: positions in the text."""
    code, _ = tree.code_and_comments("a.cpp", text)
    code = DIRECTIVE.sub(lambda match: tree.blank(match[0]), code)
    start = position = 0  # of the declaration; of what is not read yet
    while match := re.compile(r"[;{}(]").search(code, position):
        position = match.end()
        if match[0] == "(":
            position = end_of(code, match.start())
        elif match[0] in ";}":
            start = position
        else:
            start += LABEL.match(code[start:match.start()]).end()
            head = TEMPLATE.sub("", code[start:match.start()]).strip()
            if opens_scope(head):
                start = position
                continue
            position = end_of(code, match.start())
            following = code[position:].lstrip()[:1]
            if (name := function_name(head)) and following not in (",", "{"):  # those follow a{1} of a constructor
                yield name, start, position
                start = position
