"""`python -m host FOLDER`: runs a table."""

from __future__ import annotations

import sys

from host.main import main

sys.exit(main())
