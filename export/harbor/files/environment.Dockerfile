FROM python:3.13-slim-bookworm
WORKDIR /work
COPY work/ /work/
