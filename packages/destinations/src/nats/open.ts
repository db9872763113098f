import { FoundError, tooLarge, withoutSecrets } from '../broker/failures.ts';
import { type BrokerKind, openBroker } from '../broker/open-broker.ts';
import type { OpenDestination } from '../kind.ts';
import { connectNats, type Nats, type NatsMessage } from './connection.ts';
import type { NatsSettings } from './describe.ts';
import { describeNatsError } from './fault.ts';
import { natsMessageOf } from './message.ts';

const nats: BrokerKind<Nats, NatsSettings, NatsMessage> = {
  connect: connectNats,
  messageOf: natsMessageOf,
  async publish(connection, message) {
    const bytes = message.payload.length + Buffer.byteLength(message.headers.toString());
    if (bytes <= connection.mostBytes) return connection.publish(message);
    throw new FoundError(tooLarge(`The server takes messages of at most ${connection.mostBytes} bytes`));
  },
  async inspect(connection, _settings, { subject }) {
    const stream = await connection.findStream(subject);
    return `The stream ${stream} stores messages of ${subject}, and the server takes at most ${connection.mostBytes} bytes`;
  },
  explain: (error, credentials) => withoutSecrets(describeNatsError(error), credentials),
  advice: {
    access_denied: 'Give the user the permissions of the setup text: to publish, and to subscribe to _INBOX.>.',
    target_not_found: 'Create a stream that captures the subject, or correct the subject in the destination.',
    tls_error: 'Let the server offer TLS, with a certificate for this host, and let `tls` be true if it requires TLS.',
    authentication_failed: 'Correct the credentials: the server takes one of the ways to sign in of the setup text.',
  },
  greetsWithoutTls: true,
};

export const open: OpenDestination = (tools) => openBroker(tools, nats);
