"""What an import costs, and which way imports point.

The two tables below are the house's floors, ground floor first.  A name is a file or a folder directly inside the
package; names in one row are neighbours.  An import may go down, never up and never to a neighbour; inside one folder
it may go anywhere that makes no circle.  A new file gets a place in its table, and ARCHITECTURE.md says why.
"""

from __future__ import annotations

import ast
import fnmatch
import functools
import graphlib
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support import ROOT, python

MINITAPE = [
    ["misspelt", "out_of_scope"],
    ["absent"],
    ["errors", "notes"],
    ["record"],  # blocks, events, ledger, provenance, naming, refusals
    ["compatible", "decorated", "examples", "dtypes", "nest", "operands", "definition"],
    ["tensor"],
    ["misfits"],  # what operands that do not fit are told
    ["printing", "trace", "scope", "spec", "graphs"],
    ["rule", "frames"],
    ["entry"],
    ["engine"],
    ["primitive", "spaces"],
    ["kinds", "symbols"],
    ["ops", "call"],
    ["walk", "grad_function"],
    ["tape", "variable", "heart", "tensor_array", "py_function"],
    ["forward", "module", "manual"],
    ["why"],  # reads what recorders wrote down; they ask it through a door in record/diary.py
    ["custom"],
    ["recompute", "testing"],
    ["control_flow", "data"],
    ["keras"],
    ["about"],
    ["names", "layers", "image", "train", "experimental"],  # TensorFlow's namespaces
    ["__init__"],
    ["__main__"],
]

VIZ = [
    ["schema", "style", "files"],  # what data must look like; the look of things; how files are written
    ["scene", "capture"],  # the two contracts: a stream of records, which sources write, and a scene
    ["figure"],  # scenes without steps
    ["layout"],
    ["tell", "paint"],  # a scene is all that they share
    ["microscope"],  # which numbers take part in which, for a page to add up
    ["picture", "magic"],  # a scene, shown wherever it is looked at
    ["lesson", "knobs", "faces"],  # what a learner answers, what a learner turns, and what shows itself
    ["opening"],  # the floors put together: a stepper, a file
    ["__init__"],
    ["program", "course"],  # what the command does
    ["command"],
    ["__main__"],
]
# What of viz imports minitape: the source that watches it, what other sources borrow, and lessons, which judge programs of it.
KNOWS_MINITAPE = re.compile(r"viz\.(capture\.minitape(\..*)?|capture\.borrowed|lesson\.subject)")

HEAVY = ["torch", "tensorflow", "jax", "IPython", "ipywidgets", "anywidget", "graphviz", "pygraphviz", "matplotlib"]


@pytest.mark.parametrize("package", ["minitape", "viz"])
def test_importing_it_loads_nothing_heavy(package: str):
    show = f"import sys, {package}; print(*sorted({{name.partition('.')[0] for name in sys.modules}}))"
    run = python("-c", show)
    assert run.returncode == 0, run.stderr
    assert not set(HEAVY) & set(run.stdout.split())


def test_rooms_that_load_on_first_use_are_not_there_before():
    """`import minitape` stays quick: what it loads is counted, and Keras, data, images and checkpoints are not among it."""
    show = "import sys, minitape; print(*[name for name in sys.modules if name.partition('.')[0] == 'minitape'])"
    loaded = set(python("-c", show).stdout.split())
    late = {
        f"minitape.{room}" for room in ("keras", "data", "image", "train", "experimental", "symbols", "heart", "manual")
    }
    assert not {name for name in loaded if ".".join(name.split(".")[:2]) in late}
    assert 100 < len(loaded) <= 166


def test_no_docstring_of_a_row_is_written_before_somebody_asks():
    """What wraps a row copies its `__doc__`, and so writes it: that once took a third of the time of `import minitape.keras`."""
    show = "import sys, minitape.keras, minitape.experimental, minitape.image; print('minitape.manual' in sys.modules)"
    assert python("-c", show).stdout == "False\n"


def test_a_first_picture_asks_for_no_misspelt_name():
    """`from . import room` asks the package for the name first: the answer to it once loaded Keras, to see what was meant."""
    show = (
        "import sys, minitape as tf, viz\n"
        "with viz.record() as run:\n    x = tf.Variable(1.0) * 2.0\n"
        "viz.step(run)\n"
        "import minitape.experimental.numpy\n"  # a room that takes functions out of a room with a `__getattr__`
        "print([name for name in ('minitape.misspelt', 'minitape.keras', 'minitape.data') if name in sys.modules])"
    )
    run = python("-c", show)
    assert run.stdout == "[]\n", run.stderr
    wrong = python("-c", "import viz; viz.stepp")
    assert "did you mean 'step'?" in wrong.stderr


def test_it_imports_where_python_leaves_docstrings_out():
    show = "import minitape, minitape.keras, minitape.experimental, minitape.image, minitape.data, minitape.train, viz"
    run = python("-OO", "-c", f"{show}; print(minitape.keras.losses.Huber.__doc__)")
    assert run.stdout == "None\n", run.stderr


@pytest.mark.parametrize("package", ["minitape", "viz"])
def test_it_imports_with_numpy_alone(package: str):
    blocked = f"import sys; sys.modules.update(dict.fromkeys({HEAVY})); import {package}"
    run = python("-c", blocked)
    assert run.returncode == 0, run.stderr


def sources(package: str) -> dict[str, Path]:
    """Every module of the package, as in `minitape.ops.elementwise`; a package stands for its `__init__` file."""
    found = {}
    for path in sorted((ROOT / package).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


def imports(tree: ast.AST) -> Iterator[ast.Import | ast.ImportFrom]:
    """All imports that can ever run, inside functions too; not those under `if TYPE_CHECKING:`."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
            for other in node.orelse:
                yield from imports(ast.Module([other], []))
        elif not isinstance(node, ast.expr):
            yield from imports(node)


@functools.cache
def found_in(path: Path) -> list[ast.Import | ast.ImportFrom]:
    """All imports of a file."""
    return list(imports(ast.parse(path.read_text(encoding="utf-8"), str(path))))


def edges(package: str) -> Iterator[tuple[str, str, int]]:
    """(module, the module of the same package that it imports, line)."""
    modules = sources(package)
    for module, path in modules.items():
        here = module.split(".") if path.name == "__init__.py" else module.split(".")[:-1]
        for node in found_in(path):
            if not isinstance(node, ast.ImportFrom) or not node.level:
                continue
            base = here[: len(here) - node.level + 1] + (node.module.split(".") if node.module else [])
            for alias in node.names:
                deep, plain = ".".join([*base, alias.name]), ".".join(base)
                target = deep if deep in modules else plain
                assert target in modules, f"{path.relative_to(ROOT)}:{node.lineno}: there is no {target}"
                if target != module:
                    yield module, target, node.lineno


def room(module: str) -> str:
    """The name in the table: `minitape.ops.elementwise` lies in `ops`, `minitape` itself is `__init__`."""
    return (module.split(".") + ["__init__"])[1]


@pytest.mark.parametrize(("package", "table"), [("minitape", MINITAPE), ("viz", VIZ)])
def test_imports_point_one_way(package: str, table: list[list[str]]):
    floor = {name: number for number, row in enumerate(table) for name in row}
    missing = {room(module) for module in sources(package)} - set(floor)
    assert not missing, f"give {sorted(missing)} a place in the table {package.upper()} of this file"
    wrong = {
        f"{module}:{line} imports {target}"
        for module, target, line in edges(package)
        if room(module) != room(target) and floor[room(module)] <= floor[room(target)]
    }
    assert not wrong


@pytest.mark.parametrize("package", ["minitape", "viz"])
def test_no_room_has_a_name_that_tools_skip(package: str, pytestconfig: pytest.Config):
    """pytest, linters and people's gitignores take such folders for rubbish: doctests in them would never run."""
    skipped = {
        *pytestconfig.getini("norecursedirs"),
        "build",
        "dist",
        "venv",
        "node_modules",
        "out",
        "target",
        "bin",
        "env",
        "lib",
    }
    rooms = {path.name for path in (ROOT / package).rglob("*") if path.is_dir()} - {"__pycache__"}
    assert [room for room in rooms if any(fnmatch.fnmatch(room, pattern) for pattern in skipped)] == []


@pytest.mark.parametrize("package", ["minitape", "viz"])
def test_imports_go_in_no_circle(package: str):
    graph: dict[str, set[str]] = {}
    for module, target, _ in edges(package):
        graph.setdefault(module, set()).add(target)
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        pytest.fail("a circle: " + " -> ".join(reversed(error.args[1])))


@pytest.mark.parametrize("package", ["minitape", "viz"])
def test_inside_a_package_imports_are_relative(package: str):
    wrong = []
    for module, path in sources(package).items():
        for node in found_in(path):
            if isinstance(node, ast.ImportFrom) and node.level:
                continue
            names = [node.module or ""] if isinstance(node, ast.ImportFrom) else [alias.name for alias in node.names]
            for name in {name.partition(".")[0] for name in names} & {"minitape", "viz"}:
                if not (name == "minitape" and KNOWS_MINITAPE.fullmatch(module)):
                    wrong.append(f"{path.relative_to(ROOT)}:{node.lineno} imports {name}")
    assert not wrong


def test_what_a_test_starts_may_write_down_what_it_compiled() -> None:
    """Also where a machine forbids it, as many images do: whatever is started next would compile all of it once more."""
    assert python("-c", "import sys; print(sys.dont_write_bytecode)").stdout == "False\n"
