FROM python:3.11-slim-bookworm@sha256:a36c24f9cbdf4fd0f52d67f0823eeac19c2028c637cecc392d97f980d4fec56b AS build
WORKDIR /src
COPY requirements.lock pyproject.toml README.md LICENSE SECURITY.md ./
COPY scripts/install scripts/install
COPY engine engine
COPY render render
COPY bot bot
COPY docs docs
RUN scripts/install /opt/stationmaster

FROM python:3.11-slim-bookworm@sha256:a36c24f9cbdf4fd0f52d67f0823eeac19c2028c637cecc392d97f980d4fec56b
ARG VERSION=unreleased
ARG REVISION=unknown
ARG SOURCE=
LABEL org.opencontainers.image.title="Stationmaster" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION" \
      org.opencontainers.image.source="$SOURCE" \
      org.opencontainers.image.description="Moderates 1860, 1862 and Steel Driver in Discord and by e-mail" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.documentation="file:///opt/stationmaster/share/doc/stationmaster/hosting.md"
RUN useradd --system --uid 10001 --home-dir /data stationmaster \
    && install --directory --owner=stationmaster --group=stationmaster /data
COPY --from=build /opt/stationmaster /opt/stationmaster
ENV PATH=/opt/stationmaster/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    STATIONMASTER_DATABASE=/data/stationmaster.sqlite \
    STATIONMASTER_PICTURES=/data/pictures \
    STATIONMASTER_LOG_JSON=true
USER 10001
WORKDIR /data
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=60s --timeout=10s --start-period=60s CMD ["stationmaster", "health"]
ENTRYPOINT ["stationmaster"]
CMD ["run"]
