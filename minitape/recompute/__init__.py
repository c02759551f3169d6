"""Memory for time: regions that run again, wrappers, reversible layers, schedules."""

from . import policies
from .account import explain_recompute, is_recomputing
from .errors import (
    CaptureWarning,
    DriftWarning,
    NonDeterministicRecomputeWarning,
    RecomputeMismatchError,
    RecomputeSideEffectWarning,
    VariableChangedWarning,
)
from .grad import recompute_grad
from .policies import checkpoint_name
from .reversible import ReversibleLayer, ReversibleSequential
from .run_again import RecomputeWrapper
from .schedules import CheckpointPlan, checkpoint_sequential, plan
from .wrapper import AbstractRecomputeWrapper, CtrlFlowWarning
