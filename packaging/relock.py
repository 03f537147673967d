"""Writes packaging/lock/*.txt: exact versions of everything Ember is tested with.

    python packaging/relock.py                       resolve pyproject's ranges in a fresh environment
    python packaging/relock.py --environment .venv   take the versions of an environment that exists

Run it with the Python of the development environment (it needs the `packaging` library). Two things a freeze alone does
not give: which of the packages only some systems need (they get a marker), and packages that no Linux machine installs
(colorama): both are found by following every package's own requirements for each system and Python that Ember supports.

    run.txt      what Ember runs on          dev.txt     what its checks need beyond that
    torch.txt    torch and what only it needs            cuda12.txt, cuda13.txt   one of them, with a card
"""

import argparse
import json
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
LOCK = ROOT / "packaging" / "lock"

# Versions chosen by hand; the reasons are in docs/decisions.md.
HELD = {
    "pyside6-essentials": "6.11.3",
    "torch": "2.13.0",
    "nvidia-cuda-nvrtc": "13.0.88",
    "nvidia-cuda-runtime": "13.0.96",
}
BUILD_TOOLS = ("setuptools",)

Environment = Mapping[str, str]


@dataclass(frozen=True)
class Package:
    name: str
    version: str
    requires: tuple[str, ...]


def supported_environments() -> tuple[Environment, ...]:
    systems = (
        ("linux", "Linux", "posix", "x86_64"),
        ("linux", "Linux", "posix", "aarch64"),
        ("darwin", "Darwin", "posix", "arm64"),
        ("win32", "Windows", "nt", "AMD64"),
    )
    return tuple(
        {
            "sys_platform": sys_platform,
            "platform_system": platform_system,
            "os_name": os_name,
            "platform_machine": machine,
            "python_version": python,
            "python_full_version": f"{python}.9",
            "implementation_name": "cpython",
            "platform_python_implementation": "CPython",
            "implementation_version": f"{python}.9",
            "platform_release": "",
            "platform_version": "",
            "extra": "",
        }
        for sys_platform, platform_system, os_name, machine in systems
        for python in ("3.11", "3.12", "3.13")
    )


CANDIDATE_MARKERS = (
    "",
    'sys_platform == "win32"',
    'sys_platform != "win32"',
    'sys_platform == "linux"',
    'sys_platform == "darwin"',
    'sys_platform != "darwin"',
    'python_version < "3.12"',
    'python_version < "3.13"',
)


class Lock:
    """The packages known so far, and their requirements as a graph per environment."""

    def __init__(self, packages: Iterable[Package]) -> None:
        self.packages = {package.name: package for package in packages}

    def needed(self, roots: Iterable[str], environment: Environment) -> set[str]:
        """Names of all packages that `roots` (requirement strings) come to need in an environment."""
        reached: set[tuple[str, frozenset[str]]] = set()
        pending = [Requirement(root) for root in roots]
        while pending:
            requirement = pending.pop()
            if requirement.marker and not requirement.marker.evaluate(dict(environment)):
                continue
            node = (canonicalize_name(requirement.name), frozenset(requirement.extras))
            if node in reached:
                continue
            reached.add(node)
            package = self.packages.get(node[0]) or self._fetch(requirement, environment)
            for text in package.requires:
                wanted = Requirement(text)
                holds = wanted.marker is None or any(
                    wanted.marker.evaluate({**environment, "extra": extra}) for extra in ("", *node[1])
                )
                if holds:
                    wanted.marker = None
                    pending.append(wanted)
        return {name for name, _ in reached}

    def _fetch(self, requirement: Requirement, environment: Environment) -> Package:
        """A package that the resolving machine itself does not install."""
        platform = {"win32": "win_amd64", "darwin": "macosx_13_0_arm64"}.get(environment["sys_platform"])
        where = ("--platform", platform) if platform else ()
        found = resolve(sys.executable, [f"{requirement.name}{requirement.specifier}"], "--no-deps", *where)
        for package in found:
            self.packages[package.name] = package
        return self.packages[canonicalize_name(requirement.name)]

    def lines(self, roots: Iterable[str], *, without: Iterable[str] = ()) -> list[str]:
        """`name==version ; marker` for all that `roots` need anywhere, except what other lock files bring."""
        roots, known = tuple(roots), set(without)
        per_environment = [(environment, self.needed(roots, environment)) for environment in supported_environments()]
        names = sorted({name for _, names in per_environment for name in names} - known)
        return [self._line(name, [(env, name in names) for env, names in per_environment]) for name in names]

    def _line(self, name: str, where: list[tuple[Environment, bool]]) -> str:
        pin = f"{name}=={self.packages[name].version.split('+')[0]}"
        for marker in CANDIDATE_MARKERS:
            if all((not marker or Marker(marker).evaluate(dict(env))) == needed for env, needed in where):
                return f"{pin} ; {marker}" if marker else pin
        raise SystemExit(f"{name}: no known marker says where it is needed; add one to CANDIDATE_MARKERS")


def installed(python: str) -> tuple[Package, ...]:
    """Every distribution of an environment, with its requirements."""
    code = (
        "import importlib.metadata as m, json; "
        "print(json.dumps([[d.metadata['Name'], d.version, d.requires or []] for d in m.distributions()]))"
    )
    answer = subprocess.run([python, "-I", "-c", code], capture_output=True, text=True, check=True)
    return tuple(
        Package(canonicalize_name(name), version, tuple(needs)) for name, version, needs in json.loads(answer.stdout)
    )


def resolve(python: str, requirements: list[str], *options: str) -> tuple[Package, ...]:
    """What pip would install for `requirements`, without installing it."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            python, "-I", "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--report", "-",
            "--only-binary", ":all:", "--target", folder, *options, *requirements,
        ]  # fmt: skip
        answer = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
    metadata = [entry["metadata"] for entry in json.loads(answer.stdout)["install"]]
    return tuple(
        Package(canonicalize_name(m["name"]), m["version"], tuple(m.get("requires_dist", ()))) for m in metadata
    )


def held(requirements: Iterable[str]) -> list[str]:
    """The requirements with versions chosen by hand put in."""
    parsed = [Requirement(text) for text in requirements]
    for requirement in parsed:
        if (name := canonicalize_name(requirement.name)) in HELD:
            requirement.specifier = SpecifierSet(f"=={HELD[name]}")
    return [str(requirement) for requirement in parsed]


def fresh_environment(folder: Path, requirements: list[str]) -> str:
    """Make an environment, install `requirements` into it with pip's own resolver, and return its interpreter."""
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    python = str(folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python"))
    subprocess.run([python, "-I", "-m", "pip", "install", "--upgrade", *held(requirements)], check=True)
    return python


def write(name: str, lines: list[str], about: str) -> None:
    head = f"# {about}\n# Written by packaging/relock.py; not to be edited by hand.\n"
    (LOCK / f"{name}.txt").write_text(head + "\n".join(lines) + "\n", encoding="utf-8", newline="\n")
    print(f"{name}.txt: {len(lines)} packages")


def main() -> None:
    parser = argparse.ArgumentParser(description="Write packaging/lock/*.txt.")
    parser.add_argument("--environment", type=Path, help="take the versions of this environment instead of resolving")
    chosen = parser.parse_args()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    run = [*project["dependencies"], *BUILD_TOOLS]
    everything = [*run, *extras["torch"], *extras["dev"]]
    with tempfile.TemporaryDirectory() as folder:
        if chosen.environment:
            python = str(chosen.environment / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python"))
        else:
            python = fresh_environment(Path(folder), everything)
        lock = Lock(installed(python))
    for name, version in HELD.items():
        if name in lock.packages and lock.packages[name].version.split("+")[0] != version:
            raise SystemExit(f"{name} is {lock.packages[name].version} there, but {version} is held")
    LOCK.mkdir(exist_ok=True)
    run_lines = lock.lines(run)
    in_run = pinned(run_lines)
    torch_lines = lock.lines(extras["torch"], without=in_run)
    write("run", run_lines, "What Ember runs on.")
    write("torch", torch_lines, "torch and what only torch needs; the bootstrap takes torch's CPU build.")
    dev_lines = lock.lines(extras["dev"], without=in_run | pinned(torch_lines))
    write("dev", dev_lines, "What Ember's checks need beyond run.txt and torch.txt.")
    for extra in ("cuda12", "cuda13"):
        cuda = Lock(resolve(sys.executable, held(extras[extra])))
        lines = cuda.lines(extras[extra], without=in_run)
        write(extra, lines, "For an NVIDIA card, beyond run.txt; never both versions.")


def pinned(lines: Iterable[str]) -> set[str]:
    return {line.split("==")[0] for line in lines}


if __name__ == "__main__":
    main()
