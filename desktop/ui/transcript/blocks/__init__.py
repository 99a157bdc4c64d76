"""The widgets of single blocks; each knows its height for a width and is dropped when it is far from the viewport."""
