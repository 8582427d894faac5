"""The pages, one file each, named as its templates' folder."""

from app.web.pages import (
    battle,
    desk,
    feed,
    field,
    film,
    follow,
    home,
    host,
    language,
    links,
    new,
    oembed,
    orderreading,
    orders,
    ordersaving,
    pictures,
    posts,
    report,
    rules,
    scenario_pictures,
    ties,
)

ROUTERS = tuple(
    page.router
    for page in (
        home,
        host,
        new,
        scenario_pictures,
        rules,
        language,
        links,
        pictures,
        posts,
        film,
        follow,
        report,
        desk,
        ties,
        orders,
        ordersaving,
        field,
        orderreading,
        feed,
        oembed,
        battle,
    )
)
