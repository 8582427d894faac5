"""The pages, one file each, named as its templates' folder."""

from app.web.pages import battle, desk, home, language, links, new, orders, pictures, posts, report, rules, scenario_pictures

ROUTERS = tuple(
    page.router for page in (home, new, scenario_pictures, rules, language, links, pictures, posts, report, desk, orders, battle)
)
