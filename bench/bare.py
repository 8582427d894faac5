"""The bare framework: one page, given as a file, served by FastAPI under uvicorn as both come."""

from __future__ import annotations

import sys
from pathlib import Path

import uvicorn
from fastapi import FastAPI, Response


def bare(body: bytes) -> FastAPI:
    app = FastAPI()

    @app.get("/")
    async def page() -> Response:
        return Response(body, media_type="text/html")

    return app


if __name__ == "__main__":
    file, log, port = sys.argv[1:]
    uvicorn.run(bare(Path(file).read_bytes()), host="127.0.0.1", port=int(port), access_log=log == "logging")
