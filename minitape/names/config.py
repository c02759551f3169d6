"""`tf.config`: how things run.  Here they run in one way, on one CPU."""

from __future__ import annotations

from types import ModuleType
from typing import Any, NamedTuple

from ..record.refusal import answering
from ..spec import functions_run_eagerly, run_functions_eagerly


class PhysicalDevice(NamedTuple):
    """A piece of the machine; here there is one, the CPU.

    >>> tf.config.list_physical_devices()[0].device_type
    'CPU'
    """

    name: str
    device_type: str


class LogicalDevice(NamedTuple):
    """A device as programs name it; here there is one, the CPU.

    >>> tf.config.list_logical_devices()[0].name
    '/device:CPU:0'
    """

    name: str
    device_type: str


def list_physical_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The one CPU, unless another kind is asked for.

    >>> tf.config.list_physical_devices(), tf.config.list_physical_devices("GPU")
    ([PhysicalDevice(name='/physical_device:CPU:0', device_type='CPU')], [])
    """
    return [PhysicalDevice("/physical_device:CPU:0", "CPU")] if device_type is None or device_type == "CPU" else []


def list_logical_devices(device_type: str | None = None) -> list[LogicalDevice]:
    """The one CPU, unless another kind is asked for.

    >>> tf.config.list_logical_devices()
    [LogicalDevice(name='/device:CPU:0', device_type='CPU')]
    """
    return [LogicalDevice("/device:CPU:0", "CPU")] if device_type is None or device_type == "CPU" else []


def set_soft_device_placement(enabled: bool) -> None:
    """Accepted: whatever device is asked for, everything runs on the CPU.

    >>> tf.config.set_soft_device_placement(True)
    """


def set_visible_devices(devices: Any, device_type: str | None = None) -> None:
    """Accepted: the one CPU is always visible, and other devices are not there.

    >>> tf.config.set_visible_devices([], "GPU")
    """


def get_visible_devices(device_type: str | None = None) -> list[PhysicalDevice]:
    """The one CPU, unless another kind is asked for.

    >>> tf.config.get_visible_devices("GPU")
    []
    """
    return list_physical_devices(device_type)


def set_memory_growth(device: Any, enable: bool) -> None:
    """Accepted: only a GPU has memory of its own, and programs say this to each that they find.

    >>> for device in tf.config.experimental.list_physical_devices("GPU"):
    ...     tf.config.experimental.set_memory_growth(device, True)
    """


experimental = ModuleType(
    "minitape.config.experimental", "What programs say to a GPU in their first lines, where there is none."
)
vars(experimental).update(
    list_logical_devices=list_logical_devices,
    list_physical_devices=list_physical_devices,
    set_memory_growth=set_memory_growth,
    __all__=["list_logical_devices", "list_physical_devices", "set_memory_growth"],
)
answering(vars(experimental), "tf.config.experimental", vars(experimental)["__all__"])
del set_memory_growth  # it stands in `experimental` alone

__all__ = [
    "LogicalDevice", "PhysicalDevice", "experimental", "functions_run_eagerly", "get_visible_devices",
    "list_logical_devices", "list_physical_devices",
    "run_functions_eagerly", "set_soft_device_placement", "set_visible_devices",
]  # fmt: skip
