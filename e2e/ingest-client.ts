import { Agent, type OutgoingHttpHeaders, request } from 'node:http';
import type { Stack } from '@posthorn/testkit/stack';

export type Ingested = { status: number; body: Record<string, unknown> };
export type Ingest = (path: string, body: Buffer | string, headers?: OutgoingHttpHeaders) => Promise<Ingested>;

// Its own, so that no header is sent that a test did not ask for.
const agent = new Agent({ keepAlive: true, maxSockets: 16 });

/** Sends bytes to the ingestion interface as they are; `path` is below `/api/ingest/`. JSON unless headers are given. */
export function createIngest({ api, apiKey }: Pick<Stack, 'api' | 'apiKey'>): Ingest {
  return (path, body, headers = { 'content-type': 'application/json' }) =>
    new Promise((resolve, reject) => {
      const options = { agent, method: 'POST', headers: { authorization: `Bearer ${apiKey}`, ...headers } };
      const sent = request(`${api.url}/api/ingest/${path}`, options, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body: JSON.parse(text) }));
        response.on('error', reject);
      });
      sent.on('error', reject);
      sent.end(body);
    });
}
