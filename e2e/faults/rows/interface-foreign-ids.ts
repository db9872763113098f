import { quantile } from '../oracle.ts';
import type { Rig } from '../rig.ts';
import type { Mark, Outcome, Tools } from '../row.ts';
import { ask, inTurns, type Reply } from './ask.ts';
import { fill, missing, type Noun, nounsIn, type Operation, readOperations } from './interface-operations.ts';
import { type Equipped, equipAnother, equipOwn, rowsOf } from './interface-things.ts';

/** The same request twice: with an id of another workspace, and with one that nobody has. */
type Pair = { what: string; noun: Noun; wanted: number; send: (id: string, api: number) => Promise<Reply> };

const AT_ONCE = 8;
const TIMED = 150;
const APART_AT_MOST_MS = 2;

/** Every place where an id is given: in paths, filters, bodies and headers. */
export async function foreignIds(rig: Rig, { random, scaled, say }: Tools): Promise<Outcome> {
  const own = await equipOwn(rig);
  const another = await equipAnother(rig);
  const operations = await readOperations(rig.apis[0]?.url ?? '');
  const whole = [...inPaths(rig, { own, operations }), ...inFilters(rig, { own, operations }), ...inBodies(rig, own)];
  await rig.drain();
  const before = await rowsOf(rig);
  const pairs = random.sample(whole, scaled(whole.length));
  const wrong = (
    await inTurns(pairs, AT_ONCE, async ({ what, noun, wanted, send }, n) => {
      const foreign = await send(another.things[noun], n);
      const nobodys = await send(missing(noun), n + 1);
      const same = foreign.status === nobodys.status && foreign.text === nobodys.text;
      if (same && foreign.status === wanted) return undefined;
      return `${what}: ${foreign.status} ${foreign.text.slice(0, 150)} where a missing one is ${nobodys.status} ${nobodys.text.slice(0, 150)}`;
    })
  ).filter((one) => one !== undefined);
  for (const one of wrong.slice(0, 10)) say(one);
  const after = await rowsOf(rig);
  if (after !== before) say(`before ${before}, after ${after}`);
  return {
    duplicatesAtMost: 0,
    marks: [
      { what: 'places', value: pairs.length },
      { what: 'told apart', value: wrong.length, atMost: 0 },
      { what: 'changes', value: after === before ? 0 : 1, atMost: 0 },
      ...(await timed(whole, { another, say })),
    ],
  };
}

type Given = { own: Equipped; operations: readonly Operation[] };

/** Each parameter of each path in turn, the rest being our own; of the workspace's own see the credentials. */
function inPaths(rig: Rig, { own, operations }: Given): Pair[] {
  return operations.flatMap((operation) =>
    nounsIn(operation.path).map((noun, at) => ({
      what: `${operation.id}, ${noun}`,
      noun,
      // A delivery is answered under any endpoint id.
      wanted: /getEndpointDelivery/i.test(operation.id) && noun === 'endpoints' ? 200 : 404,
      send: (id: string, api: number) =>
        ask(operation.method, `${urlOf(rig, api)}${fill(operation.path, own.things, { at, id })}`, {
          token: tokenFor(operation, own),
          body: operation.hasBody ? bodyOf(operation, own) : undefined,
        }),
    })),
  );
}

function inFilters(rig: Rig, { own, operations }: Given): Pair[] {
  const nouns: Record<string, Noun> = {
    environment_id: 'environments',
    endpoint_id: 'endpoints',
    application_id: 'applications',
    event_type_id: 'event-types',
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
    // The item is refused, not the batch.
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

/** Whether the time tells what the bytes do not: the medians of reads, asked for in turn. */
async function timed(
  pairs: readonly Pair[],
  { another, say }: { another: Equipped; say: Tools['say'] },
): Promise<Mark[]> {
  const apart: number[] = [];
  for (const what of ['getEndpoint, endpoints', 'getDelivery, deliveries', 'getApplication, applications']) {
    const pair = pairs.find((one) => one.what === what);
    if (pair === undefined) throw new Error(`there is no ${what}`);
    const times: { foreign: number[]; nobodys: number[] } = { foreign: [], nobodys: [] };
    for (let n = 0; n < TIMED; n += 1) {
      times.foreign.push((await pair.send(another.things[pair.noun], 0)).afterMs);
      times.nobodys.push((await pair.send(missing(pair.noun), 0)).afterMs);
    }
    const [foreign, nobodys] = [quantile(times.foreign, 0.5), quantile(times.nobodys, 0.5)];
    say(`${what}: median ${foreign.toFixed(2)} ms of another's, ${nobodys.toFixed(2)} ms of nobody's`);
    apart.push(Math.abs(foreign - nobodys));
  }
  return [{ what: 'medians apart', unit: 'ms', value: Math.max(...apart), atMost: APART_AT_MOST_MS }];
}

function tokenFor({ scheme }: Operation, { seeded, session, portal }: Equipped): string {
  return { apiKey: seeded.apiKey, managementToken: seeded.managementToken, sessionToken: session, portalToken: portal }[
    scheme
  ];
}

/** A valid body where an empty one would be refused before the look-up. */
function bodyOf({ path }: Operation, { things }: Equipped): object {
  if (path.endsWith('/visibility')) return { published: true };
  if (path.endsWith('/subscriptions')) return { eventTypeIds: [things['event-types']] };
  if (path.endsWith('/endpoints')) return { url: 'https://127.0.0.1/hook' };
  if (path.endsWith('/api-keys')) return { name: 'Key' };
  // Valid, should a workspace that is not ours ever be let through.
  return { name: 'Name', slug: 'foreign', email: 'foreign@example.com', role: 'viewer' };
}

function urlOf(rig: Rig, n: number): string {
  return rig.apis[n % rig.apis.length]?.url ?? '';
}
