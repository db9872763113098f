import { startReceiver } from '@posthorn/testkit/receiver';
import { hashOf } from '../receivers.ts';
import type { BrokerMessage, StartBroker } from './broker.ts';

/**
 * An HTTP receiver in the place of a broker. The same faults at an ordinary webhook show the cost of a
 * broker to others.
 */
export const startWebhook: StartBroker = async () => {
  const receiver = await startReceiver();
  const messages: BrokerMessage[] = [];
  const answerWith = async (status: number) =>
    receiver.respondWith(({ headers, body }) => {
      // Only the data for `read` is kept: the bodies of a long run would fill the memory.
      receiver.requests.length = 0;
      if (status === 200) messages.push({ eventId: String(headers['webhook-id']), hash: hashOf(body) });
      return { status };
    });
  await answerWith(200);
  return {
    type: 'webhook',
    url: receiver.url,
    endpointAt: (port) => ({ url: `https://127.0.0.1:${port}/` }),
    faults: [
      { what: 'it answers 503', strike: () => answerWith(503), holdMs: 5_000, end: () => answerWith(200) },
      { what: 'it answers 401', strike: () => answerWith(401), holdMs: 4_000, end: () => answerWith(200) },
    ],
    read: async () => messages,
    stop: receiver.close,
  };
};
