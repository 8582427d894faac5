"""A fixed `now` for tests."""

from datetime import UTC, datetime, timedelta

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
