import type { Rig } from '../rig.ts';
import type { Mark, Tools } from '../row.ts';
import { inTurns } from './ask.ts';

const AT_ONCE = 8;
const SAID = 10;

/**
 * Sends the request of each case, several at a time. `judge` describes a wrong response. The marks: no response was
 * wrong, and no request changed anything.
 */
export async function askEach<Case>(
  rig: Rig,
  { cases, say, what }: { cases: readonly Case[]; say: Tools['say']; what: string },
  judge: (one: Case, index: number) => Promise<string | undefined>,
): Promise<Mark[]> {
  await rig.drain();
  const before = await rowsOf(rig);
  const wrong = (await inTurns(cases, AT_ONCE, judge)).filter((one) => one !== undefined);
  for (const one of wrong.slice(0, SAID)) say(one);
  const after = await rowsOf(rig);
  if (after !== before) say(`before ${before}, after ${after}`);
  return [
    { what, value: wrong.length, atMost: 0 },
    { what: 'changes', value: after === before ? 0 : 1, atMost: 0 },
  ];
}

/** The row counts of the resource tables and the audit log. They stay equal if nothing was changed. */
async function rowsOf(rig: Rig): Promise<string> {
  const rows = await rig.db.$queryRaw<object[]>`
    select (select count(*) from audit_entry)::int as audit, (select count(*) from workspace)::int as workspaces,
      (select count(*) from environment where deleted_at is null)::int as environments,
      (select count(*) from event_type)::int as types, (select count(*) from published_event_type)::int as published,
      (select count(*) from application where deleted_at is null)::int as applications,
      (select count(*) from endpoint where deleted_at is null)::int as endpoints,
      (select sum(version) from endpoint)::int as versions, (select count(*) from subscription)::int as subscriptions,
      (select count(*) from signing_secret)::int as secrets, (select count(*) from api_key)::int as keys,
      (select count(*) from management_token)::int as tokens, (select count(*) from member)::int as members,
      (select count(*) from portal_session)::int as portals, (select count(*) from session)::int as sessions,
      (select count(*) from event)::int as events, (select count(*) from delivery)::int as deliveries`;
  return JSON.stringify(rows);
}
