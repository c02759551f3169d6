"""When a value is gone: its last handle died, whoever has its bytes."""

from __future__ import annotations

from typing import Any

import minitape as tf
import viz


def gone(run: Any) -> dict[str, str]:
    """By a value's shape the op whose record says that it is gone."""
    return {
        str(list(value.shape)): record.op.row.name if record.kind == "op" else record.kind
        for record in run.stream.records
        for value in record.gone
    }


def test_a_value_is_gone_when_its_bytes_are() -> None:
    with viz.record() as run:
        x = tf.constant([1.0, 2.0]) + 1.0
        y = tf.reduce_sum(x)
        del x
        z = y * 2.0
    assert gone(run)["[2]"] == "reduce_sum" and z.numpy() == 10.0


def test_a_value_is_gone_though_a_view_has_its_bytes() -> None:
    with viz.record() as run:
        x = tf.constant([1.0, 2.0, 3.0, 4.0]) * 1.0
        view = tf.reshape(x, [2, 2])
        del x
        y = tf.reduce_sum(view)
        del view
        z = y * 2.0
    assert gone(run)["[4]"] == "reshape" and gone(run)["[2, 2]"] == "reduce_sum" and z.numpy() == 20.0
    moved = [(record.kind, value.shape, holder) for record in run.stream.records for value, holder in record.moved]
    assert ("op", (4,), "") in moved  # the bytes went with the view


def test_what_a_calls_result_was_made_of_is_gone_before_it() -> None:
    @tf.custom_gradient
    def doubled(x: Any) -> Any:
        return x * 2.0, lambda d: d * 3.0

    with viz.record() as run:
        y = doubled(tf.constant([1.0, 2.0]))
    inner, outer = [record for record in run.stream.records if record.kind == "op"]
    assert set(inner.op.gives) <= set(inner.gone) and not set(inner.op.gives) & set(outer.gone)
    assert y.numpy().tolist() == [2.0, 4.0]


def test_a_values_end_is_told_once() -> None:
    w = tf.Variable([1.0, 2.0])
    with viz.record() as run, tf.GradientTape() as tape:
        parts = tf.split(w * 2.0, 2)
        y = tf.reduce_sum(parts[0]) * tf.exp(parts[1][0])
        del parts
        tape.gradient(y, w)
        del y
    ends = [value for record in run.stream.records for value in record.gone]
    assert len(ends) == len(set(ends)) > 5
