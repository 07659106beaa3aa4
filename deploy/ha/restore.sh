#!/bin/sh
# Restores a cluster from its backups. As the user postgres on one of the three, with Patroni stopped on all of them and etcd running:
#
#   restore.sh [TIME]     to TIME ("2026-11-18 12:30:00+00"), or to the end of the archived log
#
# When it has ended, start Patroni here. Once this node leads, and not before, start it on the other two with empty data folders: one of
# them that came first would make an empty cluster. docs/cluster.md has every step.
set -eu

config=${PATRONI_CONFIG:-/etc/patroni/config.yml}
setting() { sed -n "s/^ *$1: *//p" "$config" | head -n 1; }
scope=$(setting scope)
data=$(setting data_dir)
bin=$(setting bin_dir)
socket=$(setting unix_socket_directories)

if patronictl -c "$config" list --format json | grep -Eq '"Role": "[A-Za-z ]*Leader"'; then
  echo "a node still leads: stop Patroni on all three first" >&2
  exit 1
fi
if [ -e "$data/postmaster.pid" ] && "$bin/pg_ctl" -D "$data" status > /dev/null; then
  echo "PostgreSQL still runs in $data: stop Patroni first" >&2
  exit 1
fi

mkdir -p -m 700 "$data"
set -- ${1:+--type=time "--target=$1"} --target-action=promote
# Without a time it goes to the end of the log, and is promoted there anyway.
[ $# -gt 1 ] || set --
pgbackrest --stanza="${STANZA:-wayfare}" --delta "$@" restore

# Alone, until the log is replayed: Patroni would take it for a standby that has somebody to follow.
log="$data/../restore.log"
if ! "$bin/pg_ctl" -D "$data" -l "$log" -t 7200 start > /dev/null \
  -o "-c listen_addresses= -c unix_socket_directories='$socket' -c synchronous_standby_names="; then
  tail -n 20 "$log" >&2
  exit 1
fi
until [ "$(psql -h "$socket" -XAtc 'select pg_is_in_recovery()' postgres 2> /dev/null)" = f ]; do
  if ! "$bin/pg_ctl" -D "$data" status > /dev/null; then
    tail -n 20 "$log" >&2
    exit 1
  fi
  sleep 0.2
done
"$bin/pg_ctl" -D "$data" -m fast -t 600 stop > /dev/null

# What Patroni knew of the lost data: who led it, and how far it was.
printf '%s\nYes I am aware\n' "$scope" | patronictl -c "$config" remove "$scope" > /dev/null
echo "restored: start Patroni here and, once this node leads, on the others with empty data folders"
