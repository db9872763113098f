import { toId } from '@posthorn/contract/ids';
import { hmacKeyOf } from '@posthorn/crypto/signing-secret';
import type { Sender, SendResult } from '@posthorn/destinations/kind';
import { AGENT_KIND } from '@posthorn/destinations/kinds';
import { USER_AGENT } from '@posthorn/messages/build-request';
import { signatureHeaders } from '@posthorn/messages/signature-headers';
import type { Clock } from '@posthorn/runtime/clock';

/** The callback of an agent's subscription. `secrets` has the texts of its live secrets, newest first. */
export type Callback = {
  endpointId: string;
  workspaceId: string;
  identity: string;
  url: string;
  secrets: readonly Buffer[];
};

/**
 * Posts a message that is not an event, once, in the way of a webhook: the address is checked, no redirect is followed,
 * and the request is signed.
 */
export function postToCallback(
  { sender, clock }: { sender: Pick<Sender, 'send'>; clock: Pick<Clock, 'now'> },
  { endpointId, workspaceId, identity, url, secrets }: Callback,
  { id, content, timeoutMs }: { id: string; content: object; timeoutMs: number },
): Promise<SendResult> {
  const body = Buffer.from(JSON.stringify(content));
  const contentType = 'application/json';
  const signed = signatureHeaders(
    {
      id,
      timestampSeconds: Math.floor(clock.now().getTime() / 1_000),
      contentType,
      body,
      secrets: secrets.map((text) => ({ key: hmacKeyOf(text), text, privateKey: null })),
    },
    { signature: undefined, standardHeaders: true },
  );
  const ids = { deliveryId: endpointId, eventId: endpointId, eventType: null, orderingKey: null };
  return sender.send({
    place: {
      kind: AGENT_KIND,
      endpointId,
      owner: toId('ws', workspaceId),
      revision: endpointId,
      url,
      settings: {},
      credentials: {},
    },
    message: { ...ids, attemptNumber: 1, isTest: true },
    url,
    headers: { 'content-type': contentType, 'user-agent': USER_AGENT, 'X-MCP-Subscription-Id': identity, ...signed },
    body,
    timeoutMs,
  });
}
