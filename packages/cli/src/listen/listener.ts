import { randomUUID } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { type CreateEndpointBody, type EndpointRead, NotFoundError, type Posthorn } from '@posthorn/client';
import { type Listener as KeptListener, readConfiguration, writeConfiguration } from '../configuration.ts';
import type { Context } from '../context.ts';
import { CommandError, EXIT, Usage } from '../failure.ts';
import { type Choice, changeSubscriptions, isPattern } from './subscriptions.ts';

export type Wanted = Choice & {
  /** The listener's name; undefined for an endpoint that exists only for this run. */
  name: string | undefined;
  application: string | undefined;
};

/** A pull endpoint, and this machine's key for it. */
export type Listener = { endpoint: EndpointRead; pullKey: string };

/** The default name: one for each person on each machine. Two people with one name would share the webhooks. */
export function ownName(): string {
  return `${ownUser()}@${hostname()}`.replaceAll(/[^\x21-\x7e]/g, '-').slice(0, 100);
}

/** In a container, the user may have no name. */
function ownUser(): string {
  try {
    return userInfo().username;
  } catch {
    return 'user';
  }
}

/**
 * Finds the endpoint with this name, or creates it on the first run. It is kept, and what it missed waits for the next
 * run.
 */
export async function findListener(context: Context, wanted: Wanted): Promise<Listener> {
  const { client, output, signal } = context;
  const name = wanted.name ?? `once-${randomUUID()}`;
  // Several environments may have an endpoint with this name, so require one environment.
  const environmentId = await context.requireEnvironmentId();
  const options = { environmentId, signal };
  const found = await client()
    .endpoints.get(`ext:${externalIdOf(name)}`, options)
    .catch((error) => {
      if (error instanceof NotFoundError) return undefined;
      throw error;
    });
  if (found === undefined) {
    if (wanted.name !== undefined) await requireKept(context);
    return createListener(context, { ...wanted, environmentId }, name);
  }
  await requireSuitable(context, found, wanted, name);
  await changeSubscriptions(context, found, wanted);
  if (!found.isActive) {
    await client().endpoints.update(found.id, { isActive: true }, options);
    output.note(`The endpoint ${found.id} was disabled, and is enabled again`);
  }
  const { listeners = {} } = context.configuration.profiles[context.place.profileName] ?? {};
  const kept = [listeners[name], listeners[otherName(name, found.id)]].find(
    (one) => one?.endpoint === found.id && one.base_url === context.place.baseUrl,
  );
  if (kept !== undefined) return { endpoint: found, pullKey: kept.pull_key };
  await requireKept(context);
  return { endpoint: found, pullKey: await createKey(context, found.id, name) };
}

/** Creates another key for this machine, and saves it. */
export async function createKey(context: Context, endpointId: string, name: string): Promise<string> {
  const { client, signal } = context;
  const { pullKey } = await client().pullKeys.create(endpointId, { name: ownName() }, { signal });
  // The key is null only if the request was a repeat.
  if (pullKey === null) throw new Error('The answer has no pull key');
  await keepListener(context, name, endpointId, pullKey);
  return pullKey;
}

/** Ends the key at the service. Returns false if the endpoint is not there: it was deleted, or is in another workspace. */
export async function endKey(client: Posthorn, kept: KeptListener, signal: AbortSignal): Promise<boolean> {
  const { endpoint, pull_key: key } = kept;
  try {
    for (const { id, keyPreview } of await client.pullKeys.list(endpoint, { signal }).toArray({ limit: 100 })) {
      if (key.endsWith(keyPreview.slice(-SHOWN))) await client.pullKeys.delete(endpoint, id, { signal });
    }
    return true;
  } catch (error) {
    if (error instanceof NotFoundError) return false;
    throw error;
  }
}

/** How many letters of the end of a key its preview has. */
const SHOWN = 4;

async function createListener(
  context: Context,
  wanted: Wanted & { environmentId: string },
  name: string,
): Promise<Listener> {
  const { client, signal } = context;
  const { application, environmentId, filter = null, types = ['*'] } = wanted;
  const body: CreateEndpointBody = {
    type: 'pull',
    description: `posthorn listen, ${name}`,
    externalId: externalIdOf(name),
    eventTypes: types.map((one) => (isPattern(one) ? { pattern: one, filter } : { name: one, filter })),
    environmentId,
  };
  // An endpoint for this run alone must be deleted at the end, so wait for its id even after an interruption.
  const options = wanted.name === undefined ? {} : { signal };
  const created = await (application === undefined
    ? client().endpoints.create(body, options)
    : client().applications.createEndpoint(application, body, options));
  const { pullKey } = created;
  if (typeof pullKey !== 'string') throw new Error('The answer has no pull key');
  if (wanted.name !== undefined) await keepListener(context, name, created.id, pullKey);
  return { endpoint: created, pullKey };
}

async function requireSuitable({ client, signal }: Context, found: EndpointRead, wanted: Wanted, name: string) {
  if (found.pull === null) throw new Usage(`The endpoint ${found.id} has the name ${name}, and is of another type`);
  const { application } = wanted;
  const applicationId =
    application === undefined ? null : (await client().applications.get(application, { signal })).id;
  if (found.applicationId === applicationId) return;
  throw new Usage(`The listener ${name} is for ${found.applicationId ?? 'no customer'}: choose another --name`);
}

/** Checks that a key can be saved, before anything is created. */
async function requireKept({ terminal }: Context): Promise<void> {
  try {
    await writeConfiguration(terminal, await readConfiguration(terminal));
  } catch (error) {
    throw new Usage(`The key of the listener cannot be kept: ${(error as Error).message}. Add --ephemeral`);
  }
}

/** Reads the file again first: another command may have changed it. */
async function keepListener({ terminal, place }: Context, name: string, endpoint: string, pullKey: string) {
  const { baseUrl, profileName } = place;
  const configuration = await readConfiguration(terminal);
  const profile = configuration.profiles[profileName] ?? {};
  const listener = { base_url: String(baseUrl), endpoint, pull_key: pullKey };
  const there = profile.listeners?.[name];
  const isOther = there !== undefined && there.base_url === listener.base_url && there.endpoint !== endpoint;
  const key = isOther ? otherName(name, endpoint) : name;
  configuration.profiles[profileName] = { ...profile, listeners: { ...profile.listeners, [key]: listener } };
  await writeConfiguration(terminal, configuration);
}

/** The name in the file if another environment already has a listener of the same name. */
function otherName(name: string, endpoint: string): string {
  return `${name} ${endpoint}`;
}

/** The prefix of the externalIds of listeners. */
export const LISTENER = 'listen:';

function externalIdOf(name: string): string {
  return `${LISTENER}${name}`;
}

const ASK_EVERY_MS = 200;

/** Drops the deliveries that wait, so that only new events arrive. */
export async function dropWaiting({ client, signal }: Context, endpoint: EndpointRead): Promise<void> {
  const { id: endpointId, environmentId } = endpoint;
  const filter = { endpointId, environmentId };
  const { matched } = await client().operations.cancelDeliveries({ filter, dryRun: true }, { signal });
  if (matched === 0) return;
  let operation = await client().operations.cancelDeliveries({ filter, dryRun: false }, { signal });
  while (operation.finishedAt === null) {
    await pause(ASK_EVERY_MS, undefined, { signal });
    operation = await client().operations.get(operation.id, { signal });
  }
  if (operation.status === 'completed') return;
  const message = `What waits could not be cancelled: ${operation.status}`;
  throw new CommandError({ exitCode: EXIT.other, code: 'failed', message });
}
