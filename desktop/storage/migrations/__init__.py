"""The numbered steps that make the database what this version expects. Append only: a released step never changes."""

import sqlite3
from collections.abc import Callable

from desktop.storage.migrations import (
    m0001_threads,
    m0002_thread_options,
    m0003_grant_folder,
    m0004_new_thread,
    m0005_thread_model,
    m0006_attachments,
    m0007_costs,
    m0008_thread_ways,
    m0009_tool_pins,
    m0010_result_items,
    m0011_permissions,
    m0012_memory,
    m0013_memory_options,
    m0014_summaries,
    m0015_requests,
    m0016_documents,
    m0017_extraction,
    m0018_interchange,
    m0019_branches,
    m0020_folders,
    m0021_removed_messages,
    m0022_prompts,
    m0023_queue,
    m0024_search_more,
    m0025_assistants,
    m0026_plans,
    m0027_sessions,
    m0028_unusual_titles,
)

Step = Callable[[sqlite3.Connection], None]
"""Runs inside a transaction that the migrator opens and commits; it must not use ``executescript``."""

STEPS: tuple[Step, ...] = (
    m0001_threads.apply,
    m0002_thread_options.apply,
    m0003_grant_folder.apply,
    m0004_new_thread.apply,
    m0005_thread_model.apply,
    m0006_attachments.apply,
    m0007_costs.apply,
    m0008_thread_ways.apply,
    m0009_tool_pins.apply,
    m0010_result_items.apply,
    m0011_permissions.apply,
    m0012_memory.apply,
    m0013_memory_options.apply,
    m0014_summaries.apply,
    m0015_requests.apply,
    m0016_documents.apply,
    m0017_extraction.apply,
    m0018_interchange.apply,
    m0019_branches.apply,
    m0020_folders.apply,
    m0021_removed_messages.apply,
    m0022_prompts.apply,
    m0023_queue.apply,
    m0024_search_more.apply,
    m0025_assistants.apply,
    m0026_plans.apply,
    m0027_sessions.apply,
    m0028_unusual_titles.apply,
)
"""Step N brings a database from version N - 1 to version N."""
