#!/bin/sh
# Walks deploy/install.sh from a bare Debian 12 to a purchase over TLS, in a folder that debootstrap fills: walk-install.sh FOLDER, as root.
# There is no systemd in it: `systemctl` beside this file starts what the units say. Services run in a network of their own, so that they
# meet nothing that runs here; only what is installed comes from outside.
set -eu
folder=$1
tools=$(cd "$(dirname "$0")" && pwd)
checkout=$(cd "$tools/../../.." && pwd)
root=$folder/root

"${DEBOOTSTRAP:-debootstrap}" --variant=minbase --include=iproute2 bookworm "$root" http://deb.debian.org/debian > "$folder/debootstrap.log"
mkdir "$root/opt/wayfare-0"
# Also what is not committed yet, but nothing that is ignored.
(cd "$checkout" && git ls-files -z --cached --others --exclude-standard | tar --null -T - --ignore-failed-read -cf -) | tar -xf - -C "$root/opt/wayfare-0"
install -m 755 "$tools/systemctl" "$root/usr/local/sbin/systemctl"
install -m 755 /dev/stdin "$root/usr/sbin/policy-rc.d" <<'END'
#!/bin/sh
exit 101
END
cp /etc/resolv.conf "$root/etc/resolv.conf"
# Nothing of it outlives the walk, so packages need not be on disk.
echo force-unsafe-io > "$root/etc/dpkg/dpkg.cfg.d/walk"
# A registry may be reached by way of a proxy with a certificate of its own, which this machine trusts.
cp /etc/ssl/certs/ca-certificates.crt "$root/trusted-here.crt"
echo '127.0.0.1 localhost api.example.com sandbox.example.com legacy.example.com panel.example.com' > "$root/etc/hosts"

# inside [--net] COMMAND …: in namespaces of its own, whose processes end with it.
inside() {
  net=
  [ "$1" != --net ] || { net=--net; shift; }
  unshare $net --mount --pid --fork --kill-child sh -ec '
    root=$1; shift
    mount -t proc proc "$root/proc"
    mount --bind /dev "$root/dev"
    mount -t tmpfs tmpfs "$root/dev/shm"
    exec env -i PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root USER=root LC_ALL=C DEBIAN_FRONTEND=noninteractive \
      NPM_CONFIG_CAFILE=/trusted-here.crt DOMAIN=example.com CERTIFICATE=self-signed chroot "$root" "$@"' inside "$root" "$@"
}

inside sh /opt/wayfare-0/deploy/install.sh packages program > "$folder/packages.log" 2>&1
inside --net sh -eu <<'END'
ip link set lo up
cd /opt/wayfare
sh deploy/install.sh settings database processes tls backups monitoring
cp /etc/wayfare/wayfare.env /etc/pgbackrest.conf /root
echo '== once more'
sh deploy/install.sh settings database processes tls
cmp /root/wayfare.env /etc/wayfare/wayfare.env
cmp /root/pgbackrest.conf /etc/pgbackrest.conf

echo '== a purchase'
cat > /tmp/plans.json <<'PLANS'
{ "supplier": { "slug": "try", "title": "Try", "kind": "simulated" }, "full": true,
  "destinations": [{ "code": "FR", "scope": "country", "title": "France", "slug": "france", "continent": "Europe" }],
  "plans": [{ "code": "fr-1gb-7d", "destination": "FR", "title": "France 1 GB 7 days", "amount": 1024, "day": 7,
    "network_type": "5G", "price": "4.50", "cost": "1.800000" }] }
PLANS
chmod 644 /tmp/plans.json
wayfare partner create --name 'Island Hopper' --email ops@island.example --billing prepaid > /dev/null
wayfare catalog import /tmp/plans.json
export CURL_CA_BUNDLE=/etc/letsencrypt/live/wayfare/fullchain.pem
WAYFARE_KEY=$(wayfare key create --partner 1 --mode sandbox | grep -o 'esk_test_[0-9a-f]*')
export WAYFARE_KEY WAYFARE_URL=https://sandbox.example.com/v3
until curl -sSf -H "X-API-Key: $WAYFARE_KEY" "$WAYFARE_URL/catalog/products?country=FR" | grep -q esc_; do sleep 0.5; done
sh examples/first-purchase.sh
wayfare audit

echo '== who can be reached from outside'
ss -Hltn | awk '$4 !~ /^(127\.|\[::1\])/ { print $4 }' | sort
echo '== what node-exporter says of backups'
curl -sSf http://127.0.0.1:9100/metrics | grep -o '^wayfare_[a-z_]*'
echo '== what Prometheus cannot read'
tries=0
until curl -sSf http://127.0.0.1:9090/api/v1/targets | grep -q '"health":"up".*"job":"wayfare"'; do tries=$((tries + 1)); [ "$tries" -lt 90 ]; sleep 1; done
curl -sSf 'http://127.0.0.1:9090/api/v1/query?query=up%7Bjob%3D"wayfare"%7D==0'
END
