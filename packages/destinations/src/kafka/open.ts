import { withoutSecrets } from '../broker/failures.ts';
import { type BrokerKind, openBroker } from '../broker/open-broker.ts';
import type { OpenDestination } from '../kind.ts';
import { messageAttributes, publicIds, templateValues } from '../message-attributes.ts';
import { fillTemplate } from '../template.ts';
import { connectKafka, type Kafka, type KafkaMessage } from './connection.ts';
import { certificateOf, type KafkaSettings } from './describe.ts';
import { describeKafkaError } from './fault.ts';

const kafka: BrokerKind<Kafka, KafkaSettings, KafkaMessage> = {
  connect: connectKafka,
  messageOf({ topic, key: template }, request) {
    const { headers, body: value, message } = request;
    const key = template === undefined ? message.orderingKey : fillTemplate(template, templateValues(request));
    const type = headers['content-type'];
    const named = { ...messageAttributes(request), ...(type === undefined ? {} : { 'content-type': type }) };
    return {
      ...{ topic, value },
      // An event without a key may go to any partition.
      key: Buffer.from(key === null || key === '' ? publicIds(request).eventId : key),
      headers: new Map(Object.entries(named).map(([name, text]) => [Buffer.from(name), Buffer.from(text)])),
    };
  },
  publish: (connection, message) => connection.produce(message),
  async inspect(connection, { topic }) {
    const partitions = await connection.describe(topic);
    return `The topic ${topic} has ${partitions} partition${partitions === 1 ? '' : 's'}`;
  },
  explain: (error, credentials) => withoutSecrets(describeKafkaError(error), credentials),
  certificateOf,
  advice: {
    authentication_failed: 'Correct the user and the password, and let saslMechanism be one that the broker offers.',
    access_denied: 'Allow the user the operations Write and Describe on the topic, as the setup text shows.',
    target_not_found: 'Create the topic, correct its name, or allow the user the operation Describe on it.',
    blocked_address: 'Name brokers with public addresses, and let advertised.listeners announce public ones.',
    tls_error:
      'Use the port for TLS, and a certificate for the host that the broker announces. If the broker requires client certificates, give clientCertificate and clientKey.',
    broker_error: 'Look at the state of the cluster: the topic needs a leader, and enough replicas in sync.',
  },
};

export const open: OpenDestination = (tools) => openBroker(tools, kafka);
