"""The aliens, one file each: the sheet, the power, and both halves of the flare."""
