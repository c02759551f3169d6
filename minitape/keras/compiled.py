"""What `compile` was given: a loss or one per output, and metrics or some per output, behind one object each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import nest
from ..record.refusal import described, value_error
from . import losses, metrics


def named(model: Any, y_pred: Any) -> list[str]:
    """The names of a model's outputs, in the order of `nest.flatten`."""
    if isinstance(y_pred, dict):
        return sorted(y_pred)
    names = [symbol.call.layer.name for symbol in model.outputs] if hasattr(model, "outputs") else []
    flat = nest.flatten(y_pred)
    return names if len(names) == len(flat) else [f"output_{i}" for i in range(len(flat))]


def by_output(model: Any, wanted: Any, y_pred: Any, what: str) -> list[Any]:
    """What is wanted for each output, given by name, as a list of equal length, or once for all."""
    names = named(model, y_pred)
    if isinstance(wanted, dict):
        unknown = [name for name in wanted if name not in names]
        if unknown:
            raise value_error(
                f"In the dict argument `{what}`, keys {unknown} are no outputs of the model.",
                f"Its outputs are {names}.",
            )
        return [wanted.get(name) for name in names]
    if isinstance(wanted, list | tuple):
        if len(wanted) != len(names):
            raise value_error(
                f"For a model with {len(names)} outputs, argument `{what}` should have as many entries. Received: {wanted!r}",
                f"One for each of {names}.",
            )
        return list(wanted)
    return [wanted] * len(names)


class CompiledLoss:
    """The loss of a model: of its output, or the weighted sum over several outputs, each of which has its own mean."""

    def __init__(self, model: Any, loss: Any, weights: Any) -> None:
        self.model, self.weights = model, weights
        self.loss = nest.map_structure(losses.as_loss, loss)
        self.means: dict[str, metrics.Mean] = {}

    def __call__(self, y: Any, y_pred: Any, sample_weight: Any = None) -> Any:
        guesses = nest.flatten(y_pred)
        if len(guesses) == 1 and not nest.is_nested(self.loss):
            return self.loss(nest.flatten(y)[0], guesses[0], nest.flatten(sample_weight)[0])
        wanted = by_output(self.model, self.loss, y_pred, "loss")
        weights = by_output(self.model, 1.0 if self.weights is None else self.weights, y_pred, "loss_weights")
        truths = [y.get(name) for name in named(self.model, y_pred)] if isinstance(y, dict) else nest.flatten(y)
        shares = nest.flatten(sample_weight)
        total: Any = None
        if isinstance(self.loss, dict) and isinstance(y_pred, dict):  # as in Keras the losses say the order
            for name in (name for name, loss in self.loss.items() if loss is not None):
                self.means.setdefault(name, metrics.Mean(f"{name}_loss"))
        for i, (name, loss) in enumerate(zip(named(self.model, y_pred), wanted, strict=True)):
            if loss is None:
                continue
            value = loss(truths[i], guesses[i], shares[i] if len(shares) == len(guesses) else shares[0])
            mean = self.means.setdefault(name, metrics.Mean(f"{name}_loss"))
            mean.update_state(value, sample_weight=guesses[i].shape[0])
            value = value if weights[i] in (None, 1.0) else value * weights[i]
            total = value if total is None else total + value
        return total


class CompiledMetrics:
    """The metrics of a model, those of one output after those of the other."""

    def __init__(self, model: Any, wanted: Any, weighted: Any) -> None:
        self.model = model
        for what, given in (("metrics", wanted), ("weighted_metrics", weighted)):
            if not isinstance(given, list | tuple | dict | None):
                raise value_error(
                    f"Expected `{what}` argument to be a list, tuple, or dict. Received instead: {what}={described(given)}",
                    f"Put it into a list: {what}=[{described(given)}].",
                )
        self.several = isinstance(wanted, dict) or any(isinstance(item, list | tuple) for item in wanted or ())
        self.plain = _made(wanted)
        self.weighted = [_measure(item) for item in nest.flatten(weighted) if item is not None]
        names = {item.name for item in nest.flatten(self.plain) if item is not None}
        for item in self.weighted:
            item.name = f"weighted_{item.name}" if item.name in names else item.name
        self._named = not self.several

    def __iter__(self) -> Iterator[metrics.Metric]:
        yield from (item for item in nest.flatten(self.plain) if item is not None)
        yield from self.weighted

    def update_state(self, y: Any, y_pred: Any, sample_weight: Any = None) -> None:
        """Take another batch into account, as a `train_step` for Keras 2 calls it."""
        self.update(y, y_pred, sample_weight)

    def update(self, y: Any, y_pred: Any, sample_weight: Any) -> None:
        """Take another batch into account; the weights are for `weighted_metrics` alone."""
        guesses = nest.flatten(y_pred)
        if not self.several:
            for item in self:
                weight = {"sample_weight": sample_weight} if sample_weight is not None and item in self.weighted else {}
                item.update_state(
                    nest.flatten(y)[0] if len(guesses) == 1 else y,
                    guesses[0] if len(guesses) == 1 else y_pred,
                    **weight,
                )
            return
        names = named(self.model, y_pred)
        truths = [y.get(name) for name in names] if isinstance(y, dict) else nest.flatten(y)
        for i, wanted in enumerate(by_output(self.model, self.plain, y_pred, "metrics")):
            for item in (measure for measure in nest.flatten(wanted) if measure is not None):
                if not self._named:
                    item.name = f"{names[i]}_{item.name}"
                item.update_state(truths[i], guesses[i])
        self._named = True


def _made(wanted: Any) -> Any:
    if isinstance(wanted, dict):
        return {name: _made(item) for name, item in wanted.items()}
    if isinstance(wanted, list | tuple):
        return [_made(item) for item in wanted]
    return _measure(wanted)


def _measure(wanted: Any) -> Any:
    """A metric, named as it was asked for where that was by a name: "AUC" stands so in the history."""
    found = metrics.get(wanted)
    if isinstance(wanted, str):
        found.name = wanted
    return found
