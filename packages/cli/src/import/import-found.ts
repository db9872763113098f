import { ApiError, type CreateEndpointBody, type Endpoint, type Posthorn } from '@posthorn/client';
import type { Found, FoundEndpoint, FoundSecret, Left } from './found.ts';

/** A line of the report. */
export type Line = {
  action: 'create' | 'keep' | 'publish' | 'rotate' | 'activate' | 'left';
  kind: Left['kind'];
  name: string;
  /** Why an item is left behind, or what is changed. */
  note: string;
};

type Target = { posthorn: Posthorn; environmentId: string; signal: AbortSignal; now: Date };

/** The metadata keys that mark an imported endpoint. */
const ORIGIN = { service: 'importedFrom', id: 'importedId', wasActive: 'importedActive' } as const;

/**
 * Compares what was found with what Posthorn has. With `apply`, creates what is missing: event types, then
 * applications, then endpoints, which start inactive. Existing resources stay as they are, so an interrupted import can
 * go on. If Posthorn refuses a resource, the report has a line for it, and the others are still created.
 */
export async function* importFound(target: Target, found: Found, apply: boolean): AsyncGenerator<Line> {
  for (const { kind, name, why } of found.left) yield { action: 'left', kind, name, note: why };
  yield* importEventTypes(target, found, apply);
  yield* importApplications(target, found, apply);
  yield* importEndpoints(target, found, apply);
}

/**
 * Imports event types, including those that only an endpoint names. If two have the same name, the first one with a
 * schema counts.
 */
async function* importEventTypes({ posthorn, environmentId, signal }: Target, found: Found, apply: boolean) {
  // A pattern is not an event type.
  const named = found.endpoints.flatMap(({ eventTypes }) => eventTypes).filter((name) => !name.endsWith('*'));
  const wanted = new Map(named.map((name) => [name, { name }]));
  for (const type of found.eventTypes) {
    const known = wanted.get(type.name);
    if (known === undefined || !('schema' in known)) wanted.set(type.name, type);
  }
  const existing = new Map<string, string>();
  for await (const { name, id } of posthorn.eventTypes.list({ signal })) existing.set(name, id);
  const published = new Set<string>();
  for await (const { name } of posthorn.catalog.list(environmentId, { signal })) published.add(name);
  for (const type of wanted.values()) {
    const { name } = type;
    const id = existing.get(name);
    const action = id === undefined ? 'create' : published.has(name) ? 'keep' : 'publish';
    yield* attempt({ action, kind: 'event type', name, note: '' }, apply, async () => {
      if (id === undefined) await posthorn.eventTypes.create({ ...type, publishIn: [environmentId] }, { signal });
      else await posthorn.eventTypes.setVisibility(environmentId, id, { published: true }, { signal });
    });
  }
}

async function* importApplications({ posthorn, signal }: Target, found: Found, apply: boolean) {
  const existing = new Set<string>();
  for await (const { externalId } of posthorn.applications.list({ signal })) if (externalId) existing.add(externalId);
  for (const application of found.applications) {
    const { externalId, name } = application;
    const action = existing.has(externalId) ? 'keep' : 'create';
    yield* attempt({ action, kind: 'application', name: externalId, note: name }, apply, async () => {
      await posthorn.applications.create(application, { signal });
    });
  }
}

/**
 * Imports endpoints. An endpoint is recognized by its id at the other service, because two customers there may use the
 * same externalId.
 */
async function* importEndpoints(target: Target, found: Found, apply: boolean): AsyncGenerator<Line> {
  const { imported, holders } = await readEndpoints(target, found.peer);
  for (const one of found.endpoints) {
    const known = imported.get(one.id);
    const holder = holders.get(one.externalId);
    const isShared = holder?.isImported === true && holder.id !== one.id;
    const externalId = known?.externalId ?? (isShared ? one.id : one.externalId);
    const line = { kind: 'endpoint', name: externalId, note: one.url } as const;
    if (isShared) {
      const note = `the externalId ${one.externalId} is that of ${holder.id}, too: it gets ${externalId}`;
      yield { action: 'left', kind: 'endpoint', name: one.id, note };
    }
    const other = holders.get(externalId);
    if (known !== undefined) yield* finish(target, { ...line, known, found: one }, apply);
    else if (other !== undefined) {
      yield { action: 'left', ...line, note: `${other.id} has this externalId already, and was not imported` };
    } else {
      holders.set(externalId, { isImported: true, id: one.id });
      yield* attempt({ action: 'create', ...line }, apply, () => createEndpoint(target, found, { ...one, externalId }));
    }
  }
}

async function readEndpoints({ posthorn, environmentId, signal }: Target, peer: string) {
  /** Imported endpoints, by their id at the other service. */
  const imported = new Map<unknown, Endpoint>();
  /** Who holds each externalId: a Posthorn endpoint, or the id of an imported endpoint at the other service. */
  const holders = new Map<string, { isImported: boolean; id: string }>();
  for await (const one of posthorn.endpoints.list({ environmentId, signal })) {
    const { [ORIGIN.service]: service, [ORIGIN.id]: origin } = one.metadata;
    const isImported = service === peer && origin !== undefined;
    if (isImported) imported.set(origin, one);
    if (one.externalId !== null) holders.set(one.externalId, { isImported, id: isImported ? String(origin) : one.id });
  }
  return { imported, holders };
}

async function createEndpoint(target: Target, { peer }: Found, one: FoundEndpoint): Promise<void> {
  const { posthorn, environmentId, signal } = target;
  const [oldest, ...newer] = one.secrets;
  const metadata = { ...one.metadata, [ORIGIN.service]: peer, [ORIGIN.id]: one.id, [ORIGIN.wasActive]: one.isActive };
  const body: CreateEndpointBody = {
    environmentId,
    externalId: one.externalId,
    url: one.url,
    isActive: false,
    config: one.config,
    metadata,
    ...(one.description !== '' && { description: one.description.slice(0, 500) }),
    ...(one.eventTypes.length > 0 && { eventTypes: one.eventTypes }),
    ...(oldest !== undefined && { secret: oldest.value }),
    ...(Object.keys(one.secretHeaders).length > 0 && { secretHeaders: one.secretHeaders }),
    ...(one.authUsername !== undefined && { authUsername: one.authUsername, authPassword: one.authPassword }),
  };
  const { id } =
    one.application === null
      ? await posthorn.endpoints.create(body, { signal })
      : await posthorn.applications.createEndpoint(`ext:${one.application}`, body, { signal });
  await rotateTo(target, id, { before: oldest, newer });
}

/** Completes an endpoint that exists already. An interruption may have come before its newer secrets were added. */
async function* finish(
  target: Target,
  { known, found, ...line }: { known: Endpoint; found: FoundEndpoint } & Pick<Line, 'kind' | 'name' | 'note'>,
  apply: boolean,
): AsyncGenerator<Line> {
  const at = found.secrets.findIndex(({ value }) => value === known.secret);
  const newer = at < 0 ? [] : found.secrets.slice(at + 1);
  const action = newer.length > 0 && known.metadata[ORIGIN.wasActive] !== undefined ? 'rotate' : 'keep';
  yield* attempt({ action, ...line }, apply, () => rotateTo(target, known.id, { before: found.secrets[at], newer }));
}

const DAY_SECONDS = 86_400;

/** The former secret also signs until its end, as it did at the other service. */
async function rotateTo(
  { posthorn, signal, now }: Target,
  id: string,
  { before, newer }: { before: FoundSecret | undefined; newer: readonly FoundSecret[] },
): Promise<void> {
  let former = before;
  for (const secret of newer) {
    const left = former?.endsAt === undefined ? DAY_SECONDS : (Date.parse(former.endsAt) - now.getTime()) / 1_000;
    const gracePeriodSeconds = Math.max(0, Math.min(7 * DAY_SECONDS, Math.ceil(left)));
    await posthorn.endpoints.rotateSecret(id, { secret: secret.value, gracePeriodSeconds }, { signal });
    former = secret;
  }
}

/** Does what a line says. If Posthorn refuses this one resource, reports that as a line. */
async function* attempt(line: Line, apply: boolean, work: () => Promise<void>): AsyncGenerator<Line> {
  if (apply && line.action !== 'keep') {
    try {
      await work();
    } catch (error) {
      if (!(error instanceof ApiError) || !IS_ITS_OWN.has(error.status)) throw error;
      const details = (error.details ?? []).map(({ message }) => message).join('; ');
      return yield { ...line, action: 'left', note: details === '' ? error.message : details };
    }
  }
  yield line;
}

/** Statuses that concern one resource. After any other error, the rest would fail as well. */
const IS_ITS_OWN = new Set([400, 404, 409, 422]);

/** Activates the imported endpoints that were active at the other service. Each is activated only once. */
export async function* activateImported(target: Target, peer: string): AsyncGenerator<Line> {
  const { posthorn, environmentId, signal } = target;
  for await (const { id, externalId, url, metadata } of posthorn.endpoints.list({ environmentId, signal })) {
    if (metadata[ORIGIN.service] !== peer || metadata[ORIGIN.wasActive] !== true) continue;
    const { [ORIGIN.wasActive]: _, ...kept } = metadata;
    const line: Line = { action: 'activate', kind: 'endpoint', name: externalId ?? id, note: url };
    yield* attempt(line, true, async () => {
      await posthorn.endpoints.update(id, { isActive: true, metadata: kept }, { signal });
    });
  }
}
