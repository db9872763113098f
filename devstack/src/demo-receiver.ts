import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import type { ServerCertificate } from './certificates.ts';
import { freePort } from './free-port.ts';
import { readIfThere, writePrivateFile } from './private-file.ts';
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
const LARGEST_BODY_BYTES = 2_097_152;

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
    if (secret !== undefined && verifies(secret, body, headers)) return true;
    secret = await secretSource?.().catch(() => undefined);
    return secret !== undefined && verifies(secret, body, headers);
  };
  const receive = async (request: IncomingMessage): Promise<number> => {
    if (request.method !== 'POST') return 405;
    const body = await readBody(request);
    if (body === undefined) return 413;
    const verified = await isGenuine(body, request.headers);
    const messageId = String(request.headers['webhook-id'] ?? '');
    const eventType = String(request.headers['webhook-event-type'] ?? '');
    const receipt = { messageId, eventType, bytes: body.length, verified };
    receipts.delete(messageId);
    receipts.set(messageId, receipt);
    for (const oldest of [...receipts.keys()].slice(0, -KEPT_RECEIPTS)) receipts.delete(oldest);
    for (const listener of listeners) listener(receipt);
    return verified ? 204 : 401;
  };

  const server = createServer({ cert: certificate.certificate, key: certificate.key }, (request, response) => {
    receive(request)
      .catch(() => 500) // The sender has disconnected; this answer is not read.
      .then((status) => response.writeHead(status, { 'content-length': 0 }).end());
  });
  const portFile = join(home, 'receiver/port');
  const port = await listen(server, Number(readIfThere(portFile) ?? (await freePort()))).catch(() => listen(server, 0));
  writePrivateFile(portFile, String(port));
  run.onStop({ name: 'demo receiver', hurryAfterMs: 0, stop: () => close(server) });
  return {
    url: `https://127.0.0.1:${port}/webhooks`,
    setSecretSource: (source) => {
      secretSource = source;
    },
    find: (messageId) => receipts.get(messageId),
    onReceipt: (listener) => void listeners.push(listener),
  };
}

function verifies(secret: string, body: Buffer, headers: IncomingHttpHeaders): boolean {
  const named = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  try {
    new Webhook(secret).verify(body, named, { jsonParse: false });
    return true;
  } catch {
    return false; // The library throws if the signature is invalid.
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > LARGEST_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
