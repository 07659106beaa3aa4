#!/bin/sh
# A database on three machines, of which one leads: Patroni, etcd, and backups. docs/cluster.md quotes all of this, part by part. As root,
# on a bare Debian 12, from a checkout of a release, with the settings of the cluster in /root/cluster.env (docs/cluster.md has them):
#
#   NODE=1 sh deploy/ha/install.sh [packages etcd patroni backups]     on the first of the three; then 2 and 3
#   sh deploy/ha/install.sh proxy                                      on every machine that runs Wayfare
#
# Without a part it does the four of a node. Each can be done again: what is there already is kept.
set -eu
cd "$(dirname "$0")/../.."
. "${CLUSTER:-/root/cluster.env}"

fill() {
  sed -e "s/NODE_NAME/node${NODE:-}/g" -e "s/ADDRESS_1/$ADDRESS_1/g" -e "s/ADDRESS_2/$ADDRESS_2/g" -e "s/ADDRESS_3/$ADDRESS_3/g" \
    -e "s/NODE_ADDRESS/$(eval "echo \"\${ADDRESS_${NODE:-}:-}\"")/g" -e "s|NETWORK|$NETWORK|g" \
    -e "s/SUPERUSER_PASSWORD/$SUPERUSER_PASSWORD/" -e "s/REPLICATION_PASSWORD/$REPLICATION_PASSWORD/" \
    -e "s/RESTAPI_PASSWORD/$RESTAPI_PASSWORD/" "$1"
}

packages() {
  apt-get update
  apt-get install -y --no-install-recommends postgresql-common
  sed -i 's/^#create_main_cluster.*/create_main_cluster = false/' /etc/postgresql-common/createcluster.conf
  apt-get install -y --no-install-recommends etcd-server patroni pgbackrest postgresql-15 prometheus-node-exporter python3-etcd
}

etcd() {
  fill deploy/ha/etcd.env > /etc/default/etcd
  systemctl enable etcd
  systemctl restart --no-block etcd
}

patroni() {
  install -m 600 -o postgres -g postgres /dev/null /etc/patroni/config.yml
  fill deploy/ha/patroni.yml > /etc/patroni/config.yml
  install -m 640 -o root -g postgres deploy/backup/pgbackrest.conf /etc/pgbackrest.conf
  sed -i -e 's|^pg1-path=.*|pg1-path=/var/lib/postgresql/15/wayfare|' -e "s/^repo1-cipher-pass=.*/repo1-cipher-pass=$BACKUP_PASSWORD/" /etc/pgbackrest.conf
  systemctl enable --now patroni
}

backups() {
  install -D -m 755 deploy/backup/wayfare-backup /opt/wayfare/deploy/backup/wayfare-backup
  install -m 644 deploy/systemd/wayfare-backup.* /etc/systemd/system/
  chgrp postgres /var/lib/prometheus/node-exporter
  chmod g+w /var/lib/prometheus/node-exporter
  systemctl daemon-reload
  systemctl enable --now wayfare-backup.timer
}

proxy() {
  apt-get install -y --no-install-recommends haproxy
  fill deploy/ha/haproxy.cfg > /etc/haproxy/haproxy.cfg
  systemctl restart haproxy
  timeout 60 sh -c 'until pg_isready --quiet --host=127.0.0.1 --port=5000; do sleep 1; done'
  password=$(sed -n 's|^DATABASE_URL=postgres://wayfare:\([^@]*\)@.*|\1|p' /etc/wayfare/wayfare.env)
  PGPASSWORD=$SUPERUSER_PASSWORD psql --quiet -v ON_ERROR_STOP=1 'host=127.0.0.1 port=5000 user=postgres dbname=postgres' <<SQL
select 'create role wayfare login createrole' where not exists (select from pg_roles where rolname = 'wayfare') \gexec
alter role wayfare password '$password';
select 'create database wayfare owner wayfare' where not exists (select from pg_database where datname = 'wayfare') \gexec
SQL
  sed -i 's|^\(DATABASE_URL=postgres://wayfare:[^@]*\)@.*|\1@127.0.0.1:5000/wayfare|' /etc/wayfare/wayfare.env
  wayfare migrate
}

for part in ${*:-packages etcd patroni backups}; do
  case $part in
    packages | etcd | patroni | backups) : "${NODE:?set NODE to 1, 2 or 3}" ;;
    proxy) ;;
    *) echo "there is no part $part; there are: packages etcd patroni backups, and proxy" >&2; exit 2 ;;
  esac
done
for part in ${*:-packages etcd patroni backups}; do
  echo "== $part"
  "$part"
done
