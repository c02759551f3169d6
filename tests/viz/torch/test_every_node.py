"""Every autograd node and every edge is told with its number, counted independently: by a walk along `next_functions`."""

from __future__ import annotations

from typing import Any

import pytest

import viz

torch = pytest.importorskip("torch", reason="PyTorch is not installed: .ci/run runs these tests where it is")
from . import programs  # noqa: E402


class Counted:
    """What the engine itself says of its passes: each node that ran, and each number that left it."""

    def __init__(self) -> None:
        self.passes: list[tuple[dict[str, int], list[float]]] = []

    def __enter__(self) -> Counted:
        engine = self._engine = torch.autograd._engine_run_backward

        def counting(targets: Any, *args: Any, **kwargs: Any) -> Any:
            nodes: dict[str, int] = {}
            numbers: list[float] = []
            handles, seen = [], set()
            todo = [one.grad_fn for one in targets]
            while todo:
                node = todo.pop()
                if node is None or node in seen:
                    continue
                seen.add(node)
                todo += [further for further, _ in node.next_functions]
                if not hasattr(node, "variable"):
                    handles.append(node.register_hook(lambda gives, takes, node=node: ran(node, gives)))

            def ran(node: Any, gives: Any) -> None:
                nodes[node.name()] = nodes.get(node.name(), 0) + 1
                for (further, _), one in zip(node.next_functions, gives, strict=True):
                    if further is not None and one is not None:
                        numbers.append(size(one))

            self.passes.append((nodes, numbers))
            try:
                return engine(targets, *args, **kwargs)
            finally:
                for handle in handles:
                    handle.remove()

        torch.autograd._engine_run_backward = counting
        return self

    def __exit__(self, *error: object) -> None:
        torch.autograd._engine_run_backward = self._engine


def size(tensor: Any) -> float:
    with torch.utils._python_dispatch._disable_current_modes():
        return round(float(tensor.detach().abs().double().sum()), 5)


# Of these nothing reaches a backward pass, or its passes lie in each other (a reentrant checkpoint has a test of its own).
WITHOUT = {"without_grad", "functional_transforms", "forward_mode", "reentrant_checkpoint"}


@pytest.mark.parametrize("name", [name for name in programs.PROGRAMS if name not in WITHOUT])
def test_every_node_and_edge_is_told(name: str) -> None:
    torch.manual_seed(3)
    with Counted() as counted:
        programs.PROGRAMS[name]()
    torch.manual_seed(3)
    with viz.record(torch) as run:
        programs.PROGRAMS[name]()
    told: list[list[Any]] = []
    for record in run.stream.records:
        if record.kind == "gradient":
            told.append([])
        elif record.kind in ("contribution", "at-door"):
            told[-1].append(record)
    assert len(told) == len(counted.passes) > 0
    for shares, (nodes, numbers) in zip(told, counted.passes, strict=True):
        assert len(shares) == len(numbers), (nodes, [one.context.cause.row.name for one in shares])
        assert len({one.context.cause for one in shares}) == sum(nodes.values()), nodes
    assert [one for one in run.scene.steps if one["kind"] == "bare"] == []
