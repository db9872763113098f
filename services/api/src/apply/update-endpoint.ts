import { isDeepStrictEqual } from 'node:util';
import type { DocumentEndpoint, WorkspaceChange } from '@posthorn/contract/apply';
import type { EndpointConfig } from '@posthorn/contract/endpoint-config';
import { toId } from '@posthorn/contract/ids';
import { hasDestination, kindOf } from '@posthorn/destinations/kinds';
import { updateEndpoint } from '../endpoints/endpoints.ts';
import { rotateSecret } from '../endpoints/rotate-secret.ts';
import { type Pattern, patternOf, storedPatterns } from '../subscriptions/patterns.ts';
import { subscribe, unsubscribe, updateSubscription } from '../subscriptions/subscriptions.ts';
import { ApiError } from '../transport/error.ts';
import { fieldOf, fieldsOf } from './fields.ts';
import type { EndpointBefore, NamedEndpoint } from './read-endpoints.ts';
import { compareSecrets, type SecretChanges } from './secret-changes.ts';
import { compareSubscriptions, type SubscriptionChanges } from './subscriptions.ts';
import type { Work } from './work.ts';

/** How long the replaced secret of an endpoint still signs, beside the new one. */
const GRACE_SECONDS = 86_400;

type Updating = Pick<Work, 'ctx' | 'prune' | 'dryRun' | 'comparesStored'>;

/** Makes an endpoint like the one of the document; returns the fields that differed. */
export async function updateFromDocument(
  work: Updating,
  { one, eventTypeIds, kept }: NamedEndpoint,
  before: EndpointBefore,
): Promise<WorkspaceChange['fields']> {
  const { ctx, prune } = work;
  const id = toId('ep', before.id);
  const url = await newUrl(work, one, before);
  const config = configOf(one, before);
  // The columns always have objects.
  const [storedConfig, storedMetadata] = [before.config as object, before.metadata as object];
  const plain = [
    ...fieldOf('url', before.url, url),
    ...fieldOf('description', before.description, one.description),
    ...fieldOf('isActive', before.isActive, one.isActive),
    ...fieldsOf('config', storedConfig, config),
    ...fieldsOf('metadata', storedMetadata, one.metadata),
  ].map((field) => (field.field === 'config.destination' ? { ...field, field: 'destination' } : field));
  const secrets = compareSecrets(work, one, { before, moves: url !== undefined, kept });
  const subscriptions = compareSubscriptions(before, one.eventTypes, prune);
  // Rotate first, because the rules of a new config may need the new secret.
  if (secrets.secret !== undefined) await rotate(work, id, secrets.secret);
  await changeSubscriptions(work, id, { changes: subscriptions, eventTypeIds, patterns: storedPatterns(before) });
  const body = {
    ...(url !== undefined && { url }),
    ...given(one, plain, before),
    ...(config !== undefined && !isDeepStrictEqual(storedConfig, config) && { config }),
    ...bodyOfSecrets(secrets),
    ...(subscriptions.patterns !== undefined && { eventTypePatterns: patternsOf(subscriptions) }),
  };
  if (Object.keys(body).length > 0) await updateEndpoint(ctx, id, body);
  return [...plain, ...subscriptions.fields, ...secrets.fields];
}

function given(one: DocumentEndpoint, differs: WorkspaceChange['fields'], before: EndpointBefore) {
  const has = (name: string) => differs.some(({ field }) => field === name || field.startsWith(`${name}.`));
  return {
    ...(has('description') && { description: one.description }),
    ...(one.isActive !== undefined && one.isActive !== before.isActive && { isActive: one.isActive }),
    ...(has('metadata') && { metadata: one.metadata }),
  };
}

function bodyOfSecrets({ secretHeaders, credentials, auth }: SecretChanges) {
  return {
    ...auth,
    ...(secretHeaders !== undefined && { secretHeaders }),
    ...(credentials !== undefined && { credentials }),
  };
}

function patternsOf({ patterns = [] }: SubscriptionChanges) {
  return patterns.map(({ pattern, filter }) => ({ name: pattern, filter }));
}

/** The URL of the document, if it is not the stored one. The stored URL may be written differently. */
async function newUrl(
  { ctx }: Pick<Work, 'ctx'>,
  { url }: DocumentEndpoint,
  before: EndpointBefore,
): Promise<string | undefined> {
  if (url === undefined || url === before.url) return undefined;
  const verdict = await ctx.vetUrl(url);
  return verdict.kind === 'ok' && verdict.url === before.url ? undefined : url;
}

/**
 * The config that the endpoint is to have; undefined if the document names none. A document has the whole config, with
 * the destination beside it.
 */
function configOf(one: DocumentEndpoint, before: EndpointBefore): EndpointConfig | undefined {
  if (one.config === undefined && one.destination === undefined) return undefined;
  // The column is written after it was checked against the contract.
  const stored = before.config as EndpointConfig;
  const kind = kindOf(before.type);
  const destination = one.destination ?? one.config?.destination ?? stored.destination;
  const isPlaced = one.destination !== undefined || (kind !== undefined && hasDestination(kind));
  return { ...(one.config ?? stored), ...(isPlaced && destination !== undefined && { destination }) };
}

async function rotate({ ctx, dryRun }: Updating, id: string, secret: string): Promise<void> {
  if (!dryRun && !ctx.grantable.includes('secrets:rotate')) {
    throw new ApiError('forbidden', 'Changing the secret of an endpoint needs the scope keys');
  }
  await rotateSecret(ctx, id, { gracePeriodSeconds: GRACE_SECONDS, secret });
}

type NamedChanges = {
  changes: SubscriptionChanges;
  eventTypeIds: ReadonlyMap<string, string>;
  /** The patterns that the endpoint had before. */
  patterns: readonly Pattern[];
};

async function changeSubscriptions(
  { ctx }: Pick<Work, 'ctx'>,
  endpointId: string,
  { changes, eventTypeIds, patterns }: NamedChanges,
): Promise<void> {
  const idOf = (name: string) => eventTypeIds.get(name) ?? '';
  for (const { filter, names } of byFilter(changes.add)) {
    await subscribe(ctx, endpointId, { eventTypeIds: names.map(idOf), filter: filter ?? undefined });
  }
  // If a pattern had already subscribed to a type, `subscribe` keeps its filter. Set the filter of the document.
  const taken = changes.add.filter(({ name }) => patternOf(patterns, name) !== undefined);
  for (const { name, filter } of [...changes.change, ...taken]) {
    await updateSubscription(ctx, { endpointId, eventTypeId: idOf(name) }, filter);
  }
  if (changes.remove.length === 0) return;
  const rows = await ctx.db.eventType.findMany({
    where: { workspaceId: ctx.workspace.id, name: { in: changes.remove } },
    select: { id: true },
  });
  for (const { id } of rows) await unsubscribe(ctx, endpointId, toId('evt', id));
}

/** Event types with the same filter are subscribed in one statement. */
function byFilter(chosen: SubscriptionChanges['add']): { filter: unknown; names: string[] }[] {
  const groups = new Map<string, { filter: unknown; names: string[] }>();
  for (const { name, filter } of chosen) {
    const key = JSON.stringify(filter);
    const group = groups.get(key) ?? { filter, names: [] };
    group.names.push(name);
    groups.set(key, group);
  }
  return [...groups.values()];
}
