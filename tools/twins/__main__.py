"""Record the twins: `python -m tools.twins [--again]`."""

from __future__ import annotations

import argparse
import os
from importlib import metadata
from typing import Any

import minitape
from tools import twins

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tools.twins", description=twins.__doc__)
    parser.add_argument("--again", action="store_true", help="without TensorFlow: against the accounts that are stored")
    given = parser.parse_args()
    ours = {name: twins.told(program) for name, program in twins.programs(minitape).items()}
    if given.again:
        data = twins.stored()
        versions = {key: value for key, value in data["_meta"].items() if key != "programs"}
        theirs = {name: twins.read(one["account"]) for name, one in data["facts"].items()}
    else:
        import tensorflow as tf

        tf.get_logger().setLevel("ERROR")
        versions = {name: metadata.version(name) for name in ("keras", "numpy")}
        versions = {"tensorflow": tf.__version__, **versions}
        theirs = {name: twins.told(program, tf) for name, program in twins.programs(tf).items()}
    facts: dict[str, Any] = {
        name: {"verdicts": twins.verdicts(ours[name], one), "account": twins.plain(one)} for name, one in theirs.items()
    }
    twins.write(versions, facts)
    twins.PAGE.write_text(twins.page(twins.stored()), encoding="utf-8")
    print(twins.summary(facts))


if __name__ == "__main__":
    main()
