"""Every slip of the papers: a judge that knows neither form passes the corrected one and not the printed one."""

import pytest

from festina._reference import entries
from festina.papers.errata import errata


@pytest.mark.parametrize("slip", errata(), ids=lambda slip: slip.where)
def test_the_corrected_form_passes_and_the_printed_one_does_not(slip):
    printed, corrected = slip.measure()
    assert corrected <= slip.bound < printed


def test_slips_are_told_apart_and_their_sources_known():
    found = errata()
    assert len({slip.where for slip in found}) == len(found)
    assert {slip.where.split()[0].rstrip(",") for slip in found} <= set(entries())
