"""The API over PostgreSQL: what a database of its own mind might take otherwise than SQLite."""

from __future__ import annotations

import pytest

from app.store.db import Database
from tests.web.api.test_bad_input import (  # noqa: F401
    test_a_strange_name_in_an_address_leads_nowhere,
    test_a_strange_title_is_kept_as_it_is,
    test_a_turn_that_is_not_there_is_not_found,
)
from tests.web.api.test_battle_by_api import (  # noqa: F401
    test_a_battle_of_random_legal_orders_is_played_to_its_end_and_every_record_holds,
)
from tests.web.api.test_contract import (  # noqa: F401
    test_a_ruling_on_the_open_turn_explains_the_chain,
    test_the_game_master_resolves_reviews_rules_and_publishes,
)
from tests.web.api.test_who_may_do_what import test_a_wrong_token_is_told_so_and_not_taken_for_the_public  # noqa: F401

pytestmark = pytest.mark.postgres


@pytest.fixture
def db(postgres_db: Database) -> Database:
    return postgres_db
