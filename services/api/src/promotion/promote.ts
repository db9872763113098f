import { namedEventType } from '@posthorn/contract/event-types';
import { fromId, toId } from '@posthorn/contract/ids';
import type { promoteBody } from '@posthorn/contract/promotion';
import type { SourcePlace } from '@posthorn/contract/sources';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { hasDestination, kindOf, requireKind } from '@posthorn/destinations/kinds';
import { z } from 'zod';
import { lookUp } from '../apply/vetted-urls.ts';
import type { Changes } from '../audit/change.ts';
import { reachedEnvironments } from '../auth/bounds.ts';
import { requireCreatable } from '../endpoint-types/creatable-types.ts';
import { endpointKeyOf } from '../endpoints/endpoint-reference.ts';
import { checkDraft } from '../endpoints/write-endpoint.ts';
import { requireEnvironment } from '../environments/environments.ts';
import { refuseDeletedType } from '../event-types/event-types.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { vetBrokers } from '../sources/sources.ts';
import { ApiError, invalid, notFound } from '../transport/error.ts';
import { lockWorkspace } from '../workspaces/lock.ts';
import { applyPlan, type Place, type Places } from './apply-plan.ts';
import { choose, compare, type EndpointChange, type Plan, type SetUp, type SubscriptionChanges } from './compare.ts';
import { readSetUp } from './read-set-up.ts';

export type Pair = { a: string; b: string };
type Body = z.output<typeof promoteBody>;

/** The changes that would make the environment `b` like `a`. */
export async function diffEnvironments(ctx: WorkspaceContext, pair: Pair) {
  const compared = await compareEnvironments(ctx, ctx.listDb, pair);
  return presentPlan(compared.plan, compared);
}

/**
 * Makes `b` like `a` in what the body names, in one transaction. With `dryRun` it only reports what it would change.
 */
export async function promote(ctx: WorkspaceContext, pair: Pair, given: Body) {
  const { from } = await requirePair(ctx, ctx.db, pair);
  if (given.settings && !given.dryRun && reachedEnvironments(ctx.bounds) !== undefined) {
    throw new ApiError('forbidden', 'This token is bound to environments, and settings change the environment itself');
  }
  const body = await withEndpointIds(ctx, given, from);
  const places = await vetPlaces(ctx, body);
  const sourcePlaces = await vetSourcePlaces(ctx, body);
  if (body.dryRun) {
    // Take a turn of large reads only now, so that the look-ups of names hold none.
    const compared = await ctx.inListTurn(() => compareEnvironments(ctx, ctx.listDb, pair));
    return { applied: presentPlan(select(ctx, compared, body), compared) };
  }
  return ctx
    .change('environment.promoted', async (transaction) => {
      await lockWorkspace(transaction, ctx.workspace.id);
      const { to } = await requirePair(ctx, transaction, pair);
      await lockTargets(transaction, to);
      const compared = await compareEnvironments(ctx, transaction, pair);
      const chosen = select(ctx, compared, body);
      const { applied, cascade } = await applyPlan(ctx, transaction, chosen, {
        environmentId: to,
        places,
        sourcePlaces,
      });
      const { settings, eventTypes, endpoints, sources } = applied;
      const isNoop = eventTypes.length + endpoints.length + sources.length + Object.keys(settings).length === 0;
      const entry = { resourceId: toId('env', to), changes: { ...auditChanges(applied, compared.from), ...cascade } };
      return { result: { applied: presentPlan(applied, compared) }, entry: isNoop ? null : entry };
    })
    .catch(refuseDeletedType);
}

type Compared = { from: string; to: string; source: SetUp; plan: Plan };

async function compareEnvironments(ctx: WorkspaceContext, db: Db | DbTransaction, pair: Pair): Promise<Compared> {
  const { from, to } = await requirePair(ctx, db, pair);
  const workspaceId = ctx.workspace.id;
  const source = await readSetUp(db, { workspaceId, environmentId: from });
  const target = await readSetUp(db, { workspaceId, environmentId: to });
  return { from, to, source, plan: compare(source, target) };
}

async function requirePair(ctx: WorkspaceContext, db: Pick<Db | DbTransaction, 'environment'>, { a, b }: Pair) {
  const from = await requireEnvironment(ctx, db, a);
  const to = await requireEnvironment(ctx, db, b);
  if (from.id === to.id)
    throw invalid('An environment cannot be compared with itself: name two environments', 'path.targetId');
  return { from: from.id, to: to.id };
}

/** Locks the copies by the order of keys, so that two promotions and an edit cannot wait for each other. */
async function lockTargets(transaction: DbTransaction, environmentId: string): Promise<void> {
  await transaction.$queryRaw`
    select 1 from endpoint where environment_id = ${environmentId}::uuid and promoted_from is not null
      and deleted_at is null order by id for no key update`;
}

/** The body with ids instead of externalIds, which name endpoints of the environment that is promoted. */
async function withEndpointIds(ctx: WorkspaceContext, body: Body, environmentId: string): Promise<Body> {
  if (body.endpoints === undefined) return body;
  const endpoints: NonNullable<Body['endpoints']> = [];
  for (const [index, one] of body.endpoints.entries()) {
    const key = await endpointKeyOf(ctx, ctx.db, one.endpointId, toId('env', environmentId));
    if (key === undefined) throw notFound('Endpoint');
    const endpointId = toId('ep', key);
    if (endpoints.some((other) => other.endpointId === endpointId)) {
      const field = `endpoints[${index}].endpointId`;
      throw invalid(`${field} must not be given twice`, field);
    }
    endpoints.push({ ...one, endpointId });
  }
  return { ...body, endpoints };
}

/** Checks the places of new endpoints as those of any endpoint. The rest of a config was checked when it was stored. */
async function vetPlaces(ctx: WorkspaceContext, { endpoints = [] }: Body): Promise<Places> {
  const keys = endpoints.flatMap(({ endpointId }) => fromId('ep', endpointId) ?? []);
  const where = { workspaceId: ctx.workspace.id, id: { in: keys } };
  const rows = await ctx.db.endpoint.findMany({ where, select: { id: true, type: true }, take: keys.length });
  const types = new Map(rows.map(({ id, type }) => [id, type]));
  const places = new Map<string, Place>();
  await lookUp(endpoints, async ({ endpointId, destination, ...given }, index) => {
    const key = fromId('ep', endpointId) ?? '';
    const kind = kindOf(types.get(key) ?? '');
    const url = kind?.hasUrl === true ? given.url : undefined;
    if (kind === undefined || (url === undefined && destination === undefined)) return;
    const draft = { url, config: destination === undefined ? undefined : { destination } };
    const checked = await checkDraft(ctx, kind.type, draft).catch((error: unknown) => {
      throw error instanceof ApiError ? faultAt(`endpoints[${index}]`, error) : error;
    });
    places.set(key, { url: checked.url, destination });
  });
  return places;
}

/** Checks the brokers of new sources as those of any source. Keys are UUIDs. */
async function vetSourcePlaces(ctx: WorkspaceContext, { sources = [] }: Body): Promise<Map<string, SourcePlace>> {
  const places = new Map<string, SourcePlace>();
  for (const [index, { sourceId, place }] of sources.entries()) {
    if (place === undefined) continue;
    await vetBrokers(ctx, place).catch((error: unknown) => {
      throw error instanceof ApiError ? faultAt(`sources[${index}]`, error, ['config', 'place']) : error;
    });
    places.set(fromId('src', sourceId) ?? '', place);
  }
  return places;
}

/** The same fault with its place in the body, where a destination has no config around it. */
function faultAt(
  place: string,
  { code, message, details = [] }: ApiError,
  [from, to]: [string, string] = ['config.', ''],
): ApiError {
  const isOfConfig = (text: string) => text.startsWith(from);
  const inPlace = (text: string) => `${place}.${isOfConfig(text) ? `${to}${text.slice(from.length)}` : text}`;
  const named = (text: string) => (isOfConfig(text) ? inPlace(text) : `${place}: ${text}`);
  const problems = details.map(({ field, message: rule, ...one }) => {
    return { ...one, field: inPlace(field), message: named(rule) };
  });
  return new ApiError(code, named(message), {}, problems);
}

/** The part of the plan that the body names. Refuses ids that are unknown there. */
function select(ctx: WorkspaceContext, { source, plan }: Compared, body: Body): Plan {
  const eventTypes = Array.isArray(body.eventTypes)
    ? body.eventTypes.map((id) => requireKnown(source.eventTypes, fromId('evt', id), 'Event type'))
    : body.eventTypes;
  const known = new Set([...source.endpoints.map(({ id }) => id), ...plan.endpoints.map((one) => one.endpointId)]);
  const given = new Map(
    body.endpoints?.map((one, index) => [
      requireKnown(known, fromId('ep', one.endpointId), 'Endpoint'),
      { one, index },
    ]),
  );
  const endpointIds = body.endpoints && [...given.keys()];
  const sourceIds = requireSources(source, body);
  const chosen = choose(plan, { settings: body.settings, eventTypes, endpointIds, sourceIds, prune: body.prune });
  requireSourcePlaces(chosen, body);
  for (const { change, endpointId, type } of chosen.endpoints) {
    if (change !== 'create') continue;
    requireCreatable(ctx, type);
    const kind = requireKind(type);
    const { one, index } = given.get(endpointId) ?? {};
    const urlField = `endpoints[${index}].url`;
    if (!kind.hasUrl && one?.url !== undefined)
      throw invalid(`${urlField} of a ${type} is given by the service`, urlField);
    for (const [name, isNeeded] of [
      ['url', kind.hasUrl],
      ['destination', hasDestination(kind)],
    ] as const) {
      const field = `endpoints[${index}].${name}`;
      if (isNeeded && one?.[name] === undefined)
        throw invalid(`${field} is required, because the endpoint is new`, field);
    }
  }
  return chosen;
}

/** The keys of the sources that the body names. */
function requireSources({ sources: known }: SetUp, { sources }: Body): string[] | undefined {
  const ids = sources?.map(({ sourceId }) =>
    requireKnown(new Set(known.map(({ id }) => id)), fromId('src', sourceId), 'Source'),
  );
  for (const [index, id] of (ids ?? []).entries()) {
    const field = `sources[${index}].sourceId`;
    if (ids?.indexOf(id) !== index) throw invalid(`${field} must not be given twice`, field);
  }
  return ids;
}

function requireSourcePlaces(chosen: Plan, { sources = [] }: Body): void {
  for (const { change, sourceId } of chosen.sources) {
    const index = sources.findIndex((one) => fromId('src', one.sourceId) === sourceId);
    const field = `sources[${index}].place`;
    if (change === 'create' && sources[index]?.place === undefined)
      throw invalid(`${field} is required, because the source is new`, field);
  }
}

function requireKnown(known: { has: (id: string) => boolean }, id: string | undefined, what: string): string {
  if (id === undefined || !known.has(id)) throw notFound(what);
  return id;
}

/** The audit entry names what changed. Only the answer has the values. */
function auditChanges({ settings, eventTypes, endpoints, sources }: Plan, from: string): Changes {
  const changes: Changes = { promotedFrom: { from: null, to: toId('env', from) }, ...settings };
  const note = (field: string, ids: string[]) => {
    if (ids.length > 0) changes[field] = { from: null, to: ids };
  };
  for (const [field, kind] of [
    ['published', 'publish'],
    ['unpublished', 'unpublish'],
    ['schemaModes', 'schema_mode'],
  ] as const) {
    note(
      field,
      eventTypes.filter(({ change }) => change === kind).map(({ eventTypeId }) => toId('evt', eventTypeId)),
    );
  }
  for (const [field, kind] of [
    ['created', 'create'],
    ['updated', 'update'],
    ['deleted', 'delete'],
  ] as const) {
    const ids = endpoints
      .filter(({ change }) => change === kind)
      .map(({ targetEndpointId: id }) => toId('ep', id ?? ''));
    note(`endpoints.${field}`, ids);
    const sourceIds = sources
      .filter(({ change }) => change === kind)
      .map((one) => toId('src', one.targetSourceId ?? ''));
    note(`sources.${field}`, sourceIds);
  }
  return changes;
}

/** A plan with public ids, as answers have it. */
function presentPlan(plan: Plan, { from, to }: { from: string; to: string }) {
  return {
    from: toId('env', from),
    to: toId('env', to),
    settings: plan.settings,
    eventTypes: plan.eventTypes.map((change) => ({ ...change, eventTypeId: toId('evt', change.eventTypeId) })),
    endpoints: plan.endpoints.map(presentEndpointChange),
    sources: plan.sources.map(({ change, sourceId, targetSourceId, fields }) => ({
      change,
      sourceId: toId('src', sourceId),
      targetSourceId: targetSourceId === null ? null : toId('src', targetSourceId),
      fields: fields as Record<string, { from: unknown; to: unknown }>,
    })),
  };
}

function presentEndpointChange({ change, endpointId, targetEndpointId, fields, subscriptions }: EndpointChange) {
  return {
    change,
    endpointId: toId('ep', endpointId),
    targetEndpointId: targetEndpointId === null ? null : toId('ep', targetEndpointId),
    fields: fields as Record<string, { from: unknown; to: unknown }>,
    subscriptions: presentSubscriptions(subscriptions),
  };
}

function presentSubscriptions({ add, remove, change }: SubscriptionChanges) {
  const named = ({ eventTypeId, name }: { eventTypeId: string; name: string }) => {
    return { eventTypeId: toId('evt', eventTypeId), ...namedEventType(name) };
  };
  return {
    add: add.map((one) => ({ ...named(one), filter: storedFilter.parse(one.filter) })),
    remove: remove.map((one) => ({ ...named(one), filter: storedFilter.parse(one.filter) })),
    change: change.map((one) => ({
      ...named(one),
      from: storedFilter.parse(one.from),
      to: storedFilter.parse(one.to),
    })),
  };
}

const storedFilter = z.record(z.string(), z.unknown()).nullable();
