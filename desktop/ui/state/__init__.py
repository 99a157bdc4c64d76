"""State of the views without Qt: pure reducers and value models, so that they can be tested and used anywhere."""
