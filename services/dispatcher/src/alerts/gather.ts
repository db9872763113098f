import { afterTurns, workspacesInTurns } from '@posthorn/db/chosen-in-turns';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { Prisma } from '@posthorn/db/generated/client';
import { inTransaction } from '@posthorn/db/transaction';
import { NIL_UUID } from '@posthorn/db/uuid-range';
import { addRaised, isAbout, type RaisedAlert, type Subject } from './subjects.ts';

/** A workspace with many raised alerts leaves room for others. */
const WORKSPACES_AT_ONCE = 10;
const OF_WORKSPACE_AT_ONCE = 1_000;
const IDLE_MS = 500;
const MORE_MS = 20;

export type GatherDeps = {
  db: Db;
  /** How long a first alert waits for others of its kind, so that one message names all of them. */
  gatherMs: number;
};

/**
 * Creates a round that turns raised alerts into what each rule has to tell, and returns the delay before the next
 * round. However much was raised, a rule has one row for each kind of event. Owners of workspaces take turns.
 */
export function createGather({ db, gatherMs }: GatherDeps): () => Promise<number> {
  let after = NIL_UUID;
  return async () => {
    const taken = await inTransaction(db, async (transaction) => {
      const raised = await takeRaised(transaction, after);
      for (const [workspaceId, ofWorkspace] of byText(raised, (one) => one.workspaceId)) {
        await gatherWorkspace(transaction, { workspaceId, raised: ofWorkspace, gatherMs });
      }
      return raised;
    });
    const counts = [...byText(taken, (one) => one.workspaceId)].map(([id, rows]) => ({ id, count: rows.length }));
    const began = after;
    after = afterTurns(taken, WORKSPACES_AT_ONCE) ?? NIL_UUID;
    const isFull = counts.length >= WORKSPACES_AT_ONCE;
    return began !== after || isFull || counts.some(({ count }) => count === OF_WORKSPACE_AT_ONCE) ? MORE_MS : IDLE_MS;
  };
}

/** `place` is the place of the workspace among those of its owner. */
type Taken = RaisedAlert & { place: number };

async function takeRaised(transaction: DbTransaction, after: string): Promise<Taken[]> {
  return transaction.$queryRaw<Taken[]>`
    with recursive ${workspacesInTurns('raised_alert', { after, most: WORKSPACES_AT_ONCE })}, chosen as materialized (
      select o.*, w.place from turn w cross join lateral (
        select workspace_id, raised_at, id from raised_alert where workspace_id = w.workspace_id
        order by raised_at, id limit ${OF_WORKSPACE_AT_ONCE}::int for update skip locked) o
    )
    delete from raised_alert o using chosen c
    where o.workspace_id = c.workspace_id and o.raised_at = c.raised_at and o.id = c.id
    returning o.workspace_id as "workspaceId", o.environment_id as "environmentId", o.application_id as "applicationId",
      o.endpoint_id as "endpointId", o.event_type as "eventType", o.raised_at as "raisedAt", o.facts, c.place`;
}

type OfWorkspace = { workspaceId: string; raised: RaisedAlert[]; gatherMs: number };
type Rule = { id: string; applicationId: string | null; environmentId: string | null; events: string[] };
type Part = { ruleId: string; eventType: string; raised: RaisedAlert[] };

async function gatherWorkspace(
  transaction: DbTransaction,
  { workspaceId, raised, gatherMs }: OfWorkspace,
): Promise<void> {
  const applicationIds = [...new Set(raised.flatMap(({ applicationId }) => applicationId ?? []))];
  const rules: Rule[] = await transaction.alertRule.findMany({
    where: {
      workspaceId,
      confirmDigest: null,
      OR: [{ applicationId: null }, { applicationId: { in: applicationIds } }],
    },
    select: { id: true, applicationId: true, environmentId: true, events: true },
  });
  const parts = partsOf(rules, raised);
  if (parts.length === 0) return;
  const pairs = Prisma.sql`unnest(${parts.map(({ ruleId }) => ruleId)}::uuid[],
    ${parts.map(({ eventType }) => eventType)}::text[])`;
  // Use the same order everywhere, so that two dispatchers cannot deadlock.
  await transaction.$executeRaw`
    insert into alert_state (rule_id, event_type, workspace_id)
    select p.rule_id, p.event_type, ${workspaceId}::uuid from ${pairs} as p(rule_id, event_type)
    join alert_rule r on r.id = p.rule_id
    order by p.rule_id, p.event_type on conflict do nothing`;
  const states = await transaction.$queryRaw<{ ruleId: string; eventType: string; subjects: Subject[] }[]>`
    select s.rule_id as "ruleId", s.event_type as "eventType", s.subjects from alert_state s
    join ${pairs} as p(rule_id, event_type) on p.rule_id = s.rule_id and p.event_type = s.event_type
    order by s.rule_id, s.event_type for update of s`;
  const subjects = states.map(({ ruleId, eventType, subjects: known }) => {
    const part = parts.find((one) => one.ruleId === ruleId && one.eventType === eventType);
    const rule = rules.find(({ id }) => id === ruleId);
    // The rule may have been moved to another environment or application since.
    const kept = rule === undefined ? known : known.filter((subject) => isAbout(rule, subject));
    return { ruleId, eventType, count: part?.raised.length ?? 0, subjects: addRaised(kept, part?.raised ?? []) };
  });
  await transaction.$executeRaw`
    update alert_state s set subjects = p.subjects, occurrences = s.occurrences + p.count,
      first_at = coalesce(s.first_at, now()),
      due_at = coalesce(s.due_at, greatest(now() + make_interval(secs => ${gatherMs / 1_000}::float8), s.quiet_until))
    from unnest(${subjects.map(({ ruleId }) => ruleId)}::uuid[], ${subjects.map(({ eventType }) => eventType)}::text[],
      ${subjects.map((one) => JSON.stringify(one.subjects))}::jsonb[], ${subjects.map(({ count }) => count)}::int[])
      as p(rule_id, event_type, subjects, count)
    where s.rule_id = p.rule_id and s.event_type = p.event_type`;
}

/** For each rule and kind of event, in key order, the alerts that were raised for it. */
function partsOf(rules: readonly Rule[], raised: readonly RaisedAlert[]): Part[] {
  const kinds = byText(raised, ({ eventType }) => eventType);
  const parts = rules.flatMap((rule) =>
    rule.events.map((eventType) => ({
      ruleId: rule.id,
      eventType,
      raised: (kinds.get(eventType) ?? []).filter((one) => isAbout(rule, one)),
    })),
  );
  return parts.filter((part) => part.raised.length > 0);
}

function byText<Item>(items: readonly Item[], textOf: (item: Item) => string): Map<string, Item[]> {
  const found = new Map<string, Item[]>();
  for (const item of items) {
    const key = textOf(item);
    const present = found.get(key);
    if (present === undefined) found.set(key, [item]);
    else present.push(item);
  }
  return found;
}
