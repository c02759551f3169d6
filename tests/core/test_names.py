"""TensorFlow's namespaces are those that the rows and functions say, and everything in them is there."""

from __future__ import annotations

import re
import subprocess
import sys
from operator import attrgetter

import pytest

import minitape as tf
from minitape.notes import NAMES
from minitape.record.refusal import behind
from tests.support import ROOT, python
from tools import names

AGAIN = "run python -m tools.names"


@pytest.mark.parametrize(("file", "text"), names.files().items(), ids=names.files())
def test_a_namespace_is_fresh(file: str, text: str) -> None:
    assert (names.PACKAGE / "names" / file).read_text(encoding="utf-8") == text, AGAIN


def test_every_name_is_where_its_row_says() -> None:
    assert len(NAMES) > 350
    assert [name for name, what in NAMES.items() if behind(attrgetter(name)(tf)) is not what] == []


@pytest.mark.parametrize(
    "space", [tf, tf.math, tf.nn, tf.linalg, tf.random, tf.bitwise, tf.signal, tf.config, tf.debugging]
)
def test_what_is_listed_is_there(space: object) -> None:
    listed = space.__all__  # type: ignore[attr-defined]
    assert [name for name in listed if not hasattr(space, name)] == []
    assert len(listed) == len(set(listed))


def test_a_namespace_can_be_imported() -> None:
    import minitape.math
    from minitape.nn import relu

    assert minitape.math is tf.math and relu is tf.nn.relu


def test_the_writer_needs_nothing_of_what_it_writes() -> None:
    """A row may lose its name: the file that still asks for it must not be in the way."""
    run = subprocess.run(
        [sys.executable, "-c", "import runpy, sys; runpy.run_module('tools.names', run_name='__main__');"
         "print('minitape.names' in sys.modules)"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert run.stdout.strip() == "False"


@pytest.mark.parametrize(
    ("name", "says"), [("mathe.exp", "there is no tf.mathe here; there are math, nn"), ("odd.x", "no tf.odd")]
)
def test_a_wrong_namespace_is_named(monkeypatch: pytest.MonkeyPatch, name: str, says: str) -> None:
    monkeypatch.setitem(NAMES, name, tf.exp)
    with pytest.raises(ValueError, match=says):
        names.files()


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("math.reduce_som", "did you mean 'reduce_sum'?"),
        ("nn.reluu", "did you mean 'relu'?"),
        ("linalg.matmull", "did you mean 'matmul'?"),
        ("random.unifrm", "did you mean 'uniform'?"),
        ("image.resise", "did you mean 'resize'?"),
        ("data.Datset", "did you mean 'Dataset'?"),
        ("nn.ReLU", "did you mean 'relu'?"),
        ("nn.Linear", "write tf.keras.layers.Dense(units)"),
        ("math.matmul", "write tf.matmul"),
        ("random.randn", "write tf.random.normal([2, 3])"),
        ("train.AdamOptimizer", "write tf.keras.optimizers.Adam(rate)"),
        ("layers.dense", "write tf.keras.layers.Dense"),
        ("random.learned_unigram_candidate_sampler", "fixed_unigram_candidate_sampler"),
        ("keras.remat", "tf.recompute_grad(f)"),
        ("keras.tree", "tf.nest has map_structure"),
    ],
)
def test_a_namespace_says_what_was_meant(path: str, says: str) -> None:
    space, _, name = path.partition(".")
    with pytest.raises(
        AttributeError, match=rf"module 'minitape.{space}' has no attribute '{name}'.*{re.escape(says)}"
    ):
        getattr(getattr(tf, space), name)


def test_what_was_meant_is_said_once() -> None:
    """Python adds what it finds itself to an AttributeError that nobody catches."""
    for line, said in (
        ("tf.GradientTap", "module 'minitape' has no attribute 'GradientTap': did you mean 'GradientTape'?"),
        ("tf.math.reduce_som", "module 'minitape.math' has no attribute 'reduce_som': did you mean 'reduce_sum'?"),
        ("viz.stepper", "module 'viz' has no attribute 'stepper': did you mean 'step'?"),
    ):
        ran = python("-c", f"import minitape as tf, viz\n{line}")
        assert ran.stderr.splitlines()[-1] == f"AttributeError: {said}"


def test_the_first_lines_that_speak_to_a_gpu_run() -> None:
    """As they do where TensorFlow finds none."""
    for device in tf.config.experimental.list_physical_devices("GPU"):
        tf.config.experimental.set_memory_growth(device, True)
    tf.config.set_visible_devices([], "GPU")
    assert tf.config.get_visible_devices("GPU") == [] and len(tf.config.get_visible_devices()) == 1
    assert tf.config.experimental.list_logical_devices("GPU") == []


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ("tf.mean(1.0)", "write tf.reduce_mean(x)"),
        ("tf.data.Dataset.range(4).rebatch(2)", "write ds.unbatch().batch(n)"),
        ("tf.data.Dataset.range(4).group_by_window(None)", "padded_batch(n), for each kind"),
        ("tf.keras.utils.split_dataset([1], 0.5)", "ds.take(n)"),
        ("tf.keras.models.model_from_json('')", "model.get_config()"),
        ("tf.keras.callbacks.SwapEMAWeights()", "use_ema=True"),
        ("tf.keras.backend.batch_set_value([])", "v.assign(value)"),
        ("tf.log(1.0)", "write tf.math.log"),
        ("tf.array([1.0])", "write tf.constant(values)"),
        ("tf.tensor([1.0])", "write tf.constant(values)"),
        ("tf.variable(1.0)", "did you mean 'Variable'?"),
        ("tf.gradientTape()", "did you mean 'GradientTape'?"),
        ("tf.softmax([1.0])", "write tf.nn.softmax"),
        ("tf.Dense(1)", "write tf.keras.layers.Dense"),
        ("tf.global_variables_initializer()", "from the beginning"),
        ("tf.keras.layers.dense(1)", "did you mean 'Dense'?"),
        ("tf.keras.optimizers.adam(0.1)", "did you mean 'Adam'?"),
        ("tf.keras.optimizer.SGD(0.1)", "did you mean 'optimizers'?"),
        ("tf.keras.model.Sequential()", "write tf.keras.Sequential"),
        ("tf.keras.layers.ConvLSTM1D(2, 3)", "tf.keras.layers.RNN"),
        ("tf.keras.layers.Conv3D(2, 3)", "volumes"),
        ("tf.keras.optimizers.Muon(0.1)", "step(weight, gradient, rate, *slots)"),
        ("tf.keras.metrics.SensitivityAtSpecificity(0.5)", "Recall(thresholds=[...])"),
        ("tf.linalg.lu([[1.0]])", "tf.linalg.solve"),
        ("tf.linalg.LinearOperatorDiag([1.0])", "write the matrix"),
        ("tf.math.special.bessel_j0(1.0)", "tf.custom_gradient"),
        ("tf.math.betainc(1.0, 1.0, 0.5)", "tf.custom_gradient"),
        ("tf.keras.ops.eig([[1.0]])", "ops.eigh takes symmetric ones"),
        ("tf.keras.ops.lu_factor([[1.0]])", "ops.solve"),
        ("tf.keras.ops.unfold([[1.0]], 2)", "tf.image.extract_patches"),
        ("tf.keras.ops.fold([[1.0]], 2)", "tf.image.extract_patches"),
        ("tf.keras.ops.image.resize([[1.0]], 2)", "tf.image.resize"),
        ("tf.keras.ops.vectorize(len)", "ops.vectorized_map(f, xs)"),
        ("tf.keras.ops.stft([1.0], 2, 1, 2)", "ops.rfft"),
        ("tf.keras.ops.adaptive_max_pool([[1.0]], 2)", "ops.max_pool"),
        ("tf.keras.losses.Circle()", "transpose_b=True"),
        ("tf.keras.metrics.FBetaScore(beta=2.0)", "Precision() and Recall()"),
        ("tf.keras.metrics.PearsonCorrelation()", "np.corrcoef"),
        ("tf.keras.layers.CategoryEncoding(3)", "tf.one_hot(x, depth) does it"),
        ("tf.keras.layers.Discretization([0.0])", "tf.searchsorted(boundaries, x, side='right')"),
        ("tf.keras.layers.ThresholdedReLU(1.0)", "tf.keras.layers.ReLU(threshold=1.0)"),
        ("tf.keras.layers.RandomHue(0.1)", "in dataset.map"),
        ("tf.keras.callbacks.CSVLogger('log.csv')", "history is a dict of lists"),
        ("tf.math.logsumexp([1.0])", "write tf.reduce_logsumexp(x)"),
        ("tf.keras.losses.CrossEntropy()", "write tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)"),
        ("tf.random_normal([2])", "write tf.random.normal([2, 3])"),
        ("tf.config.optimizer.set_jit(True)", "what rewrites graphs"),
        ("tf.keras.layers.experimental.preprocessing.Rescaling(0.5)", "tf.keras.layers.Rescaling"),
        ("tf.keras.optimizers.experimental.Adam(0.1)", "tf.keras.optimizers itself"),
        ("tf.image.non_max_suppression([[0.0]], [1.0], 1)", "tf.image.crop_and_resize"),
        ("tf.keras.preprocessing.image.ImageDataGenerator()", "tf.keras.utils.img_to_array"),
        ("tf.keras.preprocessing.text.one_hot('a', 2)", "Tokenizer gives each its own"),
        ("tf.hessians(1.0, 2.0)", "write tape.jacobian of a gradient"),
        ("tf.gradients(1.0, 2.0)", "tape.gradient(y, x) answers"),
        ("tf.keras.initializers.GlorotUnifrm()", "did you mean 'GlorotUniform'?"),
        ("tf.errors.InvalidArgument('x')", "did you mean 'InvalidArgumentError'?"),
    ],
)
def test_habits_of_other_libraries_and_other_spaces_are_understood(call: str, says: str) -> None:
    """Where a file of the library's own has the name, its call said that a module is not callable."""
    with pytest.raises(AttributeError, match=f"has no attribute .*{re.escape(says)}"):
        eval(call, {"tf": tf})
