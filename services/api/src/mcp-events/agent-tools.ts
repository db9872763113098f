import { eventTypeName } from '@posthorn/contract/event-types';
import { fromId, toId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import { openPayload } from '@posthorn/crypto/open-payload';
import { Prisma } from '@posthorn/db/generated/client';
import { among } from '@posthorn/db/uuid-range';
import { deliveryIdsOf } from '@posthorn/ledger/delivery-id';
import { z } from 'zod';
import type { Answer } from '../agents/answer.ts';
import { clip } from '../agents/answer.ts';
import { type Tool, tool } from '../agents/tool.ts';
import { enterOnceAnHour } from '../deliveries/enter-view.ts';
import { isExpired } from '../deliveries/payload.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import type { Agent } from './agent.ts';

// Tools for an agent that is woken without the data of its event, or does not know any more what it has subscribed to. They
// show only what belongs to the agent's own subscriptions.

const MOST_EVENTS = 50;
const SHOWN_CHARACTERS = 2_000;
/** A larger payload is not read: the answer would have a small part of it. */
const MOST_PAYLOAD_BYTES = 16_384;
/** A delivery sorts by the time of its event, which may have waited for its time, and then for its fan-out. */
const HOURS_BEFORE = LIMITS.deliverAtHoursAhead + 1;

const noInput = z.strictObject({});
const recentInput = z.strictObject({
  name: eventTypeName.describe('The event type to return.').optional(),
  event_id: z.string().max(100).describe('The event to return, such as `msg_…`.').optional(),
  limit: z
    .int('must be a whole number from 1 to 50')
    .min(1, 'must be a whole number from 1 to 50')
    .max(MOST_EVENTS, 'must be a whole number from 1 to 50')
    .default(10)
    .describe('The maximum number of events to return, newest first.'),
});

/** The tools of an agent, for one message. They call no operation, so they need no right to one. */
export function agentTools(ctx: WorkspaceContext, agent: Agent): readonly Tool[] {
  // When an answer is too large, the tool runs again with a lower limit, on the events that were read already.
  let recent: Promise<readonly Recent[]> | undefined;
  return [
    tool({
      name: 'my_subscriptions',
      title: 'List your subscriptions',
      description: 'Lists the events that you are subscribed to, with their arguments and expiry.',
      needs: [],
      input: noInput,
      run: () => listOwn(ctx, agent),
    }),
    tool({
      name: 'recent_events',
      title: 'Read your newest events',
      description:
        'Returns the newest events that were sent to your subscriptions, or are waiting to be sent, with their data.',
      needs: [],
      input: recentInput,
      async run(_caller, given) {
        recent ??= readRecent(ctx, agent, given);
        return presentRecent((await recent).slice(0, given.limit));
      },
    }),
  ];
}

type OwnRow = { identity: string; eventType: string; arguments: object; url: string; expiresAt: Date };

async function listOwn({ db }: WorkspaceContext, { environmentId, principal }: Agent): Promise<Answer> {
  const rows = await db.$queryRaw<OwnRow[]>`
    select identity, event_type as "eventType", arguments, url, expires_at as "expiresAt" from agent_subscription
    where environment_id = ${environmentId}::uuid and principal = ${principal}::text and ended_at is null
      and expires_at > now()
    order by endpoint_id desc limit ${MOST_EVENTS}::int`;
  const shown = rows.map(({ identity, eventType, expiresAt }) => ({
    id: identity,
    name: eventType,
    refresh_before: expiresAt.toISOString(),
  }));
  return {
    lines: [
      rows.length === 0 ? 'You have no subscription.' : `Your ${rows.length} newest subscriptions:`,
      ...shown.map(({ id, name, refresh_before }) => `- ${name} (${id}), refresh before ${refresh_before}`),
    ],
    facts: { subscriptions: shown },
    untrusted: Object.fromEntries(rows.map((row) => [row.identity, { arguments: row.arguments, url: row.url }])),
  };
}

type Recent = {
  eventId: string;
  eventType: string;
  status: string;
  /** Why the data is not shown. */
  hidden: 'too_large' | 'plan_required' | undefined;
  data: string;
};

/** The newest events. The audit log names the environment of their payloads, once an hour for each agent. */
async function readRecent(
  ctx: WorkspaceContext,
  agent: Agent,
  given: z.output<typeof recentInput>,
): Promise<readonly Recent[]> {
  const recent = await findRecent(ctx, agent, given);
  if (recent.some(({ data }) => data !== '')) {
    // So few entries need no limit: they take nothing from the agent's subscriptions of the day.
    await enterOnceAnHour(ctx, 'payload.viewed', { resourceId: toId('env', agent.environmentId), countsAs: 0 });
  }
  return recent;
}

/** Reads events in one turn: their payloads are opened on the loop that also accepts events. */
function findRecent(
  ctx: WorkspaceContext,
  { environmentId, principal }: Agent,
  { name, event_id, limit }: z.output<typeof recentInput>,
): Promise<Recent[]> {
  const only = event_id === undefined ? undefined : fromId('msg', event_id);
  if (event_id !== undefined && only === undefined) return Promise.resolve([]);
  const range = only === undefined ? undefined : deliveryIdsOf(only);
  const own = Prisma.sql`select endpoint_id, (lpad(to_hex((extract(epoch
      from created_at - ${HOURS_BEFORE}::int * interval '1 hour') * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid as first
    from agent_subscription where environment_id = ${environmentId}::uuid and principal = ${principal}::text
      and ended_at is null and expires_at > now() ${name === undefined ? Prisma.empty : Prisma.sql`and event_type = ${name}::text`} offset 0`;
  const which =
    range === undefined
      ? Prisma.sql`and id >= a.first`
      : Prisma.sql`and id between ${range.lowest}::uuid and ${range.highest}::uuid and event_id = ${only}::uuid`;
  return ctx.inPageTurn(async () => {
    const rows = await ctx.listDb.$queryRaw<Pick<Recent, 'eventId' | 'eventType' | 'status'>[]>`
      select distinct on (event_id) event_id as "eventId", event_type as "eventType", status::text from (
        select d.* from (${own}) a cross join lateral (
          select event_id, event_type, status from delivery
          where endpoint_id = a.endpoint_id and not is_test ${which}
          order by id desc limit ${MOST_EVENTS}::int) d) newest
      where status in ('pending', 'delivering', 'delivered', 'scheduled_retry')
      order by event_id desc limit ${limit}::int`;
    if (rows.length === 0) return [];
    const ids = rows.map(({ eventId }) => eventId);
    if (ctx.workspace.plan === 'free') return rows.map((row) => ({ ...row, hidden: 'plan_required', data: '' }));
    const stored = await ctx.listDb.$queryRaw<{ id: string; isTooLarge: boolean; payload: Uint8Array | null }[]>`
      select id, payload_size > ${MOST_PAYLOAD_BYTES}::int as "isTooLarge",
        case when payload_size <= ${MOST_PAYLOAD_BYTES}::int then payload end as payload
      from event where ${among('id', ids)}`;
    const events = new Map(stored.map((row) => [row.id, row]));
    return rows.map((row) => {
      // A payload whose retention has ended is erased some seconds later.
      const stillKept = isExpired(ctx, row.eventId) ? undefined : events.get(row.eventId);
      const { isTooLarge = false, payload = null } = stillKept ?? {};
      const text = openPayload(ctx.sealingKeys, row.eventId, payload)?.toString('utf8') ?? '';
      return { ...row, hidden: isTooLarge ? 'too_large' : undefined, data: clip(text, SHOWN_CHARACTERS) };
    });
  });
}

const WHY_HIDDEN = {
  too_large: 'too large to be shown',
  plan_required: 'shown on the Pro plan or above',
} as const;

function presentRecent(recent: readonly Recent[]): Answer {
  const events = recent.map(({ eventId, eventType, status, hidden }) => ({
    event_id: toId('msg', eventId),
    name: eventType,
    status,
    ...(hidden === undefined ? {} : { data: hidden }),
  }));
  const data = recent.flatMap(({ eventId, hidden, data }) =>
    hidden === undefined ? [[toId('msg', eventId), data]] : [],
  );
  return {
    lines: [
      events.length === 0 ? 'No event fits.' : `${events.length} events, the newest first:`,
      ...events.map(
        ({ event_id, name, status, data }) =>
          `- ${name} ${event_id}: ${status}${data === undefined ? '' : `, its data is ${WHY_HIDDEN[data]}`}`,
      ),
    ],
    facts: { events },
    untrusted: { data: Object.fromEntries(data) },
  };
}
