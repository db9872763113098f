import { hasKafka } from '@posthorn/testkit/kafka';
import { hasMoto } from '@posthorn/testkit/moto';
import { hasNats } from '@posthorn/testkit/nats';
import { hasRabbitMq } from '@posthorn/testkit/rabbitmq';
import type { StartBroker } from '../brokers/broker.ts';
import { startKafkaBroker } from '../brokers/kafka.ts';
import { startNatsBroker } from '../brokers/nats.ts';
import { startRabbitMqBroker } from '../brokers/rabbitmq.ts';
import { startSqs } from '../brokers/sqs.ts';
import type { Row } from '../row.ts';
import { publishThroughFaults } from './broker-row.ts';

const PASS =
  'lost 0, nothing delivered that the broker does not have, repeated ≤ in flight, p99 start of webhooks of another tenant ≤ 1.1 of before';

export const brokerRows: readonly Row[] = [
  brokerRow('rabbitmq', hasRabbitMq, startRabbitMqBroker, 'killed 5 times, full, its password changed'),
  brokerRow('nats', hasNats, startNatsBroker, 'killed 5 times, its stream full, its password changed'),
  brokerRow('kafka', hasKafka, startKafkaBroker, 'killed 5 times, its disk full, the right to write taken away'),
  brokerRow('sqs', hasMoto, startSqs, 'unreachable 5 times, throttled, its keys not valid'),
];

function brokerRow(name: string, isInstalled: () => boolean, start: StartBroker, faults: string): Row {
  return {
    name,
    fault: `while events are published, the broker is ${faults}, silent on open connections, hanging, and moved to another port`,
    pass: PASS,
    withinMinutes: 20,
    // A server of AWS on this machine has no TLS.
    rig: { endpoints: 1, gates: false, settings: { EGRESS_ALLOW_PLAINTEXT: 'true' } },
    async run(rig, tools) {
      if (!isInstalled()) throw new Error('the broker is not installed: the scripts in e2e/brokers install it');
      return publishThroughFaults(start, rig, tools);
    },
  };
}
