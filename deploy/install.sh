#!/bin/sh
# From a bare Debian 12 to a service that sells: processes behind TLS, backups that are proved, alerts. docs/production.md quotes all
# of this, part by part, and says what each part is for. As root, from a checkout of a release below /opt:
#
#   DOMAIN=example.com EMAIL=you@example.com sh deploy/install.sh [PART …]
#
# Without a part it does all of them, in this order. Each can be done again: what is there already is kept.
#
#   CERTIFICATE=self-signed    instead of one from Let's Encrypt, to try it out where the names do not lead here
set -eu
cd "$(dirname "$0")/.."

packages() {
  apt-get update
  apt-get install -y --no-install-recommends ca-certificates certbot curl git nginx npm openssl pgbackrest postgresql redis-server \
    prometheus prometheus-alertmanager prometheus-blackbox-exporter prometheus-node-exporter
  npm install --global node@24
  npm install --global npm@11
}

program() {
  hash -r
  npm ci
  npm prune --omit=dev
  ln -sfn "$PWD" /opt/wayfare
  id wayfare > /dev/null 2>&1 || useradd --system --home-dir /var/lib/wayfare --shell /usr/sbin/nologin wayfare
  install -d -o wayfare -g wayfare -m 700 /var/lib/wayfare /var/cache/wayfare
  install -m 755 deploy/bin/wayfare /usr/local/bin/wayfare
}

settings() {
  install -d -o root -g wayfare -m 750 /etc/wayfare
  if [ ! -e /etc/wayfare/wayfare.env ]; then
    install -o root -g wayfare -m 640 deploy/wayfare.env /etc/wayfare/wayfare.env.new
    sed -i -e "s/example\.com/$DOMAIN/" -e "s/wayfare:CHANGE_ME@/wayfare:$(openssl rand -hex 24)@/" \
      -e "s/^WAYFARE_SECRET=.*/WAYFARE_SECRET=$(openssl rand -hex 32)/" -e "s/^#REDIS_URL=/REDIS_URL=/" /etc/wayfare/wayfare.env.new
    mv /etc/wayfare/wayfare.env.new /etc/wayfare/wayfare.env
  fi
}

database() {
  password=$(sed -n 's|^DATABASE_URL=postgres://wayfare:\([^@]*\)@.*|\1|p' /etc/wayfare/wayfare.env)
  systemctl start postgresql
  runuser -u postgres -- psql --quiet -v ON_ERROR_STOP=1 <<SQL
select 'create role wayfare login createrole' where not exists (select from pg_roles where rolname = 'wayfare') \gexec
alter role wayfare password '$password';
select 'create database wayfare owner wayfare' where not exists (select from pg_database where datname = 'wayfare') \gexec
alter system set max_connections = 200;
alter system set archive_mode = on;
alter system set archive_command = 'pgbackrest --stanza=wayfare archive-push %p';
alter system set archive_timeout = '60s';
SQL
  if [ ! -e /etc/pgbackrest.conf ] || ! grep -q '^repo1-cipher-pass=' /etc/pgbackrest.conf; then
    install -o root -g postgres -m 640 deploy/backup/pgbackrest.conf /etc/pgbackrest.conf
    sed -i "s/^repo1-cipher-pass=.*/repo1-cipher-pass=$(openssl rand -hex 32)/" /etc/pgbackrest.conf
  fi
  systemctl restart postgresql
  runuser -u postgres -- pgbackrest --stanza=wayfare stanza-create
  runuser -u postgres -- pgbackrest --stanza=wayfare check
  wayfare migrate
}

processes() {
  cp deploy/systemd/* /etc/systemd/system/
  systemctl daemon-reload
  systemctl start redis-server
  systemctl enable --now wayfare-api@1 wayfare-api@2 wayfare-panel wayfare-worker
  systemctl enable --now wayfare-audit.timer
  curl --silent --show-error --fail http://127.0.0.1:4201/readyz
}

tls() {
  systemctl start nginx
  if [ "${CERTIFICATE:-}" = self-signed ]; then
    install -d -m 700 /etc/letsencrypt/live/wayfare
    openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj "/CN=$DOMAIN" -addext "subjectAltName=DNS:*.$DOMAIN" \
      -keyout /etc/letsencrypt/live/wayfare/privkey.pem -out /etc/letsencrypt/live/wayfare/fullchain.pem
  else
    certbot certonly --non-interactive --agree-tos --email "$EMAIL" --keep-until-expiring \
      --webroot --webroot-path /var/www/html --cert-name wayfare --deploy-hook 'systemctl reload nginx' \
      -d "api.$DOMAIN" -d "sandbox.$DOMAIN" -d "legacy.$DOMAIN" -d "panel.$DOMAIN"
  fi
  sed "s/example\.com/$DOMAIN/g" deploy/nginx/wayfare.conf > /etc/nginx/sites-available/wayfare
  ln -sf ../sites-available/wayfare /etc/nginx/sites-enabled/wayfare
  rm -f /etc/nginx/sites-enabled/default
  nginx -t
  systemctl reload nginx
}

backups() {
  chgrp postgres /var/lib/prometheus/node-exporter
  chmod g+w /var/lib/prometheus/node-exporter
  systemctl start wayfare-backup
  systemctl start wayfare-drill
  systemctl enable --now wayfare-backup.timer wayfare-drill.timer
}

monitoring() {
  install -m 644 deploy/prometheus/prometheus.yml deploy/prometheus/alerts.yml /etc/prometheus/
  sed -i "s/example\.com/$DOMAIN/" /etc/prometheus/prometheus.yml
  echo 'ARGS="--web.listen-address=127.0.0.1:9090"' > /etc/default/prometheus
  echo 'ARGS="--web.listen-address=127.0.0.1:9093 --cluster.listen-address="' > /etc/default/prometheus-alertmanager
  echo 'ARGS="--web.listen-address=127.0.0.1:9115 --config.file=/etc/prometheus/blackbox.yml"' > /etc/default/prometheus-blackbox-exporter
  echo 'ARGS="--web.listen-address=127.0.0.1:9100 --collector.systemd"' > /etc/default/prometheus-node-exporter
  promtool check config /etc/prometheus/prometheus.yml
  systemctl restart prometheus prometheus-alertmanager prometheus-blackbox-exporter prometheus-node-exporter
}

everything='packages program settings database processes tls backups monitoring'
: "${DOMAIN:?set DOMAIN to the domain whose names api, sandbox, legacy and panel lead here}"
[ "${CERTIFICATE:-}" = self-signed ] || : "${EMAIL:?set EMAIL to your address, for the certificate}"
for part in ${*:-$everything}; do
  case " $everything " in
    *" $part "*) ;;
    *) echo "there is no part $part; there are: $everything" >&2; exit 2 ;;
  esac
done
for part in ${*:-$everything}; do
  echo "== $part"
  "$part"
done
