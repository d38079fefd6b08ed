"""Equations as MathML, made while building: browsers draw it themselves, so that pages need no outside script."""

import re
from typing import Any

from docutils import nodes
from docutils.utils.math import MathError
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx


def convert(written: str, block: bool = False) -> str:
    """MathML of an equation; the converter wants braces around digits of a fraction and accents with an index."""
    tex = re.sub(r"(\\t?frac)(\d)(?=[\d{])", r"\1{\2}", written)
    tex = re.sub(r"(\\t?frac\{\d\})(\d)", r"\1{\2}", tex)
    tex = re.sub(r"(\\(?:hat|bar|dot|tilde) ?(?:\{[^{}]*\}|\\[a-zA-Z]+|[a-zA-Z]))(?=[_^])", r"{\1{}}", tex)
    try:
        return tex2mathml(tex, as_block=block)
    except MathError as error:
        raise ValueError(f"the equation {written!r} cannot be read: {error}") from error


def inline(writer: Any, node: nodes.math) -> None:
    """An equation in a sentence."""
    writer.body.append(convert(node.astext()))
    raise nodes.SkipNode


def block(writer: Any, node: nodes.math_block) -> None:
    """An equation on its own line, with an anchor where it has a label."""
    ids = "".join(f' id="{name}"' for name in node["ids"][:1])
    writer.body.append(f'<div class="math"{ids}>{convert(node.astext(), block=True)}</div>')
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the renderer under the name that ``html_math_renderer`` gives."""
    app.add_html_math_renderer("mathml", (inline, None), (block, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
