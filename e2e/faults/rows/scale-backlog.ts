import { randomBytes } from 'node:crypto';
import { toId } from '@posthorn/contract/ids';
import { insertBacklog } from '@posthorn/testkit/backlog';
import { waitFor } from '@posthorn/testkit/wait-for';
import { hashOf } from '../receivers.ts';
import type { Endpoint, Rig } from '../rig.ts';
import { uuidOf } from './interface-things.ts';

/** The keys for the settings of the rig. The row seals its payloads with the same keys. */
export const SEALING_KEYS = `row:${randomBytes(32).toString('base64')}`;

const BODY = JSON.stringify({ from: 'the backlog', pad: 'x'.repeat(200) });

/** Overdue rows in Postgres, as after a long outage of all dispatchers. */
export type Backlog = {
  /** Inserts the rows while no dispatcher runs, then starts the dispatchers again. */
  fill: (count: number) => Promise<void>;
  /** Resolves with the arrival time of the first delivery. */
  begun: () => Promise<number>;
  /** The number of arrivals between these moments, and the rate up to the last one. */
  arrived: (fromMs: number, toMs: number) => { count: number; perSecond: number };
  /** Deletes the deliveries that were not attempted, so that the row need not wait for them. */
  removeRest: () => Promise<number>;
  /** Adds the remaining events to those that the verdict judges. Call it when nothing is open. */
  account: () => Promise<void>;
};

export function createBacklog(rig: Rig, given: { environmentId: string; endpoints: readonly Endpoint[] }): Backlog {
  const { environmentId, endpoints } = given;
  const endpointIds = endpoints.map((endpoint) => endpoint.uuid);
  const names = new Set(endpoints.map((endpoint) => endpoint.name));
  return {
    async fill(count) {
      // Drain first: open deliveries would be late by the duration of the insert.
      await rig.drain();
      await Promise.all(rig.dispatchers.map((dispatcher) => dispatcher.stop()));
      // Inserts are not recorded as moves: a million of them would be read and judged.
      await rig.db.$executeRaw`alter table delivery disable trigger fault_move`;
      await insertBacklog({
        databaseUrl: rig.databaseUrl,
        sealingKeys: SEALING_KEYS,
        count,
        workspaceId: uuidOf('ws', rig.workspaceId),
        environmentId: uuidOf('env', environmentId),
        endpointIds,
        eventType: 'load.backlog',
        body: BODY,
      });
      await rig.db.$executeRaw`alter table delivery enable trigger fault_move`;
      // Autovacuum would already have done this for a backlog that grew over hours.
      await rig.db.$executeRaw`analyze delivery, event`;
      await Promise.all(rig.dispatchers.map((dispatcher) => dispatcher.start()));
    },
    begun: () => {
      const filledMs = Date.now();
      const first = () => rig.receivers.receipts.find(({ endpoint, atMs }) => names.has(endpoint) && atMs >= filledMs);
      return waitFor(first, { what: 'the backlog to move', timeoutMs: 60_000 }).then(({ atMs }) => atMs);
    },
    arrived(fromMs, toMs) {
      const times = rig.receivers.receipts
        .filter(({ endpoint, atMs }) => names.has(endpoint) && atMs >= fromMs && atMs <= toMs)
        .map(({ atMs }) => atMs);
      const firstMs = times[0] ?? toMs;
      return { count: times.length, perSecond: (times.length * 1_000) / Math.max(1, (times.at(-1) ?? toMs) - firstMs) };
    },
    removeRest: () =>
      rig.db.$executeRaw`
        delete from delivery where endpoint_id = any(${endpointIds}::uuid[]) and status = 'pending'
          and total_attempts = 0 and due_at is not null`,
    async account() {
      const rows = await rig.db.$queryRaw<{ event_id: string; endpoint_id: string }[]>`
        select event_id, endpoint_id from delivery where endpoint_id = any(${endpointIds}::uuid[])
          and event_type = 'load.backlog' and failure_reason is distinct from 'endpoint_deleted'`;
      const hash = hashOf(BODY);
      for (const row of rows) {
        const endpoint = endpoints.find(({ uuid }) => uuid === row.endpoint_id);
        const reaches = endpoint === undefined ? [] : [endpoint.name];
        rig.load.sent.push({ hash, endpoints: reaches, eventId: toId('msg', row.event_id), acceptedAtMs: Date.now() });
      }
    },
  };
}
