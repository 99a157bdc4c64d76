"""The Qt window: widgets emit requests, presenters call services."""
