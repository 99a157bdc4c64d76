"""Setting up a model endpoint: the parts that the first start and the settings share."""
