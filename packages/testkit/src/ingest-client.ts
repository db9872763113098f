import { Agent, type IncomingHttpHeaders, type OutgoingHttpHeaders, request } from 'node:http';
import type { Stack } from './stack.ts';

export type Ingested = { status: number; body: Record<string, unknown>; headers: IncomingHttpHeaders };
export type Ingest = (path: string, body: Buffer | string, headers?: OutgoingHttpHeaders) => Promise<Ingested>;

// Longer than the service takes to answer at the most, when Postgres is silent.
const ANSWER_WITHIN_MS = 45_000;

// An agent of its own, so that only headers are sent that a test sets.
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/**
 * Sends bytes unchanged to the ingestion interface. `path` is below `/api/ingest/`. The content type is JSON unless
 * headers are given. Throws when there is no response.
 */
export function createIngest({ api, apiKey }: { api: Pick<Stack['api'], 'url'>; apiKey: string }): Ingest {
  return (path, body, headers = { 'content-type': 'application/json' }) =>
    new Promise((resolve, reject) => {
      const options = { agent, method: 'POST', headers: { authorization: `Bearer ${apiKey}`, ...headers } };
      const sent = request(`${api.url}/api/ingest/${path}`, options, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(text), headers: response.headers }),
        );
        response.on('error', reject);
      });
      sent.setTimeout(ANSWER_WITHIN_MS, () => sent.destroy(new Error('no answer in time')));
      sent.on('error', reject);
      sent.end(body);
    });
}
