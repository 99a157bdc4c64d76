"""The composer: where a message is written, sent and stopped; drafts kept per thread."""
