import { newUuid } from '@posthorn/contract/ids';
import { chosenInTurns } from '@posthorn/db/chosen-in-turns';
import type { Db } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import type { Clock } from '@posthorn/runtime/clock';
import type { Subject } from './subjects.ts';

/** The content of a message, by ids. */
export type Told = { subjects: Subject[]; occurrences: number; firstAt: string };

const AT_ONCE = 100;
/** The limit of an owner, so that one with much to tell leaves room for others. */
const OF_OWNER_AT_ONCE = 20;
const IDLE_MS = 500;

type Due = {
  ruleId: string;
  workspaceId: string;
  eventType: string;
  subjects: Subject[];
  occurrences: bigint;
  firstAt: Date;
};

/**
 * Turns due alerts into messages, and begins the quiet time of their rule and kind, in one transaction, so that there
 * is exactly one message. Owners of workspaces take turns. Returns the delay before the next round.
 */
export async function tellDue(db: Db, clock: Clock): Promise<number> {
  const count = await inTransaction(db, async (transaction) => {
    const due = await transaction.$queryRaw<Due[]>`
      with recursive ${chosenInTurns('alert_state', { ofOwner: OF_OWNER_AT_ONCE, most: AT_ONCE })}, due as materialized (
        select s.*, r.quiet_minutes from chosen c join alert_state s on s.rule_id = c.rule_id and s.event_type = c.event_type
        join alert_rule r on r.id = s.rule_id
        for no key update of s -- reads what was gathered since the statement began
      )
      update alert_state s set subjects = '[]', occurrences = 0, first_at = null, due_at = null,
        quiet_until = now() + make_interval(mins => d.quiet_minutes)
      from due d where s.rule_id = d.rule_id and s.event_type = d.event_type
      returning s.rule_id as "ruleId", s.workspace_id as "workspaceId", s.event_type as "eventType", d.subjects,
        d.occurrences, d.first_at as "firstAt"`;
    await transaction.outgoingAlert.createMany({
      data: due.map(({ ruleId, workspaceId, eventType, subjects, occurrences, firstAt }) => {
        const content = { subjects, occurrences: Number(occurrences), firstAt: firstAt.toISOString() } satisfies Told;
        return {
          id: newUuid(clock.now()),
          ruleId,
          workspaceId,
          eventType,
          content: JSON.parse(JSON.stringify(content)),
        };
      }),
    });
    return due.length;
  });
  // Fewer than that from one owner may be all there is in a round.
  return count >= OF_OWNER_AT_ONCE ? 0 : IDLE_MS;
}
