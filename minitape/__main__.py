"""`python -m minitape record script.py`: the command `minitape`, where it is not on the PATH."""

import runpy

# By name, because minitape knows nothing of viz: the command lives there.
runpy.run_module("viz", run_name="__main__", alter_sys=True)
