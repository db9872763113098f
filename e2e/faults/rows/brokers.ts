import { hasKafka } from '@posthorn/testkit/kafka';
import { hasMoto } from '@posthorn/testkit/moto';
import { hasNats } from '@posthorn/testkit/nats';
import { hasRabbitMq } from '@posthorn/testkit/rabbitmq';
import { startKafkaBroker } from '../brokers/kafka.ts';
import { startNatsBroker } from '../brokers/nats.ts';
import { startRabbitMqBroker } from '../brokers/rabbitmq.ts';
import { startSqs } from '../brokers/sqs.ts';
import { startWebhook } from '../brokers/webhook.ts';
import type { Row } from '../row.ts';
import { type Published, publishThroughFaults } from './broker-row.ts';

const LOAD = { burst: 2_000, perSecond: 20 };

type BrokerRow = Published & { name: string; isInstalled?: () => boolean; faults: string };

const BROKERS: readonly BrokerRow[] = [
  {
    name: 'rabbitmq',
    isInstalled: hasRabbitMq,
    start: startRabbitMqBroker,
    ...LOAD,
    faults: 'killed 5 times, full, its password changed',
  },
  {
    name: 'nats',
    isInstalled: hasNats,
    start: startNatsBroker,
    ...LOAD,
    faults: 'killed 5 times, its stream full, its password changed',
  },
  {
    name: 'kafka',
    isInstalled: hasKafka,
    start: startKafkaBroker,
    ...LOAD,
    faults: 'killed 5 times, its disk full, the right to write taken away',
  },
  {
    name: 'sqs',
    isInstalled: hasMoto,
    start: startSqs,
    // moto takes about forty messages a second.
    ...{ burst: 40, perSecond: 5 },
    faults: 'unreachable 5 times, throttled, its keys not valid',
  },
  {
    // A webhook in the place of a broker, to compare.
    name: 'webhook-instead-of-broker',
    start: startWebhook,
    ...LOAD,
    faults: 'unreachable 5 times, answers 503, answers 401',
  },
];

export const brokerRows: readonly Row[] = BROKERS.map(({ name, isInstalled = () => true, faults, ...published }) => ({
  name,
  fault: `while events are published, the broker is ${faults}, silent on open connections, hanging, and moved to another port`,
  pass: 'lost 0, nothing delivered that the broker does not have, repeated ≤ in flight, p99 start of webhooks of another tenant ≤ 1.1 of before',
  withinMinutes: 20,
  // A local server of AWS has no TLS.
  rig: { endpoints: 1, gates: false, settings: { EGRESS_ALLOW_PLAINTEXT: 'true' } },
  async run(rig, tools) {
    if (!isInstalled()) throw new Error('the broker is not installed: the scripts in e2e/brokers install it');
    return publishThroughFaults(published, rig, tools);
  },
}));
