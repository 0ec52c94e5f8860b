FROM python:3.13-slim-bookworm
RUN useradd --create-home agent
COPY work/ /after/
COPY --chown=agent work/ /work/
RUN chown agent /work
WORKDIR /work
