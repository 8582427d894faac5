"""Processes beside the servers, on PostgreSQL: they resolve what is due, deliver, and look over what was played."""
