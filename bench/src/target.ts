import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The stack that is measured, from its instance file (`POSTHORN_INSTANCE`). */
export type Target = {
  baseUrl: string;
  databaseUrl: string;
  redisUrl: string;
  workspaceId: string;
  environmentId: string;
  managementToken: string;
  apiKey: string;
  processes: { name: string; pid: number }[];
  /** What receivers present: the stack trusts its authority already. */
  tls: { certificate: string; key: string };
};

export function readTarget(): Target {
  const path = process.env.POSTHORN_INSTANCE;
  if (!path) throw new Error('POSTHORN_INSTANCE is not set: run `npm run bench`');
  const instance = JSON.parse(readFileSync(path, 'utf8'));
  const tls = JSON.parse(readFileSync(join(dirname(path), 'receiver', 'certificate.json'), 'utf8'));
  return { ...instance, tls };
}

/** One call of the management interface; throws on any answer but a 2xx. */
export async function manage<Answer>(target: Target, method: string, path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(`${target.baseUrl}/management/v1/workspaces/${target.workspaceId}${path}`, {
    method,
    headers: { authorization: `Bearer ${target.managementToken}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
  return (text === '' ? undefined : JSON.parse(text)) as Answer;
}

/** A published event type of its own, with an endpoint subscribed for each url. */
export async function subscribeAll(target: Target, eventType: string, urls: readonly string[]): Promise<string[]> {
  const type = await manage<{ id: string }>(target, 'POST', '/event-types', {
    name: eventType,
    publishIn: [target.environmentId],
  });
  const endpointIds: string[] = [];
  for (const url of urls) {
    const endpoint = await manage<{ id: string }>(target, 'POST', '/endpoints', { url });
    await manage(target, 'POST', `/endpoints/${endpoint.id}/subscriptions`, { eventTypeIds: [type.id] });
    endpointIds.push(endpoint.id);
  }
  return endpointIds;
}

export async function removeAll(target: Target, endpointIds: readonly string[]): Promise<void> {
  for (const id of endpointIds) await manage(target, 'DELETE', `/endpoints/${id}`);
}
