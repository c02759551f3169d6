"""`tf.config`: how things run.  Here they run in one way, on one CPU."""

from __future__ import annotations

from typing import Any, NamedTuple

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


from . import config_experimental as experimental  # noqa: E402  it has names of this file

__all__ = [
    "LogicalDevice", "PhysicalDevice", "experimental", "functions_run_eagerly", "get_visible_devices",
    "list_logical_devices", "list_physical_devices",
    "run_functions_eagerly", "set_soft_device_placement", "set_visible_devices",
]  # fmt: skip
