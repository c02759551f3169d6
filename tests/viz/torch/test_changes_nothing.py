"""Recording changes nothing: the same numbers to the last bit, the same errors, and nothing left behind."""

from __future__ import annotations

import gc
from collections.abc import Callable
from typing import Any

import pytest

import viz

torch = pytest.importorskip("torch", reason="PyTorch is not installed: .ci/run runs these tests where it is")
from . import programs  # noqa: E402


def run(name: str, recorded: bool) -> list[Any]:
    torch.manual_seed(7)
    if not recorded:
        return programs.PROGRAMS[name]()[1]
    with viz.record(torch):
        return programs.PROGRAMS[name]()[1]


def put_on() -> list[Any]:
    """Everything that recording puts on, as it is now."""
    from torch.nn.modules import module
    from torch.optim import optimizer

    return [
        torch.autograd._engine_run_backward,
        torch.autograd.graph._engine_run_backward,
        torch.autograd.graph.disable_saved_tensors_hooks,
        torch.autograd.Function.__dict__.get("apply"),
        torch.utils.checkpoint._checkpoint_without_reentrant_generator,
        torch._C._len_torch_dispatch_stack(),
        torch._C._autograd._top_saved_tensors_default_hooks(True),
        len(module._global_forward_hooks),
        len(module._global_forward_pre_hooks),
        len(optimizer._global_optimizer_pre_hooks),
        len(optimizer._global_optimizer_post_hooks),
        torch.is_grad_enabled(),
    ]


@pytest.mark.parametrize("name", programs.PROGRAMS)
def test_numbers_are_the_same_to_the_last_bit(name: str) -> None:
    before = put_on()
    plain, recorded = run(name, False), run(name, True)
    assert put_on() == before
    assert len(plain) == len(recorded) > 0
    for one, other in zip(plain, recorded, strict=True):
        assert (one is None) == (other is None)
        assert one is None or (one.dtype == other.dtype and torch.equal(one, other))


def changed_in_place() -> None:
    x = torch.tensor([2.0], requires_grad=True)
    a = x * 1
    y = a * a
    a.add_(1)
    y.backward()


def output_changed_in_place() -> None:
    x = torch.ones(2, 3, requires_grad=True)
    y = (x * 1).exp()
    y.mul_(2)
    y.sum().backward()


def leaf_changed_after_it_was_saved() -> None:
    w = torch.ones(3, requires_grad=True)
    y = (w * w).sum()
    with torch.no_grad():
        w.sub_(1)
    y.backward()


def custom_input_changed_in_place() -> None:
    x = torch.ones(3, requires_grad=True)
    a = x * 2
    y = programs.Square.apply(a)
    a.zero_()
    y.sum().backward()


def asked_twice() -> None:
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    y.backward()
    y.backward()


def of_what_has_no_graph() -> None:
    torch.ones(2).sum().backward()


def of_many_numbers() -> None:
    (torch.ones(2, requires_grad=True) * 2).backward()


def in_place_on_a_leaf() -> None:
    torch.ones(2, requires_grad=True).add_(1)


def of_no_use() -> None:
    x, y = torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)
    torch.autograd.grad((x * 2).sum(), y)


def shapes_that_do_not_fit() -> None:
    torch.nn.Linear(3, 2)(torch.ones(1, 4))


class Fails(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x * 2

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        raise KeyError("a rule of one's own")


def in_a_rule_of_ones_own() -> None:
    x = torch.ones(2, requires_grad=True)
    (Fails.apply(x * 3) * x).sum().backward()


def in_a_checkpoint() -> None:
    from torch.utils.checkpoint import checkpoint

    calls = []

    def body(a: Any) -> Any:
        calls.append(1)
        if len(calls) > 1:
            raise ValueError("the second time")
        return a.sin().cos()

    checkpoint(body, torch.ones(2, requires_grad=True), use_reentrant=False).sum().backward()


def in_a_module() -> None:
    class Broken(torch.nn.Module):
        def forward(self, x: Any) -> Any:
            return x.reshape(7)

    torch.nn.Sequential(torch.nn.Linear(2, 2), Broken())(torch.ones(1, 2))


def of_the_program() -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    raise ZeroDivisionError(f"{y.sum().item()}")


ERRORS: list[Callable[[], None]] = [
    changed_in_place, output_changed_in_place, leaf_changed_after_it_was_saved, custom_input_changed_in_place, asked_twice,
    of_what_has_no_graph, of_many_numbers, in_place_on_a_leaf, of_no_use, shapes_that_do_not_fit, in_a_rule_of_ones_own,
    in_a_checkpoint, in_a_module, of_the_program,
]  # fmt: skip


@pytest.mark.parametrize("fails", ERRORS, ids=lambda fails: fails.__name__)
def test_an_error_is_still_raised_in_its_own_words(fails: Callable[[], None]) -> None:
    before = put_on()
    with pytest.raises(Exception) as plain:
        fails()
    with pytest.raises(Exception) as recorded, viz.record(torch) as run:
        fails()
    assert put_on() == before
    assert (type(recorded.value), str(recorded.value)) == (type(plain.value), str(plain.value))
    assert run.stream.records[-1].kind == "error"
    assert run.scene.steps[-1]["say"].startswith(f"An error ends the run: {type(plain.value).__name__}")


def test_an_error_does_not_leave_the_next_run_astray() -> None:
    with pytest.raises(RuntimeError), viz.record(torch):
        changed_in_place()
    with viz.record(torch) as run:
        x = torch.tensor(3.0, requires_grad=True)
        (x * x).backward()
    assert x.grad == 6 and run.scene.steps[-1]["kind"] == "gradients"


def test_nothing_is_kept_alive() -> None:
    import weakref

    with viz.record(torch) as run:
        x = torch.randn(64, requires_grad=True)
        y = x.sin()
        y.sum().backward()
        dead = weakref.ref(y)
        del y
        gc.collect()
        assert dead() is None
    assert len(run) > 5


def test_two_at_a_time_are_refused() -> None:
    with viz.record(torch), pytest.raises(RuntimeError, match="recorded already"), viz.record(torch):
        pass
    with viz.record(torch):
        pass
