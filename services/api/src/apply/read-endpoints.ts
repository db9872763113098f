import type { DocumentEndpoint } from '@posthorn/contract/apply';
import { fromId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import { ApiError, notFound } from '../transport/error.ts';
import type { Environments } from './apply-environments.ts';
import type { Work } from './work.ts';

export type EndpointBefore = Awaited<ReturnType<typeof readRows>>[number];

/** An endpoint of the document, with the ids that its names stand for. */
export type NamedEndpoint = {
  one: DocumentEndpoint;
  environmentId: string;
  /** The ids of the event types that it names one by one, in their order. */
  eventTypeIds: ReadonlyMap<string, string>;
  /** The names of secrets that stay, although it gives no value. */
  kept?: KeptSecrets;
};

export type KeptSecrets = {
  secretHeaders?: readonly string[] | undefined;
  credentials?: readonly string[] | undefined;
};

/** An endpoint is known by its externalId in its environment. */
export function keyOf({ environment, externalId }: Pick<DocumentEndpoint, 'environment' | 'externalId'>): string {
  return `${environment} ${externalId}`;
}

/**
 * The endpoints that the document names, by `keyOf`. An endpoint without an externalId is named by its id. If another
 * endpoint has this id as its externalId, that one is meant: a document that was written from one workspace may be
 * applied to another.
 */
export async function readEndpoints(
  work: Work,
  environments: Environments,
): Promise<ReadonlyMap<string, EndpointBefore>> {
  const wanted = work.document.endpoints ?? [];
  const found: [string, EndpointBefore][] = [];
  for (const [slug, environmentId] of environments) {
    const names = wanted.filter(({ environment }) => environment === slug).map(({ externalId }) => externalId);
    const keys = await readKeys(work, environmentId, names);
    await refuseManySubscriptions(work, [...keys.keys()]);
    for (const row of await readRows(work, [...keys.keys()])) {
      found.push([keyOf({ environment: slug, externalId: keys.get(row.id) ?? '' }), row]);
    }
  }
  return new Map(found);
}

/** Reads one endpoint, which must exist. */
export async function readEndpoint(work: Reading, id: string): Promise<EndpointBefore> {
  const key = fromId('ep', id) ?? '';
  await refuseManySubscriptions(work, [key]);
  const [row] = await readRows(work, [key]);
  if (row === undefined) throw notFound('Endpoint');
  return row;
}

type Reading = Pick<Work, 'transaction'>;

/** The ids of the endpoints that other parts of the file name, and that `prune` leaves alone. */
export async function readKeptIds(work: Work, environments: Environments): Promise<string[]> {
  const ids: string[] = [];
  for (const [slug, names] of Object.entries(work.keep.endpoints ?? {})) {
    const environmentId = environments.get(slug);
    // The part that creates the environment comes later, or was a dry run.
    if (environmentId !== undefined) ids.push(...(await readKeys(work, environmentId, names)).keys());
  }
  return ids;
}

/** The endpoints of an environment that have one of the names: the name by the endpoint's id. */
async function readKeys(
  { ctx, transaction }: Work,
  environmentId: string,
  names: readonly string[],
): Promise<Map<string, string>> {
  const ids = names.flatMap((name) => fromId('ep', name) ?? []);
  const rows = await transaction.endpoint.findMany({
    where: {
      workspaceId: ctx.workspace.id,
      environmentId: fromId('env', environmentId) ?? '',
      deletedAt: null,
      OR: [{ externalId: { in: [...names] } }, { externalId: null, id: { in: ids } }],
    },
    select: { id: true, externalId: true },
  });
  const byExternalId = new Map(rows.map((row) => [row.externalId, row.id]));
  const unnamed = new Set(rows.filter(({ externalId }) => externalId === null).map(({ id }) => id));
  const keys = new Map<string, string>();
  for (const name of names) {
    const id = fromId('ep', name);
    const key = byExternalId.get(name) ?? (id !== undefined && unnamed.has(id) ? id : undefined);
    if (key !== undefined) keys.set(key, name);
  }
  return keys;
}

function readRows({ transaction }: Reading, ids: readonly string[]) {
  return transaction.endpoint.findMany({
    // A join would convert filters to jsonb, which refuses U+0000.
    relationLoadStrategy: 'query',
    where: { id: { in: [...ids] } },
    include: {
      secrets: true,
      application: { select: { externalId: true } },
      // Subscriptions that a pattern made are left out: they follow the pattern.
      subscriptions: { where: { pattern: null }, select: { filter: true, eventType: { select: { name: true } } } },
    },
  });
}

/** Limits the subscriptions, because they are compared in memory. */
async function refuseManySubscriptions({ transaction }: Reading, ids: readonly string[]): Promise<void> {
  const [size] = await transaction.$queryRaw<{ count: number; bytes: number }[]>`
    select count(*)::int as count, coalesce(sum(octet_length(filter::text)), 0)::float8 as bytes
    from subscription where endpoint_id = any(${[...ids]}::uuid[]) and pattern is null`;
  const { count = 0, bytes = 0 } = size ?? {};
  if (count <= LIMITS.comparedSubscriptions && bytes <= LIMITS.comparedBytes) return;
  throw new ApiError(
    'limit_reached',
    `The endpoints of a document have at most ${LIMITS.comparedSubscriptions} subscriptions with 8 MiB of filters: apply it in parts`,
  );
}
