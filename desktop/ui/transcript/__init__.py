"""The transcript: a virtualised column of real widgets, one for each block near the viewport."""
