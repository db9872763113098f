import { withoutSecrets } from '../broker/failures.ts';
import { type BrokerKind, openBroker } from '../broker/open-broker.ts';
import type { SendFailure } from '../failure.ts';
import type { OpenDestination } from '../kind.ts';
import { messageAttributes, publicIds, templateValues } from '../message-attributes.ts';
import { fillTemplate } from '../template.ts';
import { type Outgoing, openConnection, type RabbitMqConnection } from './connection.ts';
import { MOST_BYTES, type RabbitMqSettings } from './describe.ts';
import { describeRabbitMqError, TooLargeError } from './fault.ts';

const INVALID_KEY: SendFailure = {
  errorCode: 'invalid_target',
  message: `The routing key has more than ${MOST_BYTES} bytes`,
  ends: 'invalid_target',
};

const rabbitmq: BrokerKind<RabbitMqConnection, RabbitMqSettings, Outgoing> = {
  connect: openConnection,
  messageOf({ exchange, routingKey: template }, request) {
    const { headers, body } = request;
    const { eventId: messageId, deliveryId } = publicIds(request);
    const routingKey = fillTemplate(template, templateValues(request));
    if (Buffer.byteLength(routingKey) > MOST_BYTES) return INVALID_KEY;
    return {
      ...{ exchange, routingKey, body, messageId, deliveryId },
      contentType: headers['content-type'] ?? 'application/octet-stream',
      timestampSeconds: Number(headers['webhook-timestamp'] ?? 0),
      headers: messageAttributes(request),
    };
  },
  async publish(connection, message) {
    await connection.publish(message).catch((error: unknown) => {
      throw TooLargeError.from(error, message.body.length) ?? error;
    });
    return { confirmed: 'ack' };
  },
  async inspect(connection, { exchange }) {
    if (exchange === '') return 'The broker accepts the user';
    await connection.checkExchange(exchange);
    return `The exchange ${exchange} is there`;
  },
  explain: (error, credentials) => withoutSecrets(describeRabbitMqError(error), credentials),
  advice: {
    authentication_failed: 'Correct the user and the password.',
    access_denied: 'Give the user the permission of the setup text, in this virtual host.',
    target_not_found: 'Create the exchange and the virtual host, or correct their names in the destination.',
    unroutable: 'Bind a queue to the exchange for this routing key.',
    invalid_target: 'Change the routing key in the destination.',
    tls_error: 'Use the port for TLS, and a certificate for this host.',
  },
};

export const open: OpenDestination = (tools) => openBroker(tools, rabbitmq);
