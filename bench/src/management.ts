import type { Ingest } from './load.ts';
import type { ServiceProcess } from './service-process.ts';
import type { Stack } from './stack.ts';

/** The management interface of one API process. */
export type Management = <Answer>(method: string, path: string, body?: unknown) => Promise<Answer>;

/** Calls below `/management/v1/workspaces/<id>`; a call throws on any answer except 2xx. */
export function managementOf(api: Pick<ServiceProcess, 'url'>, stack: Stack): Management {
  const headers = { authorization: `Bearer ${stack.managementToken}`, 'content-type': 'application/json' };
  return async <Answer>(method: string, path: string, body?: unknown) => {
    const response = await fetch(`${api.url}/management/v1/workspaces/${stack.workspaceId}${path}`, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return (text === '' ? undefined : JSON.parse(text)) as Answer;
  };
}

/**
 * Publishes an event type and subscribes a new webhook to it for each URL, some at a time; returns the endpoints' ids.
 */
export function subscribeAll(
  manage: Management,
  {
    stack,
    eventType,
    urls,
    config = {},
  }: { stack: Stack; eventType: string; urls: readonly string[]; config?: object | undefined },
): Promise<string[]> {
  return subscribe(manage, { stack, eventType, endpoints: urls.map((url) => ({ url, config })) });
}

/** Publishes an event type and subscribes new endpoints of any kind to it. Returns the endpoints' ids. */
export async function subscribe(
  manage: Management,
  { stack, eventType, endpoints }: { stack: Stack; eventType: string; endpoints: readonly object[] },
): Promise<string[]> {
  const type = await manage<{ id: string }>('POST', '/event-types', {
    name: eventType,
    publishIn: [stack.environmentId],
  });
  const ids: string[] = [];
  for (let start = 0; start < endpoints.length; start += AT_ONCE) {
    const made = endpoints.slice(start, start + AT_ONCE).map(async (wanted) => {
      const endpoint = await manage<{ id: string }>('POST', '/endpoints', wanted);
      await manage('POST', `/endpoints/${endpoint.id}/subscriptions`, { eventTypeIds: [type.id] });
      return endpoint.id;
    });
    ids.push(...(await Promise.all(made)));
  }
  return ids;
}

const AT_ONCE = 8;

/**
 * The usual load: events go to the URLs in rotation; each URL has its own type and endpoint. The body has 500 bytes.
 */
export async function oneEndpointEach(
  manage: Management,
  { stack, apis, urls, name, config }: EachOptions,
): Promise<{ ingest: Ingest; endpointIds: string[] }> {
  const paths: string[] = [];
  const endpointIds: string[] = [];
  for (const [index, url] of urls.entries()) {
    const eventType = `bench.${name}_${index}`;
    endpointIds.push(...(await subscribeAll(manage, { stack, eventType, urls: [url], config })));
    paths.push(ingestPath(eventType));
  }
  return { ingest: ingestAt(stack, apis, paths), endpointIds };
}

type EachOptions = {
  stack: Stack;
  apis: readonly ServiceProcess[];
  urls: readonly string[];
  name: string;
  /** More fields for each endpoint. */
  config?: object | undefined;
};

/** A target that sends events to the paths, with the stack's key. */
export function ingestAt(stack: Stack, apis: readonly Pick<ServiceProcess, 'url'>[], paths: readonly string[]): Ingest {
  const headers = { authorization: `Bearer ${stack.apiKey}`, 'content-type': 'application/json' };
  return { baseUrls: apis.map((api) => api.url), paths, headers, body: BODY };
}

export function ingestPath(eventType: string): string {
  return `/api/ingest/event/${eventType}`;
}

/** 500 bytes of JSON. */
export const BODY = JSON.stringify({ id: 'order_1002', note: 'x'.repeat(458), total: 1900 });
