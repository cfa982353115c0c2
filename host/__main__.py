"""`python -m host FOLDER`: runs a table."""

from __future__ import annotations

import sys

from host.main import EXIT_ANEW, main
from host.resources import begin_anew

if (status := main()) == EXIT_ANEW:
    begin_anew()
sys.exit(status)
