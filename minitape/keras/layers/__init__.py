"""`tf.keras.layers`."""

from ..functional import Input, InputLayer
from ..input_spec import InputSpec
from ..layer import Layer
from .activation import Activation, ReLU, Softmax
from .conv import AveragePooling2D, Conv2D, MaxPooling2D
from .dense import Dense
from .dropout import Dropout
from .embedding import Embedding
from .normalization import BatchNormalization
from .shape import Flatten, Lambda

__all__ = [
    "Activation", "AveragePooling2D", "BatchNormalization", "Conv2D", "Dense", "Dropout", "Embedding", "Flatten", "Input",
    "InputLayer", "InputSpec", "Lambda", "Layer", "MaxPooling2D", "ReLU", "Softmax",
]  # fmt: skip
