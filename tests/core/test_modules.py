"""tf.Module, name scopes, devices, tf.function, TensorSpec, and variables in parts."""

from __future__ import annotations

import numpy as np
import pytest

import minitape as tf


class Inner(tf.Module):
    def __init__(self, name: str | None = None) -> None:
        super().__init__(name=name)
        self.zz = tf.Variable(1.0, name="z")
        self.aa = [tf.Variable(2.0, name="l")]
        self.d = {"k": tf.Variable(3.0, trainable=False)}


class OuterPart(tf.Module):
    def __init__(self) -> None:
        super().__init__()
        self.m = Inner()
        self.again = self.m
        self.b = tf.Variable(0.0, name="b")
        with self.name_scope:
            self.c = tf.Variable(0.0, name="c")

    @tf.Module.with_name_scope
    def inside(self) -> str:
        return tf.Variable(1.0, name="inside").name


def test_a_module_finds_its_variables_in_tensorflows_order() -> None:
    module = OuterPart()
    assert [one.name for one in module.variables] == ["b:0", "outer_part/c:0", "l:0", "Variable:0", "z:0"]
    assert [one.name for one in module.trainable_variables] == ["b:0", "outer_part/c:0", "l:0", "z:0"]
    assert [one.name for one in module.non_trainable_variables] == ["Variable:0"]
    assert module.submodules == (module.m,) and module.submodules[0].name == "inner"
    assert module.name == "outer_part" and module.inside() == "outer_part/inside:0"
    assert isinstance(module.variables, tuple)


def test_a_module_has_a_name_that_python_could_use() -> None:
    with pytest.raises(ValueError, match="'a b' is not a valid module name"):
        Inner(name="a b")
    with pytest.raises(AttributeError):
        Inner().variables = ()


def test_a_module_trains() -> None:
    module = OuterPart()
    with tf.GradientTape() as tape:
        y = module.m.zz * 3.0 + module.b * 2.0
    gradients = tape.gradient(y, module.trainable_variables)
    assert [None if one is None else float(one) for one in gradients] == [2.0, None, None, 3.0]


def test_scopes_nest_and_are_written_down() -> None:
    x = tf.Variable(1.0)
    with tf.GradientTape() as tape:
        with tf.name_scope("outer") as outer, tf.name_scope("inner") as inner, tf.device("GPU:0"):
            x * 2.0
        with tf.name_scope("a"), tf.name_scope("outer/"):
            x * 3.0
    assert (outer, inner) == ("outer/", "outer/inner/")
    assert [entry.scope for entry in tape.entries] == ["outer/inner", "outer"]
    assert tape.entries[0].application.context.device == "GPU:0"
    with pytest.raises(ValueError, match="string"):
        tf.name_scope(None)


def test_a_function_keeps_its_attributes_and_is_seen_by_tapes() -> None:
    @tf.function(jit_compile=True)
    def doubled(x: tf.Tensor) -> tf.Tensor:
        """Twice."""
        return x * 2.0

    assert (doubled.__name__, doubled.__doc__) == ("doubled", "Twice.")
    assert doubled.python_function is doubled.__wrapped__ and doubled.input_signature is None
    x = tf.constant(1.0)
    with tf.GradientTape() as tape:
        tape.watch(x)
        y = doubled(x)
    assert len(tape.entries) == 1 and float(tape.gradient(y, x)) == 2.0
    with pytest.raises(TypeError, match="unexpected keyword"):
        tf.function(doubled, nonsense=True)


def test_a_signature_is_held() -> None:
    class Counter:
        @tf.function(input_signature=[tf.TensorSpec([], tf.float32), {"by": tf.TensorSpec([None], tf.int32)}])
        def count(self, x: tf.Tensor, more: dict[str, tf.Tensor]) -> tf.Tensor:
            return x + tf.cast(tf.reduce_sum(more["by"]), tf.float32)

    count = Counter().count
    assert float(count(1, {"by": [2, 3]})) == 6.0
    assert float(count(x=tf.constant(1.0), more={"by": np.array([2])})) == 3.0
    for wrong in ((tf.constant(1), {"by": [2]}), (1.0, {"by": [[2]]}), (1.0,), (1.0, {"by": [1]}, 2)):
        with pytest.raises(TypeError, match=r"Binding inputs to tf\.function failed"):
            count(*wrong)


def test_a_function_gives_back_the_value_that_a_variable_has() -> None:
    """As in TensorFlow: what a counter gave back does not count on."""
    count = tf.Variable(2.0)
    with tf.GradientTape(persistent=True) as tape:
        value = tf.function(lambda: {"v": count, "more": [count]})()
        square = value["v"] * value["more"][0]
    assert isinstance(value["v"], tf.Tensor) and tape.gradient(square, count).numpy() == 4.0
    add = tf.function(lambda: count.assign_add(1.0))
    first = add()
    assert float(add()) == 4.0 and float(first) == 3.0
    tf.config.run_functions_eagerly(True)
    try:
        assert isinstance(add(), tf.Variable)
    finally:
        tf.config.run_functions_eagerly(False)
    with pytest.raises(TypeError, match="3 is not a callable object"):
        tf.function(3)


def test_a_concrete_function_has_the_signature_that_was_asked_for() -> None:
    concrete = tf.function(lambda x: x + 1).get_concrete_function(tf.TensorSpec([None], tf.int32))
    assert concrete(tf.constant([1])).numpy().tolist() == [2]
    with pytest.raises(TypeError):
        concrete(tf.constant([1.0]))


def test_a_concrete_function_keeps_what_is_no_tensor() -> None:
    class Power(tf.Module):
        def __init__(self) -> None:
            super().__init__()
            self.weight = tf.Variable(2.0)

        @tf.function
        def __call__(self, x: tf.Tensor, how: int) -> tf.Tensor:
            return self.weight * x**how

    power = Power()
    square = power.__call__.get_concrete_function(tf.TensorSpec([None]), how=2)
    assert square([3.0]).numpy() == square(x=tf.constant([3.0])).numpy() == [18.0]
    with pytest.raises(TypeError, match=r"Can not cast 3 to Literal\[2\]"):
        square(tf.constant([3.0]), how=3)
    with pytest.raises(TypeError, match="Can not cast TensorSpec"):
        square(tf.constant(3.0))
    of_an_object = tf.function(lambda module, x: module.weight * x).get_concrete_function(power, tf.constant(1.0))
    assert of_an_object(tf.constant(4.0)).numpy() == 8.0
    with pytest.raises(AttributeError, match="nothing is traced"):
        square.graph


def test_numbers_come_back_as_tensors() -> None:
    assert tf.function(lambda: tf.Variable(1.0) * 2.0)() == 2.0  # a row of docs/differences.md
    assert repr(tf.function(lambda: 1)()) == "<tf.Tensor: shape=(), dtype=int32, numpy=1>"
    assert isinstance(tf.function(lambda x: x)(np.ones(2)), tf.Tensor)


def test_functions_run_eagerly() -> None:
    assert tf.config.functions_run_eagerly() is False
    tf.config.run_functions_eagerly(True)
    assert tf.config.functions_run_eagerly() is True
    tf.config.run_functions_eagerly(False)


def test_a_specification_describes_a_tensor() -> None:
    spec = tf.TensorSpec([None, 2], tf.int32, name="x")
    assert repr(spec) == "TensorSpec(shape=(None, 2), dtype=tf.int32, name='x')"
    assert spec == tf.TensorSpec([None, 2], "int32", "x") and hash(spec) == hash(tf.TensorSpec([None, 2], "int32", "x"))
    assert spec.is_compatible_with(tf.ones([5, 2], "int32")) and not spec.is_compatible_with(tf.ones([5, 2]))


# ---- variables ----------------------------------------------------------------------------------------------------------------


def test_a_part_of_a_variable_is_a_tensor_that_takes_a_new_value() -> None:
    v = tf.Variable([1.0, 2.0, 3.0])
    assert v[1:].assign([7.0, 8.0]) is v and v.numpy().tolist() == [1.0, 7.0, 8.0]
    with tf.GradientTape() as tape:
        y = v[0] * 5.0
        v[0].assign(9.0)
    assert tape.gradient(y, v).numpy().tolist() == [5.0, 0.0, 0.0] and float(v[0]) == 9.0
    with pytest.raises(tf.errors.InvalidArgumentError, match=r"shape \(3,\)"):
        v[1:].assign([1.0, 2.0, 3.0])


def test_a_shape_that_is_not_known() -> None:
    v = tf.Variable([1.0, 2.0], shape=tf.TensorShape(None))
    assert repr(v) == "<tf.Variable 'Variable:0' shape=<unknown> dtype=float32, numpy=array([1., 2.], dtype=float32)>"
    assert v.assign([[1.0]]).numpy().shape == (1, 1) and v.shape.rank is None
    w = tf.Variable([[1.0]], shape=[None, 1])
    assert w.assign([[1.0], [2.0]]).shape.as_list() == [None, 1]
    with pytest.raises(ValueError, match="incompatible"):
        w.assign([[1.0, 2.0]])


def test_scattered_updates_say_where_they_failed() -> None:
    v = tf.Variable([1.0, 2.0])
    with pytest.raises(tf.errors.InvalidArgumentError, match="Variable:0"):
        v.scatter_nd_update([[5]], [1.0])


def test_a_module_keeps_the_scope_in_which_it_was_made() -> None:
    class Part(tf.Module):
        @tf.Module.with_name_scope
        def name_inside(self) -> str:
            return tf.Variable(1.0, name="w").name

    with tf.name_scope("whole"):
        part = Part()
    assert part.name == "part" and part.name_scope.name == "whole/part/"
    assert part.name_inside() == "whole/part/w:0"


def test_a_spec_is_no_text() -> None:
    spec = tf.TensorSpec([None], tf.int32)
    assert spec == tf.TensorSpec([None], tf.int32) and spec != tf.TensorSpec([None]) and spec != repr(spec)
