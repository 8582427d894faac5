"""The JSON API of docs/api.md.

`service(House(db, settings))` is an application of its own; `ApiRoutes(service)`, first of the server's routes, hands it
what is under `/api` and the files of published turns. It needs no `include_router`.
"""
