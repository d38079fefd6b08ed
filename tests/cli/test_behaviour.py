"""``festina fit-behaviour``: mistakes are told with the options of the command line."""

import pytest

from festina.cli import _main

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("header", "row", "words", "message"),
    [
        ("subject,day,contrast,choice,reward", "a,1,0.5,1,1", (), "Say --column session=YOURS, with the name"),
        ("subject,day,contrast,choice,reward", "a,1,0.5,1,1", ("--column", "session=tag"),
         "--column maps session to 'tag', which the header does not have"),
        ("subject,session,contrast,choice,reward", "a,1,0.5,1,1", ("--column", "day=x"), "--column has 'day'; the"),
        ("subject,session,contrast,choice,reward", "a,1,0.5,1,1\na,1,50,1,1", (), "or say --percent, and give"),
    ],
)  # fmt: skip
def test_errors_name_options(tmp_path, capsys, header, row, words, message):
    path = tmp_path / "t.csv"
    path.write_text(f"{header}\n{row}\n")
    with pytest.raises(SystemExit) as stop:
        _main.main(["fit-behaviour", str(path), "--out", str(tmp_path / "page.html"), *words])
    told = capsys.readouterr().err
    assert stop.value.code == 64
    assert message in told
    assert "columns" not in told.replace("columns hold", "")
