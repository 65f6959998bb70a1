"""Build a release into ``dist/`` and try it as a stranger would: ``make release``.

Wheel and sources are built, their metadata and contents compared with the project; the wheel is
installed into an empty environment with pinned and hashed packages, and referees the demo, a
tournament and a served table from there. A bill of materials (CycloneDX) and checksums are
written beside them.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
import tomllib
import urllib.request
import zipfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

from packaging.metadata import Metadata

from tools import ROOT, clients, run, uv
from tools.pins import CONSTRAINTS, LOCK

DIST = ROOT / "dist"
PACKAGES = ("engines", "referee", "replays", "answers", "cli", "service", "schemas")
NOT_IN_THE_WHEEL = ("service/Containerfile", "service/deploy/")
LICENCES = ("LICENSE", "replays/fonts/OFL.txt")
IN_THE_SOURCES = (
    "README.md",
    "Makefile",
    "constraints.txt",
    "requirements.lock",
    "mkdocs.yml",
    "tools/set-up",
)
SOON = 60.0


class Bad(Exception):
    """Not to be released."""


def project() -> dict[str, Any]:
    with (ROOT / "pyproject.toml").open("rb") as file:
        found: dict[str, Any] = tomllib.load(file)["project"]
    return found


def build(into: Path) -> tuple[Path, Path]:
    """Wheel and sources, the wheel made from the sources as they are packed."""
    done = run(sys.executable, "-m", "build", "--installer", "uv", "--outdir", into, ROOT)
    if done.returncode:
        raise Bad(f"it cannot be built:\n{done.stdout}{done.stderr}")
    (wheel,), (sources,) = into.glob("*.whl"), into.glob("*.tar.gz")
    return wheel, sources


def files_of_the_project(root: Path = ROOT) -> set[str]:
    """What belongs into a wheel: all files that git knows of the packages."""
    listed = run("git", "ls-files", "-z", "--", *PACKAGES, cwd=root).stdout.split("\0")
    if listed == [""]:
        raise Bad("a release is made from a clone: git does not know these files")
    return {name for name in listed if name and not name.startswith(NOT_IN_THE_WHEEL)}


def data_files(wheel: str) -> dict[str, str]:
    """What a wheel installs outside the packages: the file in the wheel, and in the project."""
    asked = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    return {
        f"{wheel}.data/data/{folder}/{Path(file).name}": file
        for folder, files in asked["tool"]["setuptools"]["data-files"].items()
        for file in files
    }


def check_wheel(wheel: Path, project_files: set[str]) -> Iterator[str]:
    """What is wrong with a wheel."""
    with zipfile.ZipFile(wheel) as packed:
        names = set(packed.namelist())
        about = next(name.split("/")[0] for name in names if ".dist-info/" in name)
        text = packed.read(f"{about}/METADATA")
        licences = {
            name.removeprefix(f"{about}/licenses/") for name in names if "/licenses/" in name
        }
    beside = data_files(about.removesuffix(".dist-info"))
    inside = {
        beside.get(name, name)
        for name in names
        if not name.startswith(about) and not name.endswith("/")
    }
    for name in sorted(project_files - inside):
        yield f"the wheel lacks {name}"
    for name in sorted(inside - project_files):
        yield f"the wheel has {name}, which is not of the project"
    for name in LICENCES:
        if name not in licences:
            yield f"the wheel lacks the licence {name}"
    yield from check_metadata(text)


def check_metadata(text: bytes) -> Iterator[str]:
    """Whether it is complete, and as the standard has it."""
    try:
        told = Metadata.from_email(text, validate=True)
    except ExceptionGroup as problems:
        yield from (f"metadata: {problem}" for problem in problems.exceptions)
        return
    if str(told.version) != project()["version"]:
        yield f"metadata: version {told.version}, not that of pyproject.toml"
    for field in ("summary", "author", "requires_python", "license_expression", "keywords"):
        if not getattr(told, field):
            yield f"metadata: no {field}"
    if not told.classifiers:
        yield "metadata: no classifiers"
    if told.description_content_type != "text/markdown" or not told.description:
        yield "metadata: no description in Markdown"


def check_sources(sources: Path, project_files: set[str]) -> Iterator[str]:
    with tarfile.open(sources) as packed:
        inside = {name.partition("/")[2] for name in packed.getnames()}
    for name in sorted({*project_files, *LICENCES, *IN_THE_SOURCES} - inside):
        yield f"the sources lack {name}"


@contextlib.contextmanager
def environment(wheel: Path, *, everything: bool) -> Iterator[Path]:
    """An empty environment with the wheel: with what it needs, or with everything by its hash."""
    with tempfile.TemporaryDirectory(prefix="referee été ") as folder:
        place = Path(folder)
        python = place / "venv" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
        install = ("pip", "install", "-q", "--python", python)
        needed: tuple[str | Path, ...] = (
            ("--require-hashes", "-r", LOCK)
            if everything
            else ("-c", CONSTRAINTS, *project()["dependencies"])
        )
        steps = (
            ("venv", "-q", "--python", sys.executable, place / "venv"),
            (*install, *needed),
            (*install, "--no-deps", wheel),
            ("pip", "check", "-q", "--python", python),
        )
        for step in steps:
            done = uv(*step)
            if done.returncode:
                raise Bad(f"the wheel cannot be installed:\n{done.stderr}")
        yield python.parent


class Stranger:
    """Somebody who has nothing but the wheel, in an empty folder."""

    def __init__(self, programs: Path) -> None:
        self.home = programs.parents[1] / "chez Zoé"
        self.home.mkdir()
        self.program = programs / "referee"
        kept = {name: value for name, value in os.environ.items() if name in ("PATH", "SYSTEMROOT")}
        self.env = {**kept, "XDG_DATA_HOME": str(self.home / "data"), "LC_ALL": "C.UTF-8"}

    def says(self, *words: str) -> str:
        done = run(self.program, *words, cwd=self.home, env=self.env, timeout=SOON)
        if done.returncode:
            raise Bad(
                f"referee {' '.join(words)}: exit {done.returncode}\n{done.stdout}{done.stderr}"
            )
        return done.stdout

    def runs_the_demo(self) -> None:
        if "NOT proven" not in self.says("demo"):
            raise Bad("the demo does not come to its end")

    def runs_a_tournament(self) -> None:
        self.says(
            "tournament", "new", "Cup", "--of", "benevolent", "--rounds", "2", "--no-check-in"
        )
        self.says("tournament", "players", "add", "Ana", "Bo", "Cleo", "Dan")
        for _ in range(2):
            self.says("tournament", "pair", "--seed", "7")
            self.says("tournament", "start")
            for table in ("1", "2"):
                self.says("tournament", "result", table, "A", "B", "--anyway", "-m", "slip")
            self.says("tournament", "round", "close")
        self.says("tournament", "close")
        told = json.loads(self.says("tournament", "standings", "--json"))["data"]
        if [row["rank"] for row in told["rows"]][:1] != [1] or len(told["rows"]) != 4:
            raise Bad(f"the tournament has no winner: {told}")
        self.says("tournament", "check")

    def serves_a_table(self) -> None:
        """A table is served, and its page says a move that was made there."""
        said = (self.home / "served.txt").open("w+")
        command = [str(self.program), "--store", "memory:", "serve", "--sample", "--port", "0"]
        with (
            said,
            subprocess.Popen(
                command, cwd=self.home, env=self.env, stdout=said, stderr=subprocess.STDOUT
            ) as served,
        ):
            try:
                page = self._page(Path(said.name), served)
            finally:
                served.terminate()
                served.wait(SOON)
        if "Benevolent" not in page:
            raise Bad(f"the served page does not show the table:\n{page[:2000]}")

    def _page(self, said: Path, served: subprocess.Popen[bytes]) -> str:
        until = time.monotonic() + SOON
        while time.monotonic() < until and served.poll() is None:
            links = [word for word in said.read_text("utf-8").split() if "/j/" in word]
            if links:
                base = links[0].partition("/j/")[0]
                with urllib.request.urlopen(f"{base}/", timeout=SOON) as reply:
                    return str(reply.read().decode())
            time.sleep(0.1)
        raise Bad(f"the service does not start:\n{said.read_text('utf-8')}")


def bill_of_materials(programs: Path, into: Path) -> None:
    """What is in the environment of everything, as CycloneDX."""
    done = run(
        sys.executable, "-m", "cyclonedx_py", "environment", "--output-reproducible",
        "--pyproject", ROOT / "pyproject.toml", "--of", "JSON", "-o", into,
        programs / "python",
    )  # fmt: skip
    if done.returncode:
        raise Bad(f"no bill of materials:\n{done.stderr}")
    named = {part["name"] for part in json.loads(into.read_text("utf-8"))["components"]}
    if not {"eventsourcing", "pydantic", "starlette"} <= named:
        raise Bad(f"the bill of materials lacks packages: {sorted(named)}")


def write_checksums(folder: Path) -> Path:
    """As ``sha256sum -c`` reads them."""
    sums = folder / "SHA256SUMS"
    files = sorted(file for file in folder.iterdir() if file != sums)
    lines = [f"{sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    sums.write_text("".join(lines), "utf-8")
    return sums


def make(into: Path) -> None:
    wheel, sources = build(into)
    project_files = files_of_the_project()
    problems = [*check_wheel(wheel, project_files), *check_sources(sources, project_files)]
    if problems:
        raise Bad("\n".join(problems))
    print(f"built: {wheel.name} ({wheel.stat().st_size // 1024} kB), {sources.name}")
    with environment(wheel, everything=False) as programs:
        Stranger(programs).runs_the_demo()
    print("installed with no extra: the demo runs")
    with environment(wheel, everything=True) as programs:
        stranger = Stranger(programs)
        stranger.runs_a_tournament()
        stranger.serves_a_table()
        bill_of_materials(programs, into / f"{wheel.stem.partition('-py3')[0]}.cdx.json")
    print("installed with everything, by its hashes: a tournament is run, a table served")
    try:
        clients.build(into)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Bad(f"the clients cannot be packed: {error}") from None
    print("packed: the clients for Python and JavaScript")
    shutil.copy(LOCK, into)
    write_checksums(into)


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        try:
            make(Path(folder))
        except Bad as problem:
            print(f"not released: {problem}", file=sys.stderr)
            return 1
        shutil.rmtree(DIST, ignore_errors=True)
        shutil.copytree(folder, DIST)
    print("dist/: " + ", ".join(sorted(file.name for file in DIST.iterdir())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
