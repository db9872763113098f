#!/bin/sh
# Installs Debian's RabbitMQ, once, without starting its service: tests start their own brokers. If it cannot be
# installed, the script says so in one line, and the tests that need it are skipped.
tests=RabbitMQ
. "${0%/*}/installing.sh"
[ -x /usr/lib/rabbitmq/bin/rabbitmq-server ] && exit 0

[ "$(id -u)" = 0 ] || skip 'only root can install the package rabbitmq-server'
command -v apt-get >"$log" || skip 'there is no apt-get to install rabbitmq-server with'
# Debian runs this program before a package starts its service. The status 101 forbids the start.
policy=/usr/sbin/policy-rc.d
if [ ! -e "$policy" ]; then
  trap 'rm -f "$log" "$policy"' EXIT
  printf '#!/bin/sh\nexit 101\n' >"$policy"
  chmod 755 "$policy"
fi
install() { DEBIAN_FRONTEND=noninteractive apt-get install -qq -y --no-install-recommends rabbitmq-server >>"$log" 2>&1; }
install || { apt-get update -qq >>"$log" 2>&1 && install; } || give_up 'rabbitmq-server could not be installed'
