import { LIMITS } from '@posthorn/contract/limits';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { configOf } from '../sources/sources.ts';
import { storedPatterns } from '../subscriptions/patterns.ts';
import { ApiError, notFound } from '../transport/error.ts';
import type { SetUp } from './compare.ts';

type Store = Pick<Db | DbTransaction, '$queryRaw' | 'endpoint' | 'environment' | 'eventType' | 'source'>;
type Place = { workspaceId: string; environmentId: string };

/**
 * Reads the parts of an environment that are compared. `limit_reached` if they are more than one answer should hold;
 * nothing of it is read then.
 */
export async function readSetUp(db: Store, place: Place): Promise<SetUp> {
  await requireComparable(db, place);
  const { workspaceId, environmentId } = place;
  const settings = await db.environment.findUnique({
    where: { id: environmentId, workspaceId },
    select: { requireApplication: true },
  });
  if (settings === null) throw notFound('Environment');
  const [types, endpoints] = [await readEventTypes(db, place), await readEndpoints(db, place)];
  const sources = await db.source.findMany({
    where: { workspaceId, environmentId },
    orderBy: { id: 'asc' },
    select: { id: true, promotedFrom: true, name: true, config: true },
    take: LIMITS.sourcesPerWorkspace,
  });
  const promotedIds = endpoints.flatMap(({ promotedFrom }) => (promotedFrom === null ? [] : [promotedFrom]));
  const originals = await db.endpoint.findMany({
    where: { id: { in: promotedIds }, workspaceId },
    select: { id: true, environmentId: true },
  });
  const environmentOf = new Map(originals.map((original) => [original.id, original.environmentId]));
  return {
    environmentId,
    settings,
    eventTypes: new Map(
      types.map(({ id, name, published, schemaModes }) => [
        id,
        { name, published: published.length > 0, schemaMode: schemaModes[0]?.mode ?? 'off' },
      ]),
    ),
    sources: sources.map(({ config, ...source }) => ({ ...source, config: configOf({ config }) })),
    endpoints: endpoints.map(({ id, type, promotedFrom, subscriptions, eventTypePatterns, ...fields }) => ({
      id,
      type,
      promotedFrom:
        promotedFrom === null ? null : { id: promotedFrom, environmentId: environmentOf.get(promotedFrom) ?? '' },
      fields: { ...fields, eventTypePatterns: storedPatterns({ eventTypePatterns }) },
      subscriptions: new Map(
        subscriptions.map(({ eventTypeId, eventType, ...made }) => [eventTypeId, { name: eventType.name, ...made }]),
      ),
    })),
  };
}

function readEventTypes(db: Store, { workspaceId, environmentId }: Place) {
  return db.eventType.findMany({
    where: { workspaceId },
    orderBy: { id: 'asc' },
    select: {
      ...{ id: true, name: true },
      published: { where: { environmentId }, select: { eventTypeId: true } },
      schemaModes: { where: { environmentId }, select: { mode: true } },
    },
    take: LIMITS.eventTypesPerWorkspace,
  });
}

function readEndpoints(db: Store, { workspaceId, environmentId }: Place) {
  return db.endpoint.findMany({
    // A join would convert filters to jsonb, which refuses U+0000.
    relationLoadStrategy: 'query',
    where: { workspaceId, environmentId, applicationId: null, deletedAt: null, isTemporary: false },
    orderBy: { id: 'asc' },
    select: {
      ...{ id: true, type: true, promotedFrom: true, description: true, config: true, metadata: true },
      eventTypePatterns: true,
      subscriptions: {
        orderBy: { eventTypeId: 'asc' },
        select: { eventTypeId: true, filter: true, pattern: true, eventType: { select: { name: true } } },
      },
    },
    take: LIMITS.comparedEndpoints,
  });
}

type Size = { endpoints: number; subscriptions: number; bytes: number };

async function requireComparable(db: Store, { workspaceId, environmentId }: Place): Promise<void> {
  const [size] = await db.$queryRaw<Size[]>`
    select count(*)::int as endpoints, coalesce(sum(s.count), 0)::int as subscriptions,
      coalesce(sum(p.bytes + s.bytes), 0)::float8 as bytes
    from (
      select id, octet_length(config::text) + octet_length(metadata::text) + octet_length(description)
        + coalesce(octet_length(event_type_patterns::text), 0) as bytes
      from endpoint where environment_id = ${environmentId}::uuid and workspace_id = ${workspaceId}::uuid
        and application_id is null and deleted_at is null and not is_temporary limit ${LIMITS.comparedEndpoints + 1}::int) p
    cross join lateral (
      select count(*) as count, coalesce(sum(octet_length(filter::text)), 0) as bytes
      from subscription where endpoint_id = p.id) s`;
  const { endpoints = 0, subscriptions = 0, bytes = 0 } = size ?? {};
  const refuse = (limit: string) => {
    throw new ApiError(
      'limit_reached',
      `An environment with more than ${limit} endpoints of the workspace itself cannot be compared`,
    );
  };
  if (endpoints > LIMITS.comparedEndpoints) refuse(`${LIMITS.comparedEndpoints}`);
  if (subscriptions > LIMITS.comparedSubscriptions) refuse(`${LIMITS.comparedSubscriptions} subscriptions`);
  if (bytes > LIMITS.comparedBytes) refuse('8 MiB of config, metadata and filters');
}
