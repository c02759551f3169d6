"""Pictures: [rows, columns, channels], or a batch of them.

A change of size is linear along rows and along columns, so one row of the table does them all: it multiplies by two matrices,
which say how much each old row (column) counts in each new one, and its transpose is itself with both matrices turned around.
`weights.py` makes the matrices.  The rest is said in rows that are there.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..dtypes import as_dtype
from ..errors import InvalidArgumentError
from ..kinds import Linear
from ..record.refusal import refusal
from ..tensor import Tensor, convert, to_array
from .clip import saturate_cast
from .elementwise import abs as abs_
from .elementwise import cast, clip_by_value, maximum, multiply, rsqrt
from .elementwise import pow as pow_
from .indexing import gather
from .padding import pad
from .reductions import reduce_mean, reduce_sum, reduce_variance
from .shapes import concat, expand_dims, reshape, reverse, squeeze, stack, tile_last, transpose
from .weights import METHODS, matrix

# fmt: off
resize_ = Linear("resize", lambda x, rows, columns: _resized(x, rows, columns), lambda g, rows, columns: resize_(g, rows=rows.T, columns=columns.T),
                 formula="rows · x · columnsᵀ, in each channel", derivatives=("rowsᵀ · d · columns",), title="ResizeBilinear", kinds="f")
# fmt: on
