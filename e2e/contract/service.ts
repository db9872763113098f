import type { Db } from '@posthorn/db/client';
import { type SeededWorkspace, seedWorkspace } from '@posthorn/testkit/seed';
import { seedSession } from '@posthorn/testkit/session';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type ServicesOptions, startServices } from '../services-in-process.ts';

/** A response. A JSON body is parsed, and untyped for the tests. */
export type Reply = {
  status: number;
  body: ReturnType<typeof JSON.parse>;
  text: string;
  headers: Headers;
};

export type Request = {
  token?: string | undefined;
  headers?: Record<string, string>;
  body?: unknown;
  raw?: string | Uint8Array;
};

/** A workspace, and clients for it. The paths of `manage` and `dashboard` are below the path of the workspace. */
export type Workspace = SeededWorkspace & {
  /** The path of the management interface: `M` in docs/interface. */
  m: string;
  manage: (method: string, path: string, body?: unknown) => Promise<Reply>;
  /** Posts a payload under `/api/ingest/`. A body that is not text or bytes is sent as JSON. */
  ingest: (path: string, body: unknown, headers?: Record<string, string>) => Promise<Reply>;
  /** Sends an event to the endpoint. Returns the last attempt when its newest delivery has this status. */
  attempt: (
    endpointId: string,
    body: unknown,
    status: string,
    headers?: Record<string, string>,
  ) => Promise<Reply['body']>;
  /** The session of a new user in this workspace. */
  sessionOf: (role: 'viewer' | 'member' | 'admin' | 'owner') => Promise<string>;
  dashboard: (session: string, method: string, path: string, body?: unknown) => Promise<Reply>;
  /** Creates a resource, and returns its id. */
  make: (path: string, body: object) => Promise<string>;
  /** Creates a published type and an endpoint subscribed to it. */
  makeRoute: (url: string, more?: object) => Promise<{ eventType: string; eventTypeId: string; endpointId: string }>;
};

type Stack = SeededWorkspace & {
  db: Db;
  databaseUrl: string;
  redisUrl: string;
  prefix: string;
  api: { url: string };
  startDispatcher: (settings?: Record<string, string>) => Promise<unknown>;
  stop: () => Promise<void>;
};

export type Service = {
  stack: Stack;
  /** The seeded workspace, on the enterprise plan and with every scope. */
  workspace: Workspace;
  another: (options?: Parameters<typeof seedWorkspace>[1]) => Promise<Workspace>;
  send: (method: string, path: string, request?: Request) => Promise<Reply>;
  stop: () => Promise<void>;
};

/** Runs the product in this process, without rate limits, and makes clients for it. */
export async function startService(given: ServicesOptions = {}): Promise<Service> {
  const settings = { RATE_LIMIT_MANAGEMENT: '0', ...given.settings };
  return clientsOf(await startServices({ dispatchers: 0, ...given, settings }));
}

/** Makes clients for a running product. */
export function clientsOf(stack: Stack): Service {
  const send: Service['send'] = (method, path, request) => sendTo(stack.api.url + path, method, request);
  return {
    stack,
    workspace: createWorkspace(stack, stack, send),
    another: async (another) => createWorkspace(stack, await seedWorkspace(stack.db, another), send),
    send,
    stop: () => stack.stop(),
  };
}

let count = 0;

/** A name that is unique in this process. */
export function unique(prefix: string): string {
  count += 1;
  return `${prefix}${count}`;
}

/**
 * The code of an error, after a check that the error has exactly the shape in docs/interface.md, Errors.
 * Otherwise the status.
 */
export function codeOf({ status, body, text }: Reply): string | number {
  if (status < 400) return status;
  const { error, ...more } = body ?? {};
  const whole =
    Object.keys(more).length === 0 &&
    Object.keys(error ?? {})
      // Only a validation error has the details of the wrong fields.
      .filter((key) => key !== 'details' || error.code !== 'validation_error')
      .sort()
      .join() === 'code,message';
  return whole && typeof error.message === 'string' ? error.code : `another shape: ${text}`;
}

function createWorkspace({ db }: Stack, seeded: SeededWorkspace, send: Service['send']): Workspace {
  const { workspaceId, environmentId, managementToken, apiKey } = seeded;
  const m = `/management/v1/workspaces/${workspaceId}`;
  const manage: Workspace['manage'] = (method, path, body) => send(method, m + path, { token: managementToken, body });
  const make: Workspace['make'] = async (path, body) => {
    const reply = await manage('POST', path, body);
    if (reply.status !== 201) throw new Error(`POST ${path} answered ${reply.status} ${reply.text}`);
    return String(reply.body.id);
  };
  const ingest: Workspace['ingest'] = (path, body, headers = {}) =>
    send('POST', `/api/ingest/${path}`, {
      token: apiKey,
      headers: { 'content-type': 'application/json', ...headers },
      raw: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    });
  return {
    ...{ workspaceId, environmentId, managementToken, apiKey, m, manage, make, ingest },
    async attempt(endpointId, body, status, headers) {
      const accepted = await ingest(endpointId, body, headers);
      if (accepted.status !== 202) throw new Error(`the event was answered with ${accepted.status} ${accepted.text}`);
      const delivery = await waitFor(
        async () => {
          const [first] = (await manage('GET', `/endpoints/${endpointId}/deliveries`)).body.deliveries;
          return first?.status === status && first;
        },
        { what: `a delivery that is ${status}` },
      );
      return (await manage('GET', `/deliveries/${delivery.id}/attempts`)).body.at(-1);
    },
    dashboard: (token, method, path, body) => send(method, `/api/workspaces/${workspaceId}${path}`, { token, body }),
    sessionOf: (role) => seedSession(db, { workspaceId, role }),
    async makeRoute(url, more = {}) {
      const eventType = unique('order.created_');
      const eventTypeId = await make('/event-types', { name: eventType, publishIn: [environmentId] });
      const endpointId = await make('/endpoints', { url, environmentId, ...more });
      await manage('POST', `/endpoints/${endpointId}/subscriptions`, { eventTypeIds: [eventTypeId] });
      return { eventType, eventTypeId, endpointId };
    },
  };
}

async function sendTo(url: string, method: string, { token, headers = {}, body, raw }: Request = {}): Promise<Reply> {
  const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const response = await fetch(url, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(content === undefined ? {} : { body: content }),
  });
  const text = await response.text();
  return { status: response.status, body: parsed(text), text, headers: response.headers };
}

function parsed(text: string): Reply['body'] {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined; // Not JSON: tests use the text.
  }
}
