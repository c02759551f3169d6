"""`python -m viz record script.py`: the command `minitape`, where it is not on the PATH."""

from .command import main

raise SystemExit(main())
