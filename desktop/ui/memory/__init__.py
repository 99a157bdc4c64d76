"""Where the user sees what is remembered: the memory page, editing, forgetting, bringing in and taking out."""
