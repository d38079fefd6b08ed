"""What a person reads is in plain words: no sentence is too long, and everything has one name, that of the glossary."""

import ast
import importlib.util
import inspect
import re
import tokenize
from pathlib import Path

import pytest

from festina.papers import find, names
from festina.papers.chapters import CHAPTERS

pytestmark = pytest.mark.docs

ROOT = Path(__file__).parent.parent
GLOSSARY = ROOT / "docs" / "glossary.md"
MOST = 30
"""Words of a sentence."""

PAGES = sorted(
    path
    for pattern in ("*.md", "docs/**/*.md", "src/festina/**/README.md")
    for path in ROOT.glob(pattern)
    if "generated" not in path.parts and path.name not in {"glossary.md", "claims.md", "coverage.md"}
)
"""The tables of claims and coverage are written from the code, which is read here itself."""

SOURCES = sorted(
    path
    for folder, kinds in {"src": ("py", "md", "html"), "docs": ("py",), "web/src": ("ts",), "examples": ("py",)}.items()
    for kind in kinds
    for path in (ROOT / folder).rglob(f"*.{kind}")
    if not {"generated", "__pycache__", "node_modules"} & set(path.parts)
)

ODD = re.compile(
    r"the normal probability"
    r"|ends? (?:it )?(?:with|in) a word|is mended|told together|of one's own\b|the papers' print|beside what\b"
    r"|has against it|what came of|made white|in which order do|how far it was right|are there to read"
    r"|nothing is kept compatible|starts? so\b|any dial|no solver knows|have no place in|the user's alone"
    r"|what is longer is none|where the print|what there is to learn|half way at|at a single point\b.*map in units"
    r"|who knows the|over the last time|called so\b|half way|rest together|(?:lie|start|or) on the modes"
    r"|says of the targets|by so many modules|time of leaving|one usually finds|experiment is '"
    r"|commuting holds|fails (?:bias|overlap)|begins anew|says else|stand for all their|one to every network"
    r"|: of the (?:times|draws|argument|intervals|model|run)\b|none where\b",
    re.IGNORECASE,
)
"""Turns of phrase at which readers stumbled."""

SECTION = re.compile(r"^(?:Args|Returns|Raises|Yields|Attributes|Sources?|Examples?):", re.MULTILINE)
CLAUSE = re.compile(r"(?:What|Whatever)\b.*[^?]$", re.DOTALL)
ROOMS = sorted(path for path in (ROOT / "src" / "festina").iterdir() if path.is_dir() and path.name != "__pycache__")
CODE = re.compile(r"^( *)```.*?^\1```|``[^`]+``|`[^`\n]+`", re.DOTALL | re.MULTILINE)
ABBREVIATED = re.compile(r"(?:\b(?:e\.g|i\.e|al|eqs?|figs?|app|vs|cf|sec|prop)|^\d+)\.$", re.IGNORECASE)


def paragraphs(text):
    """Running text of Markdown or of a docstring: neither code, formulas and tables nor headings."""
    text = re.sub(r"<!--.*?-->", "", text, flags=re.DOTALL)
    text = re.sub(
        r"\$\$.*?\$\$", "\n\n", CODE.sub(lambda code: "\n\n" if "```" in code[0] else "x", text), flags=re.DOTALL
    )
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)|</?[a-z][^>]*>|\$[^$]+\$", lambda found: found[1] or "x", text)
    for block in re.split(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )", text):
        if not block.lstrip().startswith(("|", "#", ">>>", "    ")):
            yield " ".join(block.split())


def sentences(text):
    """Sentences of running text; a full stop of an abbreviation ends none."""
    for paragraph in paragraphs(text):
        begun = ""
        for part in re.split(r"(?<=[.!?])(?=[\"”*_)]*\s)", paragraph):
            begun += part
            if not ABBREVIATED.search(begun):
                yield begun.strip()
                begun = ""
        yield begun.strip()


def too_long(text):
    """Sentences with more words than can be read at once; what has no letter is no word."""
    return [each for each in sentences(text) if sum(bool(re.search(r"[^\W\d_]", w)) for w in each.split()) > MOST]


def documented():
    """Public names with their docstrings, without examples."""
    found = importlib.util.spec_from_file_location("api", ROOT / "docs" / "_make" / "api.py")
    assert found is not None
    assert found.loader is not None
    api = importlib.util.module_from_spec(found)
    found.loader.exec_module(api)
    for package, listed in api.public().items():
        for name, value in listed:
            parts = vars(value).items() if isinstance(value, type) else ()
            for inner, part in (("", value), *((k, v) for k, v in parts if not k.startswith("_"))):
                where = getattr(getattr(part, "fget", part), "__module__", None) or ""
                if where.startswith("festina"):
                    said = re.split(r"^Examples?:", inspect.getdoc(part) or "", maxsplit=1, flags=re.MULTILINE)[0]
                    yield f"{package}.{name}.{inner}".rstrip("."), said


def experiments():
    """Question, caption and claims of each experiment; how a claim is measured is a sentence of its own."""
    for name in names():
        experiment = find(name)
        yield name, f"{experiment.question}\n\n{experiment.module.caption}"
        for claim in experiment.claims:
            said, opening, measured = claim.statement.rstrip(".)").rpartition(" (")
            yield f"{name}: {claim.name}", f"{said}.\n\n{measured}." if opening else claim.statement
    for part in CHAPTERS:
        yield part.title, f"{part.claimed}\n\n{part.found}\n\n{part.limits}"


def inner(path):
    """Comments and docstrings of a Python file, also of what is not public; examples are code."""
    text = path.read_text(encoding="utf-8")
    strings = (each.value for each in ast.walk(ast.parse(text)) if isinstance(each, ast.Expr))
    said = [each.value for each in strings if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    return "\n\n".join(
        [*(each.split("Example:")[0] for each in said), *re.findall(r"(?:^|\s)# (.*)$", text, re.MULTILINE)]
    )


def docstrings(path):
    """Docstrings of a Python file, also of what is not public; how a claim is measured is a sentence of its own."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    functions = (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef))
    claims = {id(each.body[0]) for each in functions if each.decorator_list and "experiments" in path.parts}
    for each in ast.walk(tree):
        if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant) and isinstance(each.value.value, str):
            text = SECTION.split(inspect.cleandoc(each.value.value))[0]
            said, opening, measured = " ".join(text.split()).rstrip(".)").rpartition(" (")
            yield f"{said}.\n\n{measured}." if opening and id(each) in claims else text


def comments(path):
    """Comments of a Python file; those on lines that follow each other are one text."""
    begun, last = "", -1
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type == tokenize.COMMENT:
                begun += "\n\n" * (token.start[0] > last + 1 or bool(token.line.split("#")[0].strip()))
                begun, last = f"{begun}{token.string.lstrip('#')}\n", token.start[0]
    return "\n".join(line.strip() for line in begun.splitlines())


def replaced():
    """Names that the glossary replaces."""
    rows = re.findall(r"^\| ([^|]+) \| [^|]+ \| ([^|]*)\|$", GLOSSARY.read_text(encoding="utf-8"), re.MULTILINE)
    given = [name.strip() for _, instead in rows[1:] for name in instead.split(",") if name.strip()]
    assert len(given) > 10
    return re.compile(rf"\b(?:{'|'.join(map(re.escape, given))})s?(?!\w)", re.IGNORECASE)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_sentences_of_a_page_are_short(page):
    assert too_long(page.read_text(encoding="utf-8")) == []


def test_sentences_of_claims_and_captions_are_short():
    assert {name: found for name, text in experiments() if (found := too_long(text))} == {}


def test_sentences_of_public_docstrings_are_short():
    said = {name: SECTION.split(doc)[0] for name, doc in documented()}
    assert {name: found for name, doc in said.items() if (found := too_long(doc))} == {}


@pytest.mark.parametrize("room", ROOMS, ids=lambda path: path.name)
def test_sentences_of_private_docstrings_and_comments_are_short(room):
    said = {path: [*docstrings(path), comments(path)] for path in sorted(room.rglob("*.py"))}
    found = {path.name: [long for text in texts for long in too_long(text)] for path, texts in said.items()}
    assert {name: long for name, long in found.items() if long} == {}


@pytest.mark.parametrize("room", ROOMS, ids=lambda path: path.name)
def test_no_docstring_begins_with_a_clause_in_place_of_a_noun(room):
    said = {path: [each for text in docstrings(path) for each in sentences(text)] for path in room.rglob("*.py")}
    turned = {path.name: [each for each in found if CLAUSE.match(each)] for path, found in said.items()}
    assert {name: found for name, found in turned.items() if found} == {}


def test_statements_are_short():
    lengths = sorted(len(claim.statement.split()) for name in names() for claim in find(name).claims)
    assert lengths[len(lengths) // 2] <= MOST


def test_readers_stumble_at_no_turn_of_phrase():
    found = []
    for path in {*SOURCES, *PAGES}:
        text = " ".join(path.read_text(encoding="utf-8").split())
        found += [f"{path.relative_to(ROOT)}: {each[0]}" for each in ODD.finditer(text)]
    assert sorted(found) == []


def test_comments_and_docstrings_begin_with_their_subject():
    turned = re.compile(r"(?:of|beside|whose) ", re.IGNORECASE)
    said = {
        path: [each for each in sentences(inner(path)) if turned.match(each)]
        for path in SOURCES
        if path.suffix == ".py"
    }
    assert {path.name: found for path, found in said.items() if found} == {}


def test_everything_has_the_name_of_the_glossary():
    shown = [
        path for path in SOURCES if path.suffix == ".ts" or path.parent.name in {"notebooks", "gallery", "examples"}
    ]
    old = replaced()
    pages = [(path, path.read_text(encoding="utf-8")) for path in (*PAGES, *shown)]
    files = [(path, inner(path)) for path in SOURCES if path.suffix == ".py" and path not in shown]
    read = [(path.relative_to(ROOT).as_posix(), text) for path, text in (*pages, *files)]
    told = [(name, CODE.sub("x", text)) for name, text in (*read, *experiments(), *documented())]
    assert sorted(f"{name}: {each[0]}" for name, text in told for each in old.finditer(text)) == []


def test_beta_is_the_inverse_temperature_of_choices():
    choices = {"behaviour", "decision.md", "fits.md", "glossary.md"}
    found = {path for path in {*SOURCES, *PAGES} if re.search(r"β|\\beta\b", path.read_text(encoding="utf-8"))}
    assert [path.relative_to(ROOT).as_posix() for path in found if not choices & {path.name, path.parent.name}] == []


def test_a_long_sentence_and_an_old_name_are_seen():
    long = " ".join(["word"] * MOST)
    assert too_long(f"{long}. {long}, e.g. this.\n\n| {long} {long} |\n") == [f"{long}, e.g. this."]
    assert replaced().search("two rectified units")
