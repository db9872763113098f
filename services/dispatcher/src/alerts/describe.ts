import { toId } from '@posthorn/contract/ids';
import type { Db } from '@posthorn/db/client';
import { IN_LINE } from '@posthorn/ledger/waiting';
import { FAILURE_WORDS } from './failure-words.ts';
import { COUNTED_SUBJECTS, type Subject } from './subjects.ts';
import type { Described, More } from './words.ts';

/** The most subjects that are described one by one. For the others, the message says how many there are, and whose. */
const DESCRIBED_SUBJECTS = 10;
/** The most customers to name for the other subjects. */
const NAMED_CUSTOMERS = 5;
const WAITING_MOST = 10_000;
/** How many deliveries to search for the last failed attempt, at each end of the queue. */
const LOOKED_AT = 50;

/** Reads the facts that a message needs about its subjects. Every read is limited. */
export async function describeSubjects(db: Db, subjects: readonly Subject[]): Promise<Described[]> {
  const shown = subjects.slice(0, DESCRIBED_SUBJECTS);
  const ids = shown.flatMap(({ endpointId }) => endpointId ?? []);
  const endpoints = await db.endpoint.findMany({
    where: { id: { in: ids } },
    select: { id: true, url: true, application: { select: { name: true } } },
  });
  const described: Described[] = [];
  for (const { endpointId, facts, count } of shown) {
    const endpoint = endpoints.find(({ id }) => id === endpointId);
    described.push({
      facts,
      count,
      endpoint: endpoint ? { url: endpoint.url, customer: endpoint.application?.name ?? null } : null,
      waiting: endpointId === null ? 0 : await countWaiting(db, endpointId),
      reason: endpointId === null ? null : await lastFailure(db, endpointId),
    });
  }
  return described;
}

/** The subjects after the described ones: how many there are, and of which customers. Null if there are none. */
export async function describeMore(db: Db, subjects: readonly Subject[]): Promise<More | null> {
  const more = subjects.slice(DESCRIBED_SUBJECTS);
  if (more.length === 0) return null;
  const counts = new Map<string, number>();
  for (const { applicationId } of more) {
    if (applicationId !== null) counts.set(applicationId, (counts.get(applicationId) ?? 0) + 1);
  }
  const most = [...counts].sort(([, a], [, b]) => b - a).slice(0, NAMED_CUSTOMERS);
  const names = await db.application.findMany({
    where: { id: { in: most.map(([id]) => id) } },
    select: { id: true, name: true },
  });
  // A customer that was deleted meanwhile counts among the others.
  const customers = most.flatMap(([id, count]) => {
    const name = names.find((one) => one.id === id)?.name;
    return name === undefined ? [] : [{ name, count }];
  });
  const isLeast = subjects.length >= COUNTED_SUBJECTS;
  return { count: more.length, isLeast, customers, otherCustomers: counts.size - customers.length };
}

/** Counts the deliveries in the endpoint's line: they are due, and held back by its breaker or a limit. */
async function countWaiting(db: Db, endpointId: string): Promise<number> {
  const [row] = await db.$queryRaw<{ count: bigint }[]>`
    select count(*) as count from (
      select 1 from delivery d where d.endpoint_id = ${endpointId}::uuid and ${IN_LINE} limit ${WAITING_MOST}::int) w`;
  return Number(row?.count ?? 0);
}

async function lastFailure(db: Db, endpointId: string): Promise<string | null> {
  const [last] = await db.$queryRaw<{ errorCode: string | null; responseStatus: number | null }[]>`
    with tried as (
      (select d.id, d.total_attempts from delivery d where d.endpoint_id = ${endpointId}::uuid
        order by d.id desc limit ${LOOKED_AT}::int)
      union
      (select d.id, d.total_attempts from delivery d where d.endpoint_id = ${endpointId}::uuid and ${IN_LINE}
        order by d.due_at limit ${LOOKED_AT}::int)
    )
    select a.error_code as "errorCode", a.response_status as "responseStatus"
    from tried t cross join lateral (
      select error_code, response_status, started_at from attempt
      where delivery_id = t.id and not succeeded order by id desc limit 1) a
    where t.total_attempts > 0 order by a.started_at desc limit 1`;
  if (last === undefined) return null;
  // The status alone may mislead: a response may begin with 200 and never end, or come from a token endpoint.
  const words = last.errorCode === null ? undefined : FAILURE_WORDS[last.errorCode];
  return words ?? (last.responseStatus === null ? null : `it answered ${last.responseStatus}`);
}

type Page = { baseUrl: string; workspaceSlug: string; subjects: readonly Subject[]; environmentSlug: string | null };

/**
 * The page to open: that of the only endpoint, or the list that the message is about. Null for a rule of a portal,
 * because its customer opens the portal elsewhere.
 */
export function pageOf({ baseUrl, workspaceSlug, subjects, environmentSlug }: Page): string | null {
  const base = `${baseUrl.replace(/(?<!\/)\/+$/, '')}/w/${workspaceSlug}`;
  const [first] = subjects;
  if (first === undefined) return null;
  if (subjects.length === 1 && first.endpointId !== null) return `${base}/~/${toId('ep', first.endpointId)}`;
  return environmentSlug === null ? null : `${base}/${environmentSlug}/${listOf(first)}`;
}

function listOf({ endpointId, facts }: Subject): 'access' | 'sources' | 'operations' | 'endpoints' {
  if (facts.apiKeyId !== undefined) return 'access';
  if (facts.sourceId !== undefined) return 'sources';
  return endpointId === null && facts.operationId !== undefined ? 'operations' : 'endpoints';
}
