import { randomUUID } from 'node:crypto';
import type { Description, SendRequest } from './kind.ts';

type Given = {
  settings: unknown;
  body?: Buffer;
  orderingKey?: string;
  credentials?: Record<string, string>;
  timeoutMs?: number;
};

/** A request for a test: one attempt at an endpoint with these settings. */
export function requestTo(description: Description, given: Given): SendRequest {
  const { settings, body = Buffer.from('{"id":1}'), orderingKey = null, timeoutMs = 20_000 } = given;
  const { credentials = { accessKeyId: 'test', secretAccessKey: 'test' } } = given;
  const url = `https://${description.type}.invalid/ep_1`;
  return {
    place: {
      kind: { ...description, load: null },
      endpointId: randomUUID(),
      owner: 'app_1',
      revision: randomUUID(),
      url,
      settings,
      credentials,
    },
    message: {
      deliveryId: randomUUID(),
      eventId: randomUUID(),
      eventType: 'order.placed',
      orderingKey,
      attemptNumber: 1,
    },
    url,
    headers: { 'webhook-id': 'msg_1', 'webhook-timestamp': '1', 'webhook-signature': 'v1,abc' },
    body,
    timeoutMs,
  };
}
