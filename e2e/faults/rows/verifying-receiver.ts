import { fromId } from '@posthorn/contract/ids';
import { type ReceivedRequest, startReceiver } from '@posthorn/testkit/receiver';
import { Webhook } from 'standardwebhooks';
import { hashOf } from '../receivers.ts';
import type { Rig } from '../rig.ts';

/** A secret, and the time span in which it may sign, in ms since 1970. */
export type LiveSecret = { secret: string; fromMs: number; untilMs: number };

export type SignedEndpoint = { name: string; id: string; eventType: string; secrets: LiveSecret[] };

export type VerifyingReceiver = {
  addEndpoint: (name: string) => Promise<SignedEndpoint>;
  counts: {
    verified: number;
    /** The number of requests that no valid secret has signed. */
    unverified: number;
    /** The number of requests that an expired secret has signed. */
    signedByEnded: number;
  };
  close: () => Promise<void>;
};

/** The longest time between the signing and the receipt of a request. */
const UNDER_WAY_MS = 2_000;

/** A separate receiver that verifies every request with all secrets that are valid at that time. */
export async function startVerifyingReceiver(rig: Rig): Promise<VerifyingReceiver> {
  const receiver = await startReceiver();
  const endpoints = new Map<string, SignedEndpoint>();
  const counts = { verified: 0, unverified: 0, signedByEnded: 0 };
  receiver.respondWith((request) => {
    receiver.requests.length = 0;
    const name = request.url.slice(1);
    rig.receivers.receipts.push(toReceipt(request, name));
    const atMs = request.at.getTime();
    const { secrets = [] } = endpoints.get(name) ?? {};
    const valid = secrets.filter(({ fromMs, untilMs }) => fromMs <= atMs - UNDER_WAY_MS && atMs < untilMs - 1_000);
    const ended = secrets.filter(({ untilMs }) => untilMs + UNDER_WAY_MS < atMs);
    if (valid.length > 0 && valid.every(({ secret }) => isSignedBy(secret, request))) counts.verified += 1;
    else counts.unverified += 1;
    if (ended.some(({ secret }) => isSignedBy(secret, request))) counts.signedByEnded += 1;
    return {};
  });
  return {
    counts,
    close: receiver.close,
    async addEndpoint(name) {
      const eventType = `signed.${name.replaceAll('-', '_')}`;
      const url = new URL(`/${name}`, receiver.url).href;
      const { endpointId: id, secret } = await rig.client.subscribeEndpoint({ url, eventType });
      const secrets = [{ secret, fromMs: 0, untilMs: Number.POSITIVE_INFINITY }];
      const endpoint = { name, id, eventType, secrets };
      endpoints.set(name, endpoint);
      rig.endpoints.push({ name, id, uuid: fromId('ep', id) ?? '', eventType });
      return endpoint;
    },
  };
}

function isSignedBy(secret: string, { body, headers }: ReceivedRequest): boolean {
  const named = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [name, String(headers[name])]);
  try {
    new Webhook(secret).verify(body, Object.fromEntries(named), { jsonParse: false });
    return true;
  } catch {
    return false; // `verify` throws if the signature does not match.
  }
}

function toReceipt({ headers, body, at }: ReceivedRequest, endpoint: string) {
  const atMs = at.getTime();
  return {
    endpoint,
    eventId: String(headers['webhook-id']),
    attempt: Number(headers['webhook-attempt']),
    hash: hashOf(body),
    atMs,
  };
}
