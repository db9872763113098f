import { existsSync, readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import type { Signature } from '@posthorn/contract/signature';
import { parseUrl } from '@posthorn/runtime/parse-url';
import { type Instance, instanceFile } from '../instance-file.ts';
import { createApi, field, textField } from '../management-api.ts';
import type { Signer } from './verifies.ts';

/** The secrets that a webhook may be signed with, or the reason why they are unknown. */
export type FoundSecrets = { kind: 'found'; signers: Signer[] } | { kind: 'unknown'; why: string };

export type SecretSourceOptions = {
  home: string;
  secret: string | undefined;
  endpointId: string | undefined;
  signal: AbortSignal;
};

type Webhook = { path: string; headers: IncomingHttpHeaders };
type Read = (path: string) => Promise<{ status: number; body: unknown }>;

/**
 * Finds the secrets for a webhook: the given one, else the secret of the endpoint, which the running instance of the
 * home is asked for. Requests of an examination belong to no delivery, so their endpoint is found by its address. Never
 * rejects.
 */
export function createSecretSource(options: SecretSourceOptions): (webhook: Webhook) => Promise<FoundSecrets> {
  const { home, secret, endpointId, signal } = options;
  return async (webhook) => {
    if (secret !== undefined) return { kind: 'found', signers: [{ secret, signature: 'unknown' }] };
    if (!existsSync(instanceFile(home))) {
      return { kind: 'unknown', why: `no instance runs in ${home}: give --secret whsec_…` };
    }
    try {
      const instance = JSON.parse(readFileSync(instanceFile(home), 'utf8')) as Instance;
      const api = createApi(instance.baseUrl, instance.managementToken, signal);
      const read: Read = (path) => api('GET', `/management/v1/workspaces/${instance.workspaceId}/${path}`);
      const endpoints = await findEndpoints(read, endpointId, webhook);
      const signers = endpoints.map(signerOf);
      if (signers.length > 0) return { kind: 'found', signers };
      return { kind: 'unknown', why: 'no endpoint of the first workspace has this address: give --secret whsec_…' };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { kind: 'unknown', why: `the secret could not be read from the instance (${reason})` };
    }
  };
}

/** The endpoint with this id, else the endpoint of the delivery, else every endpoint with the address of the request. */
async function findEndpoints(read: Read, endpointId: string | undefined, webhook: Webhook): Promise<unknown[]> {
  if (endpointId !== undefined) return [await required(read, `endpoints/${encodeURIComponent(endpointId)}`)];
  const deliveryId = encodeURIComponent(String(webhook.headers['webhook-delivery-id'] ?? ''));
  const delivery = deliveryId === '' ? { status: 404, body: undefined } : await read(`deliveries/${deliveryId}`);
  if (delivery.status === 200) {
    return [await required(read, `endpoints/${encodeURIComponent(textField(delivery.body, 'endpointId'))}`)];
  }
  const address = addressOf(`https://${webhook.headers.host}${webhook.path}`);
  const all = (await required(read, 'endpoints')) as unknown[];
  return all.filter((endpoint) => addressOf(String(field(endpoint, 'url'))) === address);
}

function signerOf(endpoint: unknown): Signer {
  const signature = field(field(endpoint, 'config'), 'signature') as Signature | undefined;
  return { secret: textField(endpoint, 'secret'), signature };
}

async function required(read: Read, path: string): Promise<unknown> {
  const answer = await read(path);
  if (answer.status === 200) return answer.body;
  throw new Error(String(field(field(answer.body, 'error'), 'message') ?? answer.status));
}

/** Normalizes a URL so that equal addresses compare equal. Returns any other text unchanged. */
function addressOf(url: string): string {
  return parseUrl(url)?.href ?? url;
}
