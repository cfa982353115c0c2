"""For all tests: nothing is announced or looked for in the network that this machine is in."""

import os

os.environ["COSMIC_NET_INTERFACES"] = "none"
