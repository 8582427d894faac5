# Two stages: a wheel with all its dependencies is built in the first, the second holds nothing but the result.
FROM python:3.13-slim AS build
WORKDIR /src
RUN pip install --no-cache-dir uv && uv venv /opt/fieldpost
COPY pyproject.toml requirements.lock README.md LICENSE ./
COPY app app
COPY templates templates
COPY migrations migrations
COPY scenarios scenarios
COPY docs/rules docs/rules
COPY docs/guide.md docs/guide.ru.md docs/
COPY docs/pictures/guide docs/pictures/guide
RUN uv pip install --python /opt/fieldpost/bin/python --no-cache -c requirements.lock .

FROM python:3.13-slim
RUN useradd --system --uid 10001 --home-dir /data fieldpost && install -d -o fieldpost -g fieldpost /data
COPY --from=build /opt/fieldpost /opt/fieldpost
ENV PATH=/opt/fieldpost/bin:$PATH FIELDPOST_DATA=/data FIELDPOST_HOST=0.0.0.0 FIELDPOST_PORT=8000 PYTHONUNBUFFERED=1
USER fieldpost
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["python", "-c", "import os, urllib.request as u; u.urlopen('http://127.0.0.1:' + os.environ['FIELDPOST_PORT'] + '/healthz', timeout=4)"]
CMD ["fieldpost", "serve"]
