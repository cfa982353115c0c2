"""The artifacts, one file each."""
