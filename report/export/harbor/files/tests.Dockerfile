# agentd is the image that agentd's own Dockerfile builds: docker build -t agentd .
FROM agentd
USER root
ENTRYPOINT []
CMD ["sleep", "infinity"]
COPY . /tests/
WORKDIR /work
