import type { Noun } from '@posthorn/testkit/id-nouns';
import type { Rig } from '../rig.ts';
import { ask, field, type Reply } from './ask.ts';
import { fill, nounsIn, type Operation } from './interface-operations.ts';
import type { Equipped } from './interface-things.ts';

/** A place for an id. It is requested twice: with an id that is out of reach, and with an id that does not exist. */
export type Pair = {
  what: string;
  noun: Noun;
  /** The id that is out of reach. Default: that of the other workspace. */
  id?: string;
  /** The status of both responses. */
  wanted: number;
  send: (id: string, api: number) => Promise<Reply>;
};

type Given = { own: Equipped; another: Equipped; operations: readonly Operation[] };

/**
 * All places in paths, filters, bodies and headers, with ids of another workspace, and with ids outside the bounds of a
 * portal or a key.
 */
export async function placesOfIds(rig: Rig, given: Given): Promise<Pair[]> {
  const paths = inPaths(rig, given);
  return [
    ...paths,
    ...inFilters(rig, given),
    ...inBodies(rig, given.own),
    ...(await beyondBounds(rig, { ...given, paths })),
  ];
}

/**
 * Replaces each path parameter in turn, and fills the others with our own ids. The row `credentials` covers
 * the workspace id.
 */
function inPaths(rig: Rig, { own, operations }: Pick<Given, 'own' | 'operations'>): Pair[] {
  return operations.flatMap((operation) =>
    nounsIn(operation.path).map((noun, at) => ({
      what: `${operation.id}, ${noun}`,
      noun,
      wanted: wantedOf(operation, noun),
      send: (id: string, api: number) =>
        ask(operation.method, `${urlOf(rig, api)}${fill(operation.path, own.things, { at, id })}`, {
          token: tokenFor(operation, own),
          body: bodyOf(operation, own),
        }),
    })),
  );
}

function wantedOf({ id, path }: Operation, noun: Noun): number {
  // A delivery is found under any endpoint id.
  if (/^get\w*EndpointDelivery$/i.test(id) && noun === 'endpoints') return 200;
  // The credential of a consumer belongs to one endpoint, so another id is a 401.
  return path.startsWith('/api/pull/') ? 401 : 404;
}

function inFilters(rig: Rig, { own, operations }: Pick<Given, 'own' | 'operations'>): Pair[] {
  const nouns: Record<string, Noun> = {
    environment_id: 'environments',
    endpoint_id: 'endpoints',
    application_id: 'applications',
    event_type_id: 'event-types',
    created_by: 'members',
  };
  return operations.flatMap((operation) =>
    operation.query.flatMap((name) => {
      const noun = nouns[name];
      if (noun === undefined) return [];
      const path = fill(operation.path, own.things);
      return {
        what: `${operation.id}, ${name}`,
        noun,
        wanted: 404,
        send: (id: string, api: number) =>
          ask(operation.method, `${urlOf(rig, api)}${path}?${name}=${id}`, { token: tokenFor(operation, own) }),
      };
    }),
  );
}

function inBodies(rig: Rig, { seeded, things }: Equipped): Pair[] {
  const url = 'https://127.0.0.1/';
  const post = (what: string, noun: Noun, make: (id: string) => { path: string; body: object }): Pair => ({
    what,
    noun,
    wanted: 404,
    send: (id, api) => {
      const { path, body } = make(id);
      const base = `${urlOf(rig, api)}/management/v1/workspaces/${seeded.workspaceId}`;
      return ask('POST', `${base}${path}`, { token: seeded.managementToken, body });
    },
  });
  const inApplication = `/applications/${things.applications}`;
  const ingest = (what: string, headers: (id: string) => Record<string, string>, noun: Noun): Pair => ({
    what,
    noun,
    wanted: 404,
    send: (id, api) =>
      ask('POST', `${urlOf(rig, api)}/api/ingest/event/${things.eventType}`, {
        token: seeded.apiKey,
        headers: headers(id),
        body: {},
      }),
  });
  const batch = (what: string, noun: Noun, item: (id: string) => object): Pair => ({
    what,
    noun,
    // Only the item is refused, not the batch.
    wanted: 202,
    send: (id, api) =>
      ask('POST', `${urlOf(rig, api)}/api/ingest/batch`, {
        token: seeded.apiKey,
        body: { events: [{ data: {}, ...item(id) }] },
      }),
  });
  return [
    post('environmentId of an endpoint', 'environments', (id) => ({
      path: '/endpoints',
      body: { url, environmentId: id },
    })),
    post('environmentId of an application’s endpoint', 'environments', (id) => ({
      path: `${inApplication}/endpoints`,
      body: { url, environmentId: id },
    })),
    post('environmentId of a portal session', 'environments', (id) => ({
      path: `${inApplication}/portal-sessions`,
      body: { environmentId: id },
    })),
    post('eventTypeIds', 'event-types', (id) => ({
      path: `/endpoints/${things.endpoints}/subscriptions`,
      body: { eventTypeIds: [id] },
    })),
    post('publishIn', 'environments', (id) => ({
      path: '/event-types',
      body: { name: 'foreign.type', publishIn: [id] },
    })),
    ingest('X-Application-Id', (id) => ({ 'x-application-id': id }), 'applications'),
    batch('endpointId in a batch', 'endpoints', (id) => ({ endpointId: id })),
    batch('applicationId in a batch', 'applications', (id) => ({ eventType: things.eventType, applicationId: id })),
  ];
}

/** Ids of the same workspace that belong to another application, another environment or no application. */
async function beyondBounds(rig: Rig, { own, another, paths }: Given & { paths: readonly Pair[] }): Promise<Pair[]> {
  const { seeded, things, dashboard } = own;
  const url = 'https://127.0.0.1/';
  const make = async (environmentId: string) => {
    const id = String((await dashboard('POST', '/endpoints', { url, environmentId })).id);
    await dashboard('PATCH', `/endpoints/${id}`, { isActive: false });
    return id;
  };
  const endpoints = await make(things.environments);
  const accepted = await ask('POST', `${urlOf(rig, 0)}/api/ingest/${endpoints}`, { token: seeded.apiKey, body: {} });
  const ids = { endpoints, deliveries: String(field(accepted, 'deliveryId')) };
  const ofPortal = paths.flatMap((pair) =>
    pair.what.startsWith('portal') && (pair.noun === 'endpoints' || pair.noun === 'deliveries')
      ? { ...pair, what: `${pair.what} beyond the application`, id: ids[pair.noun] }
      : [],
  );
  const elsewhere = await dashboard('POST', '/environments', { name: 'Elsewhere', slug: 'elsewhere' });
  await another.dashboard('POST', '/event-types', { name: 'another.only' });
  const ingest = (what: string, noun: Noun, given: { id: string; path: string }): Pair => ({
    what,
    noun,
    id: given.id,
    wanted: 404,
    send: (id, api) =>
      ask('POST', `${urlOf(rig, api)}/api/ingest/${given.path}${id}`, { token: seeded.apiKey, body: {} }),
  });
  const endpointElsewhere = await make(String(elsewhere.id));
  return [
    ...ofPortal,
    ingest('an endpoint of another environment', 'endpoints', { id: endpointElsewhere, path: '' }),
    ingest('a type of another workspace', 'event-types', { id: 'another.only', path: 'event/' }),
  ];
}

function tokenFor({ scheme }: Operation, { seeded, session, portal }: Equipped): string {
  return { apiKey: seeded.apiKey, managementToken: seeded.managementToken, sessionToken: session, portalToken: portal }[
    scheme
  ];
}

/** A valid body, so that a call in another workspace would succeed if it were allowed. */
function bodyOf({ path, body }: Operation, { things }: Equipped): object | undefined {
  if (body === undefined) return undefined;
  const values: Record<string, unknown> = {
    name: path.endsWith('/{event-types}') ? undefined : 'Name',
    description: 'Its name cannot be changed.',
    url: 'https://127.0.0.1/hook',
    slug: 'foreign',
    email: 'foreign@example.com',
    role: 'viewer',
    mode: 'failed',
    since: new Date().toISOString(),
    eventTypeIds: [things['event-types']],
    filter: null,
    published: true,
  };
  const given = new Set([
    ...body.required,
    ...['name', 'description', 'url', 'since'].filter((one) => body.fields.includes(one)),
  ]);
  return Object.fromEntries([...given].map((name) => [name, values[name]]));
}

function urlOf(rig: Rig, n: number): string {
  return rig.apis[n % rig.apis.length]?.url ?? '';
}
