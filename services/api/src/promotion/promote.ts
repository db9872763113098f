import { fieldPath } from '@posthorn/contract/field-path';
import { fromId, toId } from '@posthorn/contract/ids';
import type { promoteBody } from '@posthorn/contract/promotion';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { hasDestination, kindOf, requireKind } from '@posthorn/destinations/kinds';
import type { z } from 'zod';
import type { Changes } from '../audit/change.ts';
import { requireCreatable } from '../endpoint-types/creatable-types.ts';
import { endpointKeyOf } from '../endpoints/endpoint-reference.ts';
import { vetDestination } from '../endpoints/vet-destination.ts';
import { requireEnvironment } from '../environments/environments.ts';
import { refuseDeletedType } from '../event-types/event-types.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { invalid, notFound } from '../transport/error.ts';
import { lockWorkspace } from '../workspaces/lock.ts';
import { applyPlan } from './apply-plan.ts';
import { choose } from './choose.ts';
import { compare, type Plan, type SetUp } from './compare.ts';
import { presentPlan } from './present-plan.ts';
import { readSetUp } from './read-set-up.ts';

export type Pair = { a: string; b: string };
type Body = z.output<typeof promoteBody>;

/** What would make the environment `b` like `a`. */
export async function diffEnvironments(ctx: WorkspaceContext, pair: Pair) {
  const compared = await compareEnvironments(ctx, ctx.listDb, pair);
  return presentPlan(compared.plan, compared);
}

/** Makes `b` like `a` in what the body names, in one transaction. With `dryRun` it only tells what it would change. */
export async function promote(ctx: WorkspaceContext, pair: Pair, given: Body) {
  const { from } = await requirePair(ctx, ctx.db, pair);
  const body = await withEndpointIds(ctx, given, from);
  const urls = await vetUrls(ctx, body);
  await vetDestinations(ctx, body);
  if (body.dryRun) {
    // The look-ups hold no turn of large reads.
    const compared = await ctx.inListTurn(() => compareEnvironments(ctx, ctx.listDb, pair));
    return { applied: presentPlan(select(ctx, compared, body, urls), compared) };
  }
  return ctx
    .change('environment.promoted', async (transaction) => {
      await lockWorkspace(transaction, ctx.workspace.id);
      const { to } = await requirePair(ctx, transaction, pair);
      await lockTargets(transaction, to);
      const compared = await compareEnvironments(ctx, transaction, pair);
      const chosen = select(ctx, compared, body, urls);
      const destinations = destinationsOf(body);
      const { applied, cascade } = await applyPlan(ctx, transaction, chosen, { environmentId: to, urls, destinations });
      const isNoop = applied.eventTypes.length + applied.endpoints.length + Object.keys(applied.settings).length === 0;
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

/** In the order of their keys, so that two promotions and an edit of an endpoint cannot wait for each other. */
async function lockTargets(transaction: DbTransaction, environmentId: string): Promise<void> {
  await transaction.$queryRaw`
    select 1 from endpoint where environment_id = ${environmentId}::uuid and promoted_from is not null
      and deleted_at is null order by id for no key update`;
}

/** All workspaces share the look-ups of a process, and a name server may delay each of them. */
const LOOKUPS_AT_ONCE = 20;

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

/** By the key of the promoted endpoint, its URL by the address rules. */
async function vetUrls(ctx: WorkspaceContext, { endpoints = [] }: Body): Promise<Map<string, string>> {
  const urls = new Map<string, string>();
  const vet = async ({ endpointId, url }: (typeof endpoints)[number], index: number) => {
    if (url === undefined) return;
    const verdict = await ctx.vetUrl(url);
    if (verdict.kind === 'refused') {
      throw invalid(`endpoints[${index}]: ${verdict.message}`, `endpoints[${index}].url`, verdict.rule);
    }
    urls.set(fromId('ep', endpointId) ?? '', verdict.url);
  };
  for (let start = 0; start < endpoints.length; start += LOOKUPS_AT_ONCE) {
    const some = endpoints.slice(start, start + LOOKUPS_AT_ONCE);
    await Promise.all(some.map((one, index) => vet(one, start + index)));
  }
  return urls;
}

/** Refuses the place of a new endpoint that may not be reached. Whether it has the form of its kind is checked with the plan. */
async function vetDestinations(ctx: WorkspaceContext, { endpoints = [] }: Body): Promise<void> {
  if (endpoints.every(({ destination }) => destination === undefined)) return;
  const keys = endpoints.flatMap(({ endpointId }) => fromId('ep', endpointId) ?? []);
  const where = { workspaceId: ctx.workspace.id, id: { in: keys } };
  const rows = await ctx.db.endpoint.findMany({ where, select: { id: true, type: true }, take: keys.length });
  const types = new Map(rows.map(({ id, type }) => [toId('ep', id), type]));
  const vet = async ({ endpointId, destination }: (typeof endpoints)[number], index: number) => {
    const kind = kindOf(types.get(endpointId) ?? '');
    if (destination === undefined || kind?.section?.schema.safeParse(destination).success !== true) return;
    await vetDestination(ctx, kind, { destination }, `endpoints[${index}].destination`);
  };
  for (let start = 0; start < endpoints.length; start += LOOKUPS_AT_ONCE) {
    const some = endpoints.slice(start, start + LOOKUPS_AT_ONCE);
    await Promise.all(some.map((one, index) => vet(one, start + index)));
  }
}

/** The part of the plan that the body names; what it names wrongly is refused. */
function select(
  ctx: WorkspaceContext,
  { source, plan }: Compared,
  body: Body,
  urls: ReadonlyMap<string, string>,
): Plan {
  const eventTypes = Array.isArray(body.eventTypes)
    ? body.eventTypes.map((id) => requireKnown(source.eventTypes, fromId('evt', id), 'Event type'))
    : body.eventTypes;
  const known = new Set([...source.endpoints.map(({ id }) => id), ...plan.endpoints.map((one) => one.endpointId)]);
  const endpointIds = body.endpoints?.map(({ endpointId }) =>
    requireKnown(known, fromId('ep', endpointId), 'Endpoint'),
  );
  const chosen = choose(plan, { settings: body.settings, eventTypes, endpointIds, prune: body.prune });
  for (const { change, endpointId, type } of chosen.endpoints) {
    if (change !== 'create') continue;
    requireCreatable(ctx, type);
    const place = `endpoints[${endpointIds?.indexOf(endpointId)}].url`;
    const { hasUrl } = requireKind(type);
    if (!hasUrl && urls.has(endpointId)) throw invalid(`${place} of a ${type} is given by the service`, place);
    if (hasUrl && !urls.has(endpointId)) throw invalid(`${place} is required, because the endpoint is new`, place);
  }
  checkDestinations(chosen, body, source);
  return chosen;
}

/** By the key of the promoted endpoint, the place of the new one where its kind has no URL. */
function destinationsOf({ endpoints = [] }: Body): Map<string, Record<string, unknown>> {
  return new Map(
    endpoints.flatMap(({ endpointId, destination }) =>
      destination === undefined ? [] : [[fromId('ep', endpointId) ?? '', destination]],
    ),
  );
}

/** A place is used where an endpoint is created, and nowhere else: a promotion moves no endpoint. */
function checkDestinations(chosen: Plan, { endpoints = [] }: Body, source: SetUp): void {
  for (const [index, { endpointId, destination }] of endpoints.entries()) {
    const place = `endpoints[${index}].destination`;
    const key = fromId('ep', endpointId);
    const change = chosen.endpoints.find((one) => one.endpointId === key);
    const kind = kindOf(change?.type ?? source.endpoints.find(({ id }) => id === key)?.type ?? '');
    if (kind === undefined || kind.section === null || !hasDestination(kind)) {
      if (destination !== undefined) throw invalid(`${place} is only for an endpoint of a type that has one`, place);
      continue;
    }
    if (change?.change !== 'create') continue;
    if (destination === undefined) throw invalid(`${place} is required, because the endpoint is new`, place);
    const { error, data } = kind.section.schema.safeParse(destination);
    const [fault] = error?.issues ?? [];
    if (fault !== undefined)
      throw invalid(`${fieldPath([...placePath(index), ...fault.path])} ${fault.message}`, place);
    const wrong = kind.faultOf?.(data);
    if (wrong !== undefined) throw invalid(`${place}.${wrong.field} ${wrong.message}`, `${place}.${wrong.field}`);
  }
}

const placePath = (index: number): PropertyKey[] => ['endpoints', index, 'destination'];

function requireKnown(known: { has: (id: string) => boolean }, id: string | undefined, what: string): string {
  if (id === undefined || !known.has(id)) throw notFound(what);
  return id;
}

/** The entry names what changed. The answer has the values. */
function auditChanges({ settings, eventTypes, endpoints }: Plan, from: string): Changes {
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
  }
  return changes;
}
