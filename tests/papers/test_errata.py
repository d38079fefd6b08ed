"""Every erratum of the papers: a reference solution passes the corrected form and not the printed one."""

import pytest

from festina.papers.errata import errata
from festina.papers.references import entries


@pytest.mark.parametrize("erratum", errata(), ids=lambda erratum: erratum.where)
def test_the_corrected_form_passes_and_the_printed_one_does_not(erratum):
    printed, corrected = erratum.measure()
    assert corrected <= erratum.bound < printed


def test_errata_are_told_apart_and_their_sources_known():
    found = errata()
    assert len({erratum.where for erratum in found}) == len(found)
    assert {erratum.where.split()[0].rstrip(",") for erratum in found} <= set(entries())
