"""So that `python -m client` is the program, too."""

from __future__ import annotations

import sys

from client.main import main

sys.exit(main())
