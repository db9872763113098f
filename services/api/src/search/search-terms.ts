import { LIMITS } from '@posthorn/contract/limits';
import { Prisma } from '@posthorn/db/generated/client';
import { readSearchKeys } from '@posthorn/search/stored-keys';
import { type SealedSearchKey, type TokenKey, tokenOf } from '@posthorn/search/tokens';
import { OPERATIONAL_SEARCH_KEYS, readingsOf } from '@posthorn/search/values';
import { enterOnceAnHour } from '../deliveries/enter-view.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { ApiError, invalid } from '../transport/error.ts';
import { retentionMs } from '../workspaces/retention.ts';

/**
 * A searched value: its tokens, each with the name of a search key. An event has the value if it has one of the tokens.
 */
export type Term = ReadonlyMap<bigint, string>;

type Ctx = WorkspaceContext;

/** The most tokens that a search for one value looks up: each is looked up in every day of the retention. */
const MOST_TOKENS = 1_000;

/**
 * The values that a search looks for; undefined without a search. A caller who may not read payloads may not search
 * them. The audit log gets the names of the search keys, and never a value.
 */
export async function readTerms(
  ctx: Ctx,
  search: readonly string[] | undefined,
  environmentIds: readonly string[] | null,
): Promise<readonly Term[] | undefined> {
  if (search === undefined || search.length === 0) return undefined;
  if (ctx.workspace.plan === 'free') throw new ApiError('plan_required', 'A search needs the Pro plan or above');
  if (!ctx.sees.payloads) throw new ApiError('forbidden', 'A search needs the right to read payloads');
  const names = await readNames(ctx);
  const wanted = search.map((text) => meantBy(text, names));
  const keys = (await readSearchKeys(ctx.db, ctx.workspace.id)).map((key) => openKey(ctx, key));
  const environments = environmentIds ?? (await environmentsWithEvents(ctx));
  const places = keys.flatMap((key) => environments.map((environmentId) => ({ key, environmentId })));
  const terms = wanted.map(({ name, value }) => {
    const readings = (name === undefined ? [...names.keys()] : [name]).flatMap((one) =>
      readingsOf(one, value, names.get(one) ?? NO_FOLDS),
    );
    if (readings.length * places.length > MOST_TOKENS) throw tooManyTokens(name);
    return new Map(
      places.flatMap(({ key, environmentId }) =>
        readings.map((reading): [bigint, string] => [tokenOf(key, environmentId, reading), reading.name]),
      ),
    );
  });
  for (const resourceId of new Set(wanted.map(({ name }) => name ?? ANY_NAME))) {
    await enterOnceAnHour(ctx, 'payload.searched', { resourceType: 'search_key', resourceId });
  }
  return terms;
}

function openKey({ openSearchKey }: Ctx, sealed: SealedSearchKey): TokenKey {
  const key = openSearchKey(sealed);
  if (key === undefined) throw new ApiError('unavailable', 'The search key of the workspace cannot be opened now');
  return key;
}

const NO_FOLDS: ReadonlySet<boolean> = new Set();
/** Stands in the audit log for a search under every name. */
const ANY_NAME = '*';

/** The names of the search keys of the workspace, and whether they fold their texts. */
type Names = ReadonlyMap<string, ReadonlySet<boolean>>;

async function readNames({ db, workspace }: Ctx): Promise<Names> {
  const rows = await db.$queryRaw<{ name: string; fold: boolean }[]>`
    select distinct k.key->>'name' as name, (k.key->>'fold')::bool as fold
    from event_type t cross join lateral json_array_elements(t.search_keys) as k(key)
    where t.workspace_id = ${workspace.id}::uuid and t.search_keys is not null`;
  const names = new Map<string, Set<boolean>>();
  for (const { name, fold } of [...rows, ...OPERATIONAL_SEARCH_KEYS]) {
    names.set(name, (names.get(name) ?? new Set()).add(fold));
  }
  return names;
}

/** If the text before the first colon is no search key, the whole text is the value, under any name. */
function meantBy(text: string, names: Names): { name: string | undefined; value: string } {
  const colon = text.indexOf(':');
  const name = text.slice(0, Math.max(0, colon));
  if (names.has(name)) return { name, value: text.slice(colon + 1) };
  if (names.size > LIMITS.searchNames) throw tooManyNames();
  return { name: undefined, value: text };
}

function tooManyNames(): ApiError {
  return invalid(
    `search must name a search key, as name:value, because the workspace has many: a value without a name is looked for under at most ${LIMITS.searchNames} of them`,
    'search',
  );
}

function tooManyTokens(name: string | undefined): ApiError {
  const missing = name === undefined ? 'a search key, as name:value, or an environment' : 'an environment';
  return invalid(
    `search must name ${missing}: a value is looked for in at most ${MOST_TOKENS} combinations of search key and environment`,
    'search',
  );
}

/** The environments, also deleted ones within the retention: their events can still be read. */
async function environmentsWithEvents(ctx: Ctx): Promise<string[]> {
  const oldest = new Date(ctx.clock.now().getTime() - retentionMs(ctx));
  const where = { workspaceId: ctx.workspace.id, OR: [{ deletedAt: null }, { deletedAt: { gt: oldest } }] };
  return (await ctx.db.environment.findMany({ where, select: { id: true } })).map(({ id }) => id);
}

/** The condition that an event has all the values. */
export function hasTerms(terms: readonly Term[], eventId: Prisma.Sql): Prisma.Sql {
  const each = terms.map(
    (term) => Prisma.sql`exists (select from event_token t
      where t.event_id = ${eventId} and t.token = any(${[...term.keys()]}::bigint[]))`,
  );
  return Prisma.join([Prisma.sql`true`, ...each], ' and ');
}

type Range = { first: string; before: string };

/**
 * Reads the keys of the events that have the rarest of the values, newest first, at most `most` of them. `rest` has the
 * other values.
 */
export async function scanOfTerms(
  { listDb }: Ctx,
  terms: readonly Term[],
  { first, before, most }: Range & { most: number },
): Promise<{ scan: Prisma.Sql; rest: readonly Term[] }> {
  const tokensOfTerm = (term: Term) => Prisma.sql`unnest(${[...term.keys()]}::bigint[]) as k(token)
      cross join lateral (
        select event_id from event_token where token = k.token and event_id >= ${first}::uuid and event_id < ${before}::uuid
        order by event_id desc limit ${most}::int) t`;
  let rarest = 0;
  if (terms.length > 1) {
    const counts = terms.map(
      (term) => Prisma.sql`select count(*)::int as n from (select from ${tokensOfTerm(term)}) s`,
    );
    const rows = await listDb.$queryRaw<{ n: number }[]>`${Prisma.join(counts, ' union all ')}`;
    const least = Math.min(...rows.map(({ n }) => n));
    rarest = rows.findIndex(({ n }) => n === least);
  }
  const [term = NOTHING] = terms.slice(rarest);
  return {
    scan: Prisma.sql`select distinct t.event_id from ${tokensOfTerm(term)} order by t.event_id desc limit ${most}::int`,
    rest: terms.filter((one) => one !== term),
  };
}

const NOTHING: Term = new Map();

/** The names of the search keys under which each of these events was found. */
export async function namesFound(
  { listDb }: Ctx,
  terms: readonly Term[],
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const nameOf = new Map(terms.flatMap((term) => [...term]));
  const rows = await listDb.eventToken.findMany({
    where: { eventId: { in: [...eventIds] }, token: { in: [...nameOf.keys()] } },
  });
  const found = new Map<string, Set<string>>();
  for (const { eventId, token } of rows) {
    found.set(eventId, (found.get(eventId) ?? new Set()).add(nameOf.get(token) ?? ''));
  }
  return new Map([...found].map(([eventId, names]) => [eventId, [...names].sort()]));
}
