#!/bin/sh
# Installs Debian's RabbitMQ, once, and does not let its service start: tests start brokers of their own. Where it cannot
# be had, it says so in one line, and the tests that need it are skipped.
set -u
[ -x /usr/lib/rabbitmq/bin/rabbitmq-server ] && exit 0
log=$(mktemp) || exit 1
policy=/usr/sbin/policy-rc.d
made=

tidy() {
  rm -f "$log"
  [ -z "$made" ] || rm -f "$policy"
}
trap tidy EXIT

skip() {
  echo "skipped  tests of RabbitMQ: $1"
  tail -n 3 "$log"
  exit 0
}

[ "$(id -u)" = 0 ] || skip 'only root can install the package rabbitmq-server'
command -v apt-get >"$log" || skip 'there is no apt-get to install rabbitmq-server with'
# Debian asks this program before a package starts its service.
[ -e "$policy" ] || { made=yes; printf '#!/bin/sh\nexit 101\n' >"$policy"; chmod 755 "$policy"; }
install() { DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends rabbitmq-server >>"$log" 2>&1; }
install || { apt-get update -qq >>"$log" 2>&1 && install; } || skip 'rabbitmq-server could not be installed'
