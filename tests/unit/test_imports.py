"""Who imports what: the native core stays behind three packages, and `import inarow` stays light."""

import ast
import subprocess
import sys
from pathlib import Path

import inarow

PACKAGE = Path(inarow.__file__).parent
MAY_IMPORT_THE_CORE = {"engine", "solver", "players"}
HEAVY = {
    "numpy",
    "rich",
    "typer",
    "click",
    "fastapi",
    "pydantic",
    "uvicorn",
    "websockets",
    "dask",
    "matplotlib",
    "torch",
}


def imported_modules(file: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module} | {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def test_only_a_few_packages_import_the_core() -> None:
    files = list(PACKAGE.rglob("*.py"))
    importers = {file.relative_to(PACKAGE).parts[0] for file in files if "inarow._core" in imported_modules(file)}
    assert importers, "somebody must import it"
    assert importers <= MAY_IMPORT_THE_CORE


def test_checking_a_proof_needs_the_rules_and_nothing_else() -> None:
    allowed = {"inarow.game", "inarow.errors", "inarow.solver.proof"}
    for name in ("proof.py", "verify.py"):
        modules = imported_modules(PACKAGE / "solver" / name)
        inner = {".".join(each.split(".")[: 3 if "solver" in each else 2]) for each in modules if "inarow" in each}
        assert inner <= allowed and "inarow" not in modules
        assert {each.partition(".")[0] for each in modules} <= sys.stdlib_module_names | {"inarow"}


def test_import_inarow_loads_nothing_heavy() -> None:
    code = "import sys, inarow; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "inarow.players" in loaded
    assert not HEAVY & {name.partition(".")[0] for name in loaded}


def test_all_names_what_there_is() -> None:
    assert all(hasattr(inarow, name) for name in inarow.__all__)
    assert len(set(inarow.__all__)) == len(inarow.__all__)
