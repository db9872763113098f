import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { parseEndpointUrl } from '@posthorn/egress/endpoint-url';
import { createLookup } from '@posthorn/egress/lookup';
import { createResolveName } from '@posthorn/egress/resolve-name';
import type { Tools } from '../kind.ts';
import { createTunnels } from '../tunnel.ts';
import { EgressAgent } from './egress-agent.ts';
import { CONNECT_TIMEOUT_MS, limitInformational } from './send.ts';
import { describeSendError, MAX_HEADER_BYTES } from './send-error.ts';

/** The document, or why it was not read. That message contains no byte of the answer. */
export type ReadDocument = { kind: 'read'; status: number; text: string } | { kind: 'failed'; message: string };

export type DocumentReader = {
  /** Reads a document of at most 256 KiB with GET, without redirects. Never rejects. */
  read(url: string, options: { timeoutMs: number; userAgent: string }): Promise<ReadDocument>;
  close(): void;
};

const MOST_BYTES = 256 * 1_024;
const LOOKUP_BUDGET_MS = 4_000;

/** Reads public documents from addresses that the egress rules allow, through the operator's proxy if there is one. */
export function createDocumentReader({ rules, clock, proxy }: Tools): DocumentReader {
  const lookup = createLookup({ rules, resolve: createResolveName({ budgetMs: LOOKUP_BUDGET_MS }), clock });
  const tunnels = proxy && createTunnels(proxy, clock);
  const through = tunnels && { tunnels, timeoutMs: CONNECT_TIMEOUT_MS, monotonicMs: clock.monotonicMs };
  const agent = new EgressAgent({ rules, lookup, keepsConnections: false, through });
  return {
    async read(url, { timeoutMs, userAgent }) {
      const target = parseEndpointUrl(url, rules);
      if (target.kind === 'refused') return { kind: 'failed', message: target.message };
      const deadline = AbortSignal.timeout(timeoutMs);
      try {
        const response = await ask(target.url, { agent, userAgent, signal: deadline });
        return { kind: 'read', status: response.statusCode ?? 0, text: await textOf(response) };
      } catch (error) {
        if (deadline.aborted) return { kind: 'failed', message: `No complete answer within ${timeoutMs / 1_000} s` };
        return {
          kind: 'failed',
          message: error instanceof TooLarge ? error.message : describeSendError(error).message,
        };
      }
    },
    close() {
      agent.destroy();
      tunnels?.close();
    },
  };
}

class TooLarge extends Error {
  override name = 'TooLarge';
}

type Asking = { agent: EgressAgent; userAgent: string; signal: AbortSignal };

function ask(url: string, { agent, userAgent, signal }: Asking): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { accept: 'application/json', 'user-agent': userAgent };
    const request = httpsRequest(url, { agent, headers, signal, maxHeaderSize: MAX_HEADER_BYTES }, resolve);
    limitInformational(request, () => request.destroy(new TooLarge('The answer begins with too many responses')));
    request.on('error', reject);
    request.end();
  });
}

async function textOf(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    // Leaving the loop ends the connection.
    if (bytes > MOST_BYTES) throw new TooLarge(`The answer exceeds ${MOST_BYTES / 1_024} KiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
