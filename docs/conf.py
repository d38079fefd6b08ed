"""How the documentation is built; what it shows of the code is generated here, before Sphinx reads the pages."""

# pyright: reportMissingImports=false, reportAttributeAccessIssue=false
# the modules of _make are put on the path below, where the checker does not see them
import gc
import shutil
import sys
from importlib.metadata import version as installed
from importlib.resources import files
from pathlib import Path

# a tenth of a build would go into looking for garbage, of which there is little
gc.set_threshold(100_000, 50, 100)

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE / "_make"))

import api
import claims
import errata
import evidence
import gallery
import notebooks
import references
import schematics
from sphinx.application import Sphinx

project = "festina"
version = release = installed("festina")
language = "en"
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx_copybutton",
    "docstring",
    "mathml",
]
exclude_patterns = [
    "_build",
    "_make",
    "_templates",
    "**.ipynb_checkpoints",
    "generated/*.txt",
    "generated/*.json",
    "generated/*/*.txt",
]

myst_enable_extensions = ["dollarmath", "amsmath"]
myst_heading_anchors = 3
nb_execution_mode = "off"  # pages are run by the tests, notebooks and gallery by what generates them

html_theme = "furo"
html_title = f"festina {release}"
html_static_path = ["_static"]
html_css_files = ["style.css"]
templates_path = ["_templates"]
html_sidebars = {
    "**": [
        "sidebar/brand.html",
        "sidebar/live.html",
        "sidebar/search.html",
        "sidebar/scroll-start.html",
        "sidebar/navigation.html",
        "sidebar/scroll-end.html",
    ]
}
html_js_files = ["claims.js"]
html_extra_path = ["generated/live"]  # the page of demos, beside the documentation
html_math_renderer = "mathml"
html_copy_source = False
html_show_copyright = False

autosummary_generate = False  # the public lists say what there is; see _make/api.py
autodoc_member_order = "bysource"
autodoc_class_signature = "mixed"
autodoc_typehints = "none"  # arguments are described in words; shapes of jaxtyping are for the type checker
napoleon_use_ivar = True
napoleon_numpy_docstring = False
python_maximum_signature_line_length = 100
suppress_warnings = ["ref.python"]  # a word such as weights may name several attributes
nitpicky = True
nitpick_ignore_regex = [
    ("py:.*", r"(?!festina\.).*"),
    ("py:.*", r"festina\.(\w+\.)*_\w+\.\w+"),  # results that users are given and never make have no page of their own
]

GENERATED = HERE / "generated"
GENERATED.mkdir(exist_ok=True)
references.write(GENERATED / "references.md")
api.write(GENERATED / "api")
errata.write(GENERATED / "errata.txt")
evidence.write(GENERATED / "experiments", HERE / "claims.json")
gallery.write(GENERATED / "gallery", HERE.parent / "examples" / "gallery")
notebooks.write(GENERATED / "notebooks", HERE / "notebooks")
schematics.write(GENERATED / "schematics")
(GENERATED / "live").mkdir(exist_ok=True)
shutil.copy(Path(str(files("festina"))) / "page" / "index.html", GENERATED / "live" / "explore.html")
copybutton_prompt_text = ">>> "
copybutton_selector = "div:not(.output) > div.highlight pre"


def replace_claims(app: Sphinx, name: str, source: list[str]) -> None:
    """The page of claims has filters here; in the repository it is plain tables."""
    if name == "claims":
        source[0] = claims.page(HERE / "claims.json")


def setup(app: Sphinx) -> None:
    """Register it."""
    app.connect("source-read", replace_claims)
