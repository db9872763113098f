import { FoundError, invalidTarget, tooLarge, withoutSecrets } from '../broker/failures.ts';
import { type BrokerKind, openBroker } from '../broker/open-broker.ts';
import type { OpenDestination } from '../kind.ts';
import { messageAttributes } from '../message-attributes.ts';
import { connectPubSub, type PubSub, type PubSubMessage } from './connection.ts';
import { pubsub as description, type PubSubSettings, topicOf } from './describe.ts';
import { describePubSubError } from './fault.ts';

/** The limit of Pub/Sub for an ordering key. */
const MOST_KEY_BYTES = 1_024;

const pubsub: BrokerKind<PubSub, PubSubSettings, PubSubMessage> = {
  connect: connectPubSub,
  messageOf(settings, request) {
    const { body: data, headers, message } = request;
    const orderingKey = message.orderingKey ?? '';
    if (Buffer.byteLength(orderingKey) > MOST_KEY_BYTES) {
      return invalidTarget(`The ordering key has more than ${MOST_KEY_BYTES} bytes`);
    }
    if (data.length > description.maxBytes) return tooLarge(`Pub/Sub takes at most ${description.maxBytes} bytes`);
    const type = headers['content-type'];
    const attributes = { ...messageAttributes(request), ...(type === undefined ? {} : { 'content-type': type }) };
    return { topic: topicOf(settings), data, attributes, orderingKey };
  },
  publish: async (connection, message) => ({ messageId: await connection.publish(message) }),
  async inspect(connection, _settings, { topic }) {
    try {
      await connection.checkTopic(topic);
      return `The topic ${topic} is there`;
    } catch (error) {
      // A role that may publish need not be able to inspect the topic. Then only a message shows whether the topic
      // exists.
      if (!(error instanceof FoundError) || error.failure.errorCode !== 'access_denied') throw error;
      return `The account may not look at ${topic}, which publishing does not need`;
    }
  },
  explain: (error, credentials) => withoutSecrets(describePubSubError(error), credentials),
  advice: {
    authentication_failed: 'Create another key of the service account, and check that the account is not disabled.',
    access_denied: 'Give the service account the role roles/pubsub.publisher on the topic, as the setup text shows.',
    target_not_found: 'Create the topic, or correct the project and the topic in the destination.',
    throttled: 'Raise the quota of the project for publishing, or set a rate limit for the endpoint.',
    protocol_error: 'Correct the endpoint: it must be a server of Pub/Sub that speaks gRPC.',
    tls_error: 'Use a port with TLS, and a certificate for the host of the endpoint.',
  },
};

export const open: OpenDestination = (tools) => openBroker(tools, pubsub);
