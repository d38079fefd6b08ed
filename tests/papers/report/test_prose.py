"""Numbers and sentences as the page shows them."""

import math
import re
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from festina.papers.format import duration, number, pair, spread, value
from festina.papers.report.prose import paragraphs, prose


@pytest.mark.parametrize(
    ("given_value", "told"),
    [(0.0, "0"), (-0.5, "−0.5"), (0.00227, "0.00227"), (0.00017551, "1.76×10⁻⁴"), (9.999e-5, "10⁻⁴"),
     (5.84e9, "5.84×10⁹"), (0.99999, "1"), (99999.6, "10⁵"), (1234.5, "1234"), (16.0, "16"),
     (math.inf, "not finite"), (math.nan, "not finite"), (None, "not finite"), (-1e-12, "−10⁻¹²")],
)  # fmt: skip
def test_numbers_have_three_digits(given_value, told):
    assert number(given_value) == told


@pytest.mark.parametrize(
    ("measured", "error", "told"),
    [(0.9113, 0.0921, "0.911 ± 0.092"), (1.297, 0.1, "1.30 ± 0.10"), (1.755e-4, 8.6e-5, "(1.76 ± 0.86)×10⁻⁴"),
     (1234.0, 56.0, "1234 ± 56"), (-3.0, 0.0, "−3"), (0.5, math.nan, "0.5"), (None, 0.1, "not finite")],
)  # fmt: skip
def test_a_standard_error_says_how_many_digits_count(measured, error, told):
    assert spread(measured, error) == told


def test_a_number_and_its_bound_are_told_apart():
    assert pair(0.90004, 0.0, 0.9) == ("0.90004", "0.9")
    assert pair(0.9, 0.0, 0.9) == ("0.9", "0.9")
    assert pair(0.5, 0.0, 0.9) == ("0.5", "0.9")


@pytest.mark.parametrize(
    ("seconds", "told"),
    [(0.42, "0.4 s"), (42.3, "42 s"), (59.7, "1 min"), (200.0, "3 min 20 s"), (3840.0, "1 h 4 min")],
)
def test_durations(seconds, told):
    assert duration(seconds) == told


def test_settings_are_written_as_one_would():
    told = [value(v) for v in (1e-5, 0.5, 7, True, [0.1, 2], [[6, 6], [8, 4]], "relu", None)]
    assert told == ["10⁻⁵", "0.5", "7", "yes", "0.1, 2", "(6, 6), (8, 4)", "relu", "none"]


@pytest.mark.parametrize(
    ("text", "html"),
    [("e^{−d t/τ} and G^n", "e<sup>−d t/τ</sup> and G<sup>n</sup>"),
     ("B_{p∖e}, N_h and gated_seeds", "B<sub>p∖e</sub>, N<sub>h</sub> and gated_seeds"),
     ('the "ring\'s" u\' = b0² + −s', "the “ring’s” u′\u00a0=\u00a0b<sub>0</sub>² + <span class=\"whole\">−s</span>"),
     ("U_pᵀU_j, 1.5 and -0.5", 'U<sub>p</sub>ᵀU<sub>j</sub>, 1.5 and <span class="whole">−0.5</span>'),
     ("σ^{2(s_k − s_{k+1})}", "σ<sup>2(s<sub>k</sub> − s<sub>k+1</sub>)</sup>"),
     ("``a < b`` at 1e-7", "<code>a &lt; b</code> at 10⁻⁷"), ("|La − Lb| & <b>", "|La − Lb| &amp; &lt;b&gt;")],
)  # fmt: skip
def test_mathematics_is_typeset(text, html):
    assert prose(text) == html


def test_keys_become_links_and_blocks_keep_their_shape():
    assert prose("saxe2014 Fig. 1", {"saxe2014": "Saxe 2014"}) == '<a href="#ref-saxe2014">Saxe 2014</a> Fig. 1'
    told = paragraphs("One\ntwo.\n\n    a = b\n      c\n\n- x\n  y\n- z")
    assert told == "<p>One two.</p>\n<pre>a = b\n  c</pre>\n<ul><li>x y</li><li>z</li></ul>"


@given(st.text(alphabet=st.sampled_from("<>&\"'`^_{}ab1e-7 scriptsaxe2014=/"), max_size=60))
def test_no_text_becomes_markup(text):
    found = paragraphs(text, {"saxe2014": "Saxe"})
    tags = set(re.findall(r"<(/?\w+)[^>]*>", found))
    assert tags <= {
        f"{slash}{tag}" for tag in ("p", "pre", "ul", "li", "code", "sup", "sub", "span", "a") for slash in ("", "/")
    }
    bare = unescape(re.sub(r"<[^>]*>", "", found))
    assert bare.count("<") == text.count("<")
