import { toId } from '@posthorn/contract/ids';
import { openPayload } from '@posthorn/crypto/open-payload';
import { among } from '@posthorn/db/uuid-range';
import { z } from 'zod';
import type { Answer } from '../agents/answer.ts';
import { clip } from '../agents/answer.ts';
import { type Tool, tool } from '../agents/tool.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import type { Agent } from './agent.ts';

// Tools for an agent that is woken without the data of its event, or does not know any more what it has subscribed to. They
// show only what belongs to the agent's own subscriptions.

const MOST_EVENTS = 50;
const SHOWN_CHARACTERS = 2_000;

const noInput = z.strictObject({});
const recentInput = z.strictObject({
  name: z.string().max(255).describe('Only events of this name.').optional(),
  event_id: z.string().max(100).describe('Only this event: `msg_…`.').optional(),
  limit: z
    .int('must be a whole number from 1 to 50')
    .min(1, 'must be a whole number from 1 to 50')
    .max(MOST_EVENTS, 'must be a whole number from 1 to 50')
    .default(10)
    .describe('The most events of the answer, the newest first.'),
});

/** The tools of an agent. They ask no operation, so they need no rights of one. */
export function agentTools(ctx: WorkspaceContext, agent: Agent): readonly Tool[] {
  return [
    tool({
      name: 'my_subscriptions',
      title: 'List your subscriptions',
      description: 'The events that you are subscribed to, with their arguments, and until when.',
      needs: [],
      input: noInput,
      run: () => listOwn(ctx, agent),
    }),
    tool({
      name: 'recent_events',
      title: 'Read your newest events',
      description: 'The newest events that were sent to your subscriptions, or wait to be sent, with their data.',
      needs: [],
      input: recentInput,
      run: (_caller, given) => readRecent(ctx, agent, given),
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

type RecentRow = { eventId: string; eventType: string; status: string };

async function readRecent(
  ctx: WorkspaceContext,
  { environmentId, principal }: Agent,
  given: z.output<typeof recentInput>,
): Promise<Answer> {
  const rows = await ctx.inPageTurn(
    () => ctx.listDb.$queryRaw<RecentRow[]>`
      select distinct on (event_id) event_id as "eventId", event_type as "eventType", status::text from (
        select d.* from agent_subscription a cross join lateral (
          select event_id, event_type, status from delivery where endpoint_id = a.endpoint_id and not is_test
          order by id desc limit ${MOST_EVENTS}::int) d
        where a.environment_id = ${environmentId}::uuid and a.principal = ${principal}::text and a.ended_at is null) own
      where status in ('pending', 'delivering', 'delivered', 'scheduled_retry')
      order by event_id desc`,
  );
  const wanted = rows
    .filter(({ eventType }) => given.name === undefined || eventType === given.name)
    .filter(({ eventId }) => given.event_id === undefined || toId('msg', eventId) === given.event_id)
    .slice(0, given.limit);
  const ids = wanted.map(({ eventId }) => eventId);
  const stored =
    ids.length === 0
      ? []
      : await ctx.db.$queryRaw<{ id: string; payload: Uint8Array | null }[]>`
          select id, payload from event where ${among('id', ids)}`;
  const data = new Map(
    stored.map(({ id, payload }) => {
      const text = openPayload(ctx.sealingKeys, id, payload)?.toString('utf8') ?? '';
      return [toId('msg', id), clip(text, SHOWN_CHARACTERS)];
    }),
  );
  const events = wanted.map(({ eventId, eventType, status }) => ({
    event_id: toId('msg', eventId),
    name: eventType,
    status,
  }));
  return {
    lines: [
      events.length === 0 ? 'No event fits.' : `${events.length} events, the newest first:`,
      ...events.map(({ event_id, name, status }) => `- ${name} ${event_id}: ${status}`),
    ],
    facts: { events },
    untrusted: { data: Object.fromEntries(data) },
  };
}
