#!/bin/sh
# Builds the image, starts a server from it with demo data, and buys an eSIM there. TOOL=podman uses that instead of docker.
set -eu
cd "$(dirname "$0")/../.."
tool=${TOOL:-docker}

"$tool" build -f deploy/container/Containerfile -t wayfare .
container=$("$tool" run --detach --read-only --tmpfs /tmp --volume /var/lib/wayfare --cap-drop all --publish 127.0.0.1:4010:4010 wayfare)
trap '"$tool" logs --tail 20 "$container"; "$tool" rm --force --volumes "$container" > /dev/null' EXIT

# The banner shows the demo's keys once, when the server is ready.
key=
tries=0
while [ -z "$key" ]; do
  tries=$((tries + 1))
  [ "$tries" -le 60 ] || { echo "the server did not start" >&2; exit 1; }
  sleep 2
  key=$("$tool" logs "$container" 2>&1 | grep -o 'esk_test_[0-9a-f]\{40\}' | head -n 1 || true)
done
WAYFARE_KEY=$key WAYFARE_URL=http://localhost:4010/v3 sh examples/first-purchase.sh
