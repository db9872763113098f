"""Tests of the package as it is published, in an otherwise empty environment."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from running import API_KEY, BASE_URL, ENVIRONMENT, TOKEN, needs_posthorn

from posthorn_client import Posthorn, __version__

ROOT = Path(__file__).parents[1]
WHEELS = Path(sys.prefix) / "wheels"
"""The wheels of httpx and its dependencies, downloaded with the environment of these tests."""

pytestmark = pytest.mark.skipif(not WHEELS.is_dir(), reason=f"{WHEELS} is missing")


def run(*command: object, env: dict[str, str] | None = None) -> str:
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, env=env, cwd="/")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    run(sys.executable, "-m", "build", "--no-isolation", "--outdir", folder, ROOT)
    assert (folder / f"posthorn_client-{__version__}.tar.gz").is_file()
    return folder / f"posthorn_client-{__version__}-py3-none-any.whl"


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("empty")
    venv.create(folder, with_pip=False, symlinks=True)
    interpreter = folder / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", interpreter, "--disable-pip-version-check"]
    run(*pip, "install", "--no-index", "--find-links", WHEELS, wheel)
    return interpreter


def test_the_wheel_has_the_types_and_the_table_and_depends_on_httpx_alone(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        metadata = archive.read(f"posthorn_client-{__version__}.dist-info/METADATA").decode()
    assert {"posthorn_client/py.typed", "posthorn_client/outbox.sql", "posthorn_client/models.py"} <= set(names)
    assert all(name.startswith("posthorn_client") for name in names)
    required = [line for line in metadata.splitlines() if line.startswith("Requires-Dist:")]
    assert [line for line in required if "extra ==" not in line] == ["Requires-Dist: httpx<1,>=0.27"]


def test_every_module_but_those_of_the_frameworks_can_be_imported(python: Path) -> None:
    modules = ", ".join(f"posthorn_client{part}" for part in ["", ".webhooks", ".receive", ".outbox", ".models"])
    assert run(python, "-c", f"import {modules}; print(posthorn_client.__version__)").strip() == __version__


@needs_posthorn
def test_the_first_ten_lines_of_the_readme_run(python: Path, tmp_path: Path) -> None:
    with Posthorn(BASE_URL, token=TOKEN) as posthorn:
        if not [one for one in posthorn.event_types.list() if one.name == "order.paid"]:
            posthorn.event_types.create(name="order.paid", publish_in=[ENVIRONMENT])
        posthorn.applications.upsert("ext:customer-42", name="Customer 42")
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    found = re.search(r"```python\n(.*?)```", text, re.DOTALL)
    assert found is not None
    assert len(found[1].splitlines()) <= 10
    program = tmp_path / "first.py"
    program.write_text(found[1], encoding="utf-8")
    variables = {"POSTHORN_BASE_URL": BASE_URL, "POSTHORN_API_KEY": API_KEY, "POSTHORN_TOKEN": TOKEN}
    assert re.search(r"^msg_\w+ \w+", run(python, program, env={**os.environ, **variables, "PYTHONPATH": ""}))
