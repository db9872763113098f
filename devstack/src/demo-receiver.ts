import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { freePort } from '@posthorn/testkit/free-port';
import type { ServerCertificate } from './certificates.ts';
import { readIfThere, writePrivateFile } from './private-file.ts';
import { type Answer, openHttpsServer } from './receiver/https-server.ts';
import { verifies } from './receiver/verifies.ts';
import type { Run } from './run.ts';

/** One webhook that arrived. */
export type Receipt = { messageId: string; eventType: string; bytes: number; verified: boolean };

export type DemoReceiver = {
  /** The URL of the endpoint. */
  url: string;
  /** Loads the endpoint's signing secret; called once, and again when a signature does not verify. */
  setSecretSource(source: () => Promise<string>): void;
  /** The last receipt of that message, if it is among the last 100. */
  find(messageId: string): Receipt | undefined;
  onReceipt(listener: (receipt: Receipt) => void): void;
};

const KEPT_RECEIPTS = 100;

/**
 * A receiver as a customer would write it: HTTPS, every signature verified by the Standard Webhooks library, 204 for a
 * valid signature and 401 for an invalid one. Listens on 127.0.0.1 until the run ends, on the previous port if that is
 * still free.
 */
export async function openDemoReceiver(run: Run, home: string, certificate: ServerCertificate): Promise<DemoReceiver> {
  const receipts = new Map<string, Receipt>();
  const listeners: ((receipt: Receipt) => void)[] = [];
  let secretSource: (() => Promise<string>) | undefined;
  let secret: string | undefined;

  const isGenuine = async (body: Buffer, headers: IncomingHttpHeaders): Promise<boolean> => {
    if (secret !== undefined && verifies({ secret, signature: undefined }, body, headers)) return true;
    secret = await secretSource?.().catch(() => undefined);
    return secret !== undefined && verifies({ secret, signature: undefined }, body, headers);
  };
  const answer = async (request: IncomingMessage, body: Buffer): Promise<Answer> => {
    if (request.method !== 'POST') return { status: 405 };
    const verified = await isGenuine(body, request.headers);
    const messageId = String(request.headers['webhook-id'] ?? '');
    const eventType = String(request.headers['webhook-event-type'] ?? '');
    const receipt = { messageId, eventType, bytes: body.length, verified };
    receipts.delete(messageId);
    receipts.set(messageId, receipt);
    for (const oldest of [...receipts.keys()].slice(0, -KEPT_RECEIPTS)) receipts.delete(oldest);
    for (const listener of listeners) listener(receipt);
    return { status: verified ? 204 : 401 };
  };

  const portFile = join(home, 'receiver/port');
  const ports = [Number(readIfThere(portFile) ?? (await freePort())), 0];
  const { port, close } = await openHttpsServer({ certificate, ports, answer });
  writePrivateFile(portFile, String(port));
  run.onStop({ name: 'demo receiver', hurryAfterMs: 0, stop: close });
  return {
    url: `https://127.0.0.1:${port}/webhooks`,
    setSecretSource: (source) => {
      secretSource = source;
    },
    find: (messageId) => receipts.get(messageId),
    onReceipt: (listener) => void listeners.push(listener),
  };
}
