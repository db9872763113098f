import { workspacesInTurns } from '@posthorn/db/chosen-in-turns';
import type { DbTransaction } from '@posthorn/db/client';

/** An operational event as a trigger raised it, in the transaction of its cause. */
export type RaisedEvent = {
  workspaceId: string;
  environmentId: string;
  eventType: string;
  raisedAt: Date;
  /** The facts by their names in the payload: keys as UUIDs, times as Postgres writes them in JSON. */
  facts: Record<string, unknown>;
  /** The present search key of the workspace; null if it has none. */
  searchKeyId: string | null;
  searchKeySealed: Uint8Array | null;
};
/** `place` is the place of the workspace among those of its owner. */
type TakenEvent = RaisedEvent & { place: number };

/** Limits that leave room for other workspaces if one has many raised events. */
export const WORKSPACES_AT_ONCE = 20;
export const OF_WORKSPACE_AT_ONCE = 50;

/**
 * Deletes and returns raised events of the next workspaces after `after`, the oldest of each first. Owners of
 * workspaces take turns. Events that another process is taking are skipped.
 */
export async function takeRaised(transaction: DbTransaction, after: string): Promise<TakenEvent[]> {
  return transaction.$queryRaw<TakenEvent[]>`
    with recursive ${workspacesInTurns('operational_event', { after, most: WORKSPACES_AT_ONCE })}, chosen as materialized (
      select o.*, w.place from turn w cross join lateral (
        select workspace_id, raised_at, id from operational_event where workspace_id = w.workspace_id
        order by raised_at, id limit ${OF_WORKSPACE_AT_ONCE}::int for update skip locked) o
    )
    delete from operational_event o using chosen c
      left join workspace_search_key k on k.workspace_id = c.workspace_id and k.replaced_at is null
    where o.workspace_id = c.workspace_id and o.raised_at = c.raised_at and o.id = c.id
    returning o.workspace_id as "workspaceId", o.environment_id as "environmentId", o.event_type as "eventType",
      o.raised_at as "raisedAt", o.facts, c.place, k.id as "searchKeyId",
      k.sealed as "searchKeySealed"`;
}
