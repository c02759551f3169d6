# ruff: noqa: I001  a name per line would bury what there is
"""`tf.keras.layers`."""

import functools

from ..config import revived, stored
from ..functional import Input, InputLayer
from ..input_spec import InputSpec
from ..layer import Layer
from .activation import ELU, Activation, ActivityRegularization, Identity, LeakyReLU, PReLU, ReLU, Softmax
from .attention import MultiHeadAttention
from .cells import GRUCell, LSTMCell, SimpleRNNCell, StackedRNNCells
from .conv import Conv1D, Conv2D, DepthwiseConv2D, SeparableConv2D
from .conv_transpose import Conv1DTranspose, Conv2DTranspose
from .dense import Dense, EinsumDense
from .dropout import AlphaDropout, Dropout, GaussianDropout, GaussianNoise, SpatialDropout1D, SpatialDropout2D
from .embedding import Embedding, Masking
from .groups import GroupNormalization, RMSNormalization, SpectralNormalization
from .looking import AdditiveAttention, Attention
from .merging import Add, Average, Concatenate, Dot, Maximum, Minimum, Multiply, Subtract
from .merging import adding as add
from .merging import averaging as average
from .merging import concatenated as concatenate
from .merging import dotted as dot
from .merging import largest as maximum
from .merging import multiplying as multiply
from .merging import smallest as minimum
from .merging import subtracting as subtract
from .normalization import BatchNormalization, LayerNormalization, UnitNormalization
from .pooling import (
    AveragePooling1D, AveragePooling2D, GlobalAveragePooling1D, GlobalAveragePooling2D, GlobalMaxPooling1D,
    GlobalMaxPooling2D, MaxPooling1D, MaxPooling2D,
)  # fmt: skip
from .preprocessing import Normalization, Rescaling
from .recurrent import GRU, LSTM, RNN, SimpleRNN
from .shape import Flatten, Lambda, Permute, RepeatVector, Reshape
from .spatial import Cropping1D, Cropping2D, UpSampling1D, UpSampling2D, ZeroPadding1D, ZeroPadding2D
from .wrappers import Bidirectional, TimeDistributed, Wrapper

Convolution1D, Convolution2D, Convolution2DTranspose = Conv1D, Conv2D, Conv2DTranspose
Convolution1DTranspose = Conv1DTranspose
SeparableConvolution2D = SeparableConv2D
MaxPool1D, MaxPool2D, AvgPool1D, AvgPool2D = MaxPooling1D, MaxPooling2D, AveragePooling1D, AveragePooling2D
GlobalAvgPool1D, GlobalAvgPool2D = GlobalAveragePooling1D, GlobalAveragePooling2D
GlobalMaxPool1D, GlobalMaxPool2D = GlobalMaxPooling1D, GlobalMaxPooling2D

serialize, deserialize = stored("layers", functools.partial(revived, Layer), "layer", "Dense(1)")

__all__ = [
    "Activation", "ActivityRegularization", "Add", "AdditiveAttention", "AlphaDropout", "Attention", "Average",
    "AveragePooling1D", "AveragePooling2D", "AvgPool1D", "AvgPool2D", "BatchNormalization", "Bidirectional", "Concatenate",
    "Conv1D", "Conv1DTranspose", "Conv2D", "Conv2DTranspose", "Convolution1D", "Convolution1DTranspose", "Convolution2D",
    "Convolution2DTranspose", "Cropping1D", "Cropping2D", "Dense", "DepthwiseConv2D", "Dot", "Dropout", "ELU",
    "EinsumDense", "Embedding", "Flatten", "GRU", "GRUCell", "GaussianDropout", "GaussianNoise", "GlobalAveragePooling1D",
    "GlobalAveragePooling2D", "GlobalAvgPool1D", "GlobalAvgPool2D", "GlobalMaxPool1D", "GlobalMaxPool2D",
    "GlobalMaxPooling1D", "GlobalMaxPooling2D", "GroupNormalization", "Identity", "Input", "InputLayer", "InputSpec",
    "LSTM", "LSTMCell", "Lambda", "Layer", "LayerNormalization", "LeakyReLU", "Masking", "MaxPool1D", "MaxPool2D",
    "MaxPooling1D", "MaxPooling2D", "Maximum", "Minimum", "MultiHeadAttention", "Multiply", "Normalization", "PReLU",
    "Permute", "RMSNormalization", "RNN", "ReLU", "RepeatVector", "Rescaling", "Reshape", "SeparableConv2D",
    "SeparableConvolution2D", "SimpleRNN", "SimpleRNNCell", "Softmax", "SpatialDropout1D", "SpatialDropout2D",
    "SpectralNormalization", "StackedRNNCells", "Subtract", "TimeDistributed", "UnitNormalization", "UpSampling1D",
    "UpSampling2D", "Wrapper", "ZeroPadding1D", "ZeroPadding2D", "add", "average", "concatenate", "deserialize", "dot", "maximum",
    "minimum", "multiply", "serialize", "subtract",
]  # fmt: skip
