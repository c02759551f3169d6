"""What is told of a program: bytes, cells, regions, reasons, words."""

from __future__ import annotations

import math
import sys
from typing import Any

import pytest

import viz

torch = pytest.importorskip("torch", reason="PyTorch is not installed: .ci/run runs these tests where it is")
forward_ad = pytest.importorskip("torch.autograd.forward_ad")


def says(run: Any) -> str:
    return "\n".join(step["say"] for step in run.scene.steps)


def at_the_seed(run: Any) -> dict[str, int]:
    record = next(record for record in run.stream.records if record.kind == "gradient")
    return dict(zip(run.stream.holders, record.memory, strict=True))


def test_saved_bytes_are_those_of_arithmetic() -> None:
    layers = [part for _ in range(12) for part in (torch.nn.Linear(64, 64), torch.nn.Tanh())]
    net, x = torch.nn.Sequential(*layers), torch.randn(256, 64)
    with viz.record(torch) as run:
        net(x).sum().backward()
    held = at_the_seed(run)
    assert held["tape"] == 12 * 256 * 64 * 4
    assert held["variable"] == 12 * (64 * 64 + 64) * 4
    assert dict(zip(run.stream.holders, run.stream.records[-1].memory, strict=True))["tape"] == 0


def test_saved_bytes_are_those_of_hooks_of_ones_own() -> None:
    def program() -> Any:
        x = torch.ones(32, 8, requires_grad=True)
        w = torch.ones(8, 4, requires_grad=True)
        loss = torch.nn.functional.layer_norm((x @ w).exp().softmax(-1), (4,)).sin().square().mean()
        return x, w, loss

    storages: dict[int, tuple[int, Any]] = {}

    def pack(tensor: Any) -> Any:
        storages[tensor.untyped_storage().data_ptr()] = tensor.untyped_storage().nbytes(), tensor
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(pack, lambda tensor: tensor):
        x, w, loss = program()
    own = {x.untyped_storage().data_ptr(), w.untyped_storage().data_ptr(), loss.untyped_storage().data_ptr()}
    expected = sum(nbytes for pointer, (nbytes, _) in storages.items() if pointer not in own)
    with viz.record(torch) as run:
        x, w, loss = program()
        loss.backward()
    assert at_the_seed(run)["tape"] == expected > 0


def test_grad_gathers_until_it_is_cleared() -> None:
    with viz.record(torch) as run:
        x = torch.tensor(3.0, requires_grad=True)
        (x.detach() * x).backward()
        (x * x).backward()
        x.grad = None
        (2 * x).backward()
    story = says(run)
    assert "x.grad was empty: it takes in 3." in story
    assert "x.grad already held 3, and what arrives is added: 3 + 6 = 9." in story
    assert "x.grad is empty again." in story and "x.grad was empty: it takes in 2." in story
    x = next(value for value in run.scene.values if value["name"] == "x")
    cell = next(cell for cell in x["cells"] if cell["label"] == ".grad")
    assert [state["text"] for state in cell["states"]] == ["3", "9", "", "2"]


def test_the_second_derivative_has_every_edge_that_minitape_has() -> None:
    import minitape as tf

    with viz.record(torch) as run:
        x = torch.tensor(3.0, requires_grad=True)
        y = x * x * x
        (slope,) = torch.autograd.grad(y, x, create_graph=True)
        (bend,) = torch.autograd.grad(slope, x)
    with viz.record() as other:
        x = tf.Variable(3.0)
        with tf.GradientTape() as outer:
            with tf.GradientTape() as inner:
                y = x * x * x
            slope = inner.gradient(y, x)
        outer.gradient(slope, x)

    def carried(scene: Any) -> list[str]:
        return sorted(one["text"] for edge in scene.edges for one in edge.get("carried", []))

    assert bend == 18 and carried(run.scene) == carried(other.scene) and len(carried(run.scene)) == 16


def test_a_checkpoint_runs_again_and_stops_early() -> None:
    from torch.utils.checkpoint import checkpoint

    def body(a: Any) -> Any:
        return torch.tanh(torch.sin(torch.cos(a))) * 2.0  # the product saves nothing: it need not run again

    x = torch.tensor(0.5, requires_grad=True)
    with viz.record(torch) as run:
        y = checkpoint(body, x * 3, use_reentrant=False)
        y.backward()
    kinds = [step["kind"] for step in run.scene.steps]
    assert kinds.count("region") == 2 and kinds.count("replay") == 3
    assert "Into body" in says(run) and "runs again (run 2)" in says(run)


@pytest.mark.parametrize("reentrant", [False, True])
def test_a_region_keeps_what_goes_in(reentrant: bool) -> None:
    from torch.utils.checkpoint import checkpoint

    x = torch.ones(4, requires_grad=True)
    with viz.record(torch) as run:
        checkpoint(lambda a: a.exp().exp().exp(), x * 2, use_reentrant=reentrant).sum().backward()
    (region,) = [one for one in run.scene.regions if one["kind"] == "recompute"]
    assert (region["kept"], region["plain"], region["runs"]) == (16, 64, 2)


def test_a_function_of_the_program_is_not_taken_for_the_op_of_its_name() -> None:
    def t(x: Any) -> Any:
        return x * 2.0

    x = torch.ones(2, 3, requires_grad=True)
    with viz.record(torch) as run:
        torch.utils.checkpoint.checkpoint(t, x, use_reentrant=False).sum().backward()
    (row,) = {record.op.row for record in run.stream.records if record.kind == "op" and record.op.region}
    assert (row.name, row.formula, row.same) == ("t", "t(a)", "")


def test_parameters_are_called_as_their_module_calls_them() -> None:
    net = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.ReLU(), torch.nn.Linear(3, 1))
    with viz.record(torch) as run:
        net(torch.ones(1, 2)).sum().backward()
    names = {value["name"] for value in run.scene.values}
    assert set(dict(net.named_parameters())) <= names


def test_why_there_is_no_gradient() -> None:
    net, unused = torch.nn.Linear(2, 1), torch.nn.Linear(2, 1)
    cut, frozen = (torch.ones(2, requires_grad=True) for _ in range(2))
    plain, dead = torch.ones(2), torch.full((2,), -1.0, requires_grad=True)
    with viz.record(torch) as run:
        with torch.no_grad():
            away = frozen * 2
        loss = net(plain + cut.detach()).sum() + away.sum() + dead.relu().sum()
        loss.backward()
    assert "came back through" in run.why(net.weight)
    assert "no op took it" in run.why(unused.weight)
    assert "ends at detach" in run.why(cut) and "cut.detach()" in run.why(cut)
    assert "ends at mul" in run.why(frozen) and "grad mode is off" in run.why(frozen)
    assert "does not require grad" in run.why(plain)
    assert "all zeros: threshold" in run.why(dead) or "all zeros: relu" in run.why(dead)
    assert "retain_grad()" in run.why(loss)
    with pytest.raises(TypeError, match="belongs to a tensor"):
        run.why(3)


def test_an_optimizer_changes_parameters() -> None:
    w = torch.tensor(2.0, requires_grad=True)
    optimizer = torch.optim.SGD([w], lr=0.5)
    with viz.record(torch) as run:
        (w * w).backward()
        optimizer.step()
    assert "w changes: it now holds 0." in says(run)


def test_a_graph_from_before_the_run_is_told() -> None:
    x = torch.tensor(3.0, requires_grad=True)
    before = (x * 2).sin()
    with viz.record(torch) as run:
        (before * x).backward()
    shares = [record.context.cause.row.name for record in run.stream.records if record.kind == "contribution"]
    assert shares == ["mul", "mul", "Sin", "Mul"]


def test_a_refused_version_and_missing_names() -> None:
    from viz.capture.torch import private

    class Old:
        __version__ = "1.0.0"

    from viz.capture.torch import record

    with pytest.raises(RuntimeError, match=r"1\.0\.0 was never tried"):
        record(Old)
    assert private.probe() == ()
    gone = private.Name("no.such_name", "nothing could be told")
    assert private.probe((gone,)) == ("nothing could be told",)
    with pytest.raises(RuntimeError, match="without it nothing could be told"):
        private.probe((gone._replace(needed=True),))


def test_a_stream_of_it_is_read_again() -> None:
    x = torch.randn(3, requires_grad=True)
    with viz.record(torch, "a run") as run:
        (x.sin() * x).sum().backward()
    text = run.stream.to_json()
    again = viz.Stream.from_json(text)
    assert again.to_json() == text and again.scene.to_json() == run.scene.to_json()


def test_the_command_knows_a_script_by_its_imports(tmp_path: Any) -> None:
    from viz.program import framework_of, recorded

    script = tmp_path / "train.py"
    script.write_text("import torch\nx = torch.tensor(3.0, requires_grad=True)\n(x * x).backward()\n")
    assert recorded(str(script), str(tmp_path / "train.txt")) == 0
    assert ".grad of x = 6" in (tmp_path / "train.txt").read_text(encoding="utf-8")
    script.write_text("import minitape as tf\n")
    assert framework_of(str(script)) == []


def test_what_recording_costs() -> None:
    net = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.Tanh(), torch.nn.Linear(64, 64))
    x = torch.randn(256, 64)

    def step() -> None:
        net(x).square().mean().backward()

    calls = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event == "call"

    for _ in range(2):  # at first much is read, and kept
        calls = 0
        with viz.record(torch) as run:
            sys.setprofile(count)
            step()
            sys.setprofile(None)
    assert calls < 200 * len(run.stream.records)  # about 130


# ---- forward mode --------------------------------------------------------------------------------------------------------------


def told_tangents(run: Any) -> list[Any]:
    return [record for record in run.stream.records if record.kind == "tangent"]


def test_every_op_carries_its_tangent() -> None:
    with viz.record(torch) as run:
        x = torch.tensor(1.5)
        with forward_ad.dual_level():
            dual = forward_ad.make_dual(x, torch.tensor(2.0))
            above = dual > 1.0  # has no tangent
            like = torch.zeros_like(dual)  # nor has this
            y = torch.sin(dual * dual) + like
            slope = forward_ad.unpack_dual(y).tangent
    assert bool(above) and slope.item() == pytest.approx(2.0 * 3.0 * math.cos(2.25))
    told = told_tangents(run)
    assert [(one.seed, one.op and one.op.row.name) for one in told] == [
        (True, None), (False, "mul"), (False, "sin"), (False, "add"),
    ]  # fmt: skip
    assert [one.numbers[one.tangent].value for one in told] == pytest.approx([2.0, 6.0, slope.item(), slope.item()])
    inside = [
        (record.op.row.name, record.context.cause.row.name)
        for record in run.stream.records
        if record.kind == "op" and record.context.phase == "jvp"
    ]
    assert inside[:5] == [("mul", "mul"), ("mul", "mul"), ("add", "mul"), ("cos", "sin"), ("mul", "sin")]
    (look,) = [record for record in run.stream.records if record.kind == "look-up"]
    assert look.found is told[-1].tangent
    assert "dual level carries the tangent along, at once: that of dual·dual is 6." in says(run)
    assert "dual level is over, and its tangents with it." in says(run)


def test_a_loop_of_ops_in_place_has_a_tangent_each() -> None:
    with viz.record(torch) as run, forward_ad.dual_level():
        y = forward_ad.make_dual(torch.tensor([1.0, 2.0]), torch.tensor([1.0, 0.0])) * 1.0
        for _ in range(3):
            y.mul_(2.0)
        found = forward_ad.unpack_dual(y).tangent.tolist()
    assert found == [8.0, 0.0]
    shown = [one for one in told_tangents(run) if one.op is not None and one.op.row.name == "mul_"]
    assert len(shown) == 3 and len({one.of for one in shown}) == 3
    assert "is [8, 0]" in says(run)


def test_a_hessian_times_a_vector_forward_over_reverse() -> None:
    with viz.record(torch) as run, forward_ad.dual_level():
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        dual = forward_ad.make_dual(x, torch.tensor([1.0, 0.5]))
        (slope,) = torch.autograd.grad((dual**3.0).sum(), x)
        product = forward_ad.unpack_dual(slope).tangent
    assert product.tolist() == [6.0, 6.0]
    (look,) = [record for record in run.stream.records if record.kind == "look-up"]
    assert look.found is not None
    back = [one for one in told_tangents(run) if one.op is not None and one.op.context.phase == "gradient"]
    assert back and back[-1].tangent is look.found
    assert not [one for one in told_tangents(run) if one.seed][1:]


def test_what_fails_in_a_dual_level_leaves_it() -> None:
    with pytest.raises(NotImplementedError, match="forward AD"):
        with viz.record(torch) as run, forward_ad.dual_level():
            dual = forward_ad.make_dual(torch.ones(1, 1, 2, 2), torch.ones(1, 1, 2, 2))
            torch.nn.functional.grid_sample(dual, torch.zeros(1, 1, 1, 2), align_corners=False)
    assert not run.listening and forward_ad._current_level == -1
    assert forward_ad.unpack_dual.__module__ == "torch.autograd.forward_ad"
