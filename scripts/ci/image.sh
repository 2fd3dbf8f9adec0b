#!/bin/sh
# Builds the image, starts it as the example of Docker Compose does, and places an order.
set -eu
docker build --tag petri-sandbox .
docker compose --file examples/docker-compose.yml up --detach --wait
PETRI_CONTROL_TOKEN=control sh examples/shell/order.sh
