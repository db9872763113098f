import { randomUUID } from 'node:crypto';
import { open, type SealingKeys } from '@posthorn/crypto/seal';
import type { ProbeJob } from '../jobs.ts';
import { createProbeOutcomes } from '../probe-outcomes.ts';
import { placesOfProbe } from '../probe-places.ts';
import type { Probes } from '../probes.ts';
import { idsOf } from './bus.ts';
import { HELD } from './held.ts';
import { placesOf, subjectOf } from './places.ts';
import { replyContext } from './probe-replies.ts';
import type { Shared } from './shared.ts';

type Options = Pick<Shared, 'db' | 'bus' | 'presence' | 'processId' | 'onError'> & { keys: SealingKeys };

/** Messages may be lost, so while somebody waits for a probe, its row is checked this often, too. */
const LOOKS_EVERY_MS = 500;

/**
 * A probe is a row. Messages tell a dispatcher that it exists, and this process that it has begun or ended. The reply
 * is sealed in the row, which is deleted when the reply is read.
 */
export function createProbes({ db, bus, presence, processId, keys, onError }: Options): Probes {
  const isTaken = async (probeId: string) => {
    const [row] = await db.$queryRaw<Found[]>`select id from probe where id = ${probeId}::uuid`;
    return row !== undefined;
  };
  const outcomes = createProbeOutcomes(async (probeId) => {
    try {
      // A probe that nobody has taken by now must never be taken.
      const removed = await db.$executeRaw`delete from probe where id = ${probeId}::uuid and taken_by is null`;
      return removed === 0 && (await isTaken(probeId));
    } catch {
      // Postgres is away, so nobody takes the probe in time.
      return false;
    }
  });
  const read = async (probeId: string) => {
    const [row] = await db.$queryRaw<{ reply: Uint8Array | null }[]>`
      delete from probe where id = ${probeId}::uuid and ended_at is not null returning reply`;
    if (row !== undefined) outcomes.end(probeId, { kind: 'replied', reply: openReply(keys, probeId, row.reply) });
  };
  const look = async () => {
    const waiting = outcomes.waiting();
    if (waiting.length === 0) return;
    const found = await db.$queryRaw<Found[]>`
      select id, ended_at is not null as "hasEnded" from probe where id = any(${waiting}::uuid[]) and taken_by is not null`;
    for (const { id } of found) outcomes.begun(id);
    await Promise.all(found.filter(({ hasEnded }) => hasEnded).map(({ id }) => read(id)));
  };
  const looking = setInterval(() => void look().catch(onError), LOOKS_EVERY_MS);
  looking.unref();
  const off = [
    bus.on('probe_begun', (body) => {
      for (const probeId of idsOf(body)) outcomes.begun(probeId);
    }),
    bus.on('probe_ended', (body) => {
      for (const probeId of idsOf(body)) read(probeId).catch(onError);
    }),
  ];
  /** Wakes one dispatcher, at random. The others find the probe a second later. */
  const wakeOne = () => {
    const dispatchers = presence.workers().filter(({ role, hasBus }) => hasBus && role === 'dispatcher');
    const one = dispatchers[Math.floor(Math.random() * dispatchers.length)];
    if (one !== undefined) bus.send(one.id, 'probe', new Uint8Array());
  };
  return {
    async admit(asked) {
      const holder = randomUUID();
      const places = placesOfProbe(asked);
      const subjects = places.map(({ name }) => subjectOf(`probes:${asked.ownerId}${name}`));
      const [row] = await db.$queryRaw<{ refusedBy: number | null; figure: number }[]>`
        select refused_by as "refusedBy", figure from admit_probe(${subjects[OWNER]}::uuid, ${subjects}::uuid[],
          ${places.map(({ most }) => most)}::int[], ${OWNER + 1}::int, ${holder}::uuid, ${asked.forgottenAfterMs},
          ${subjects[0]}::uuid, ${asked.pauseMs})`;
      if (row === undefined) throw new Error('the statement returned no row');
      const { refusedBy, figure } = row;
      if (refusedBy !== null)
        return { kind: 'refused', by: places[refusedBy - 1]?.by ?? 'pause', retryAfterMs: figure };
      const release = async () => {
        // If the release fails, the probe no longer counts after its time.
        await placesOf(db, HELD.probe, holder)
          .leave(subjects)
          .catch(() => undefined);
      };
      return { kind: 'admitted', ofOwner: figure, release };
    },
    async ask({ ofOwner }, task, { beginsWithinMs, endsWithinMs, now }) {
      if (outcomes.isClosed()) return { kind: 'not_begun' };
      const probeId = randomUUID();
      const [beginsByMs, endsByMs] = [now.getTime() + beginsWithinMs, now.getTime() + endsWithinMs];
      const data: ProbeJob = { ...task, probeId, replyTo: processId, beginsByMs, endsByMs };
      const outcome = outcomes.of(probeId, { beginsWithinMs, endsWithinMs });
      try {
        await db.$executeRaw`
          insert into probe (id, task, owner_rank, reply_to, begins_by, ends_by)
          values (${probeId}::uuid, ${JSON.stringify(data)}::json, ${ofOwner}::int, ${processId}::uuid,
            at_ms(${beginsByMs}), at_ms(${endsByMs}))`;
      } catch (error) {
        outcomes.end(probeId, { kind: 'not_begun' });
        throw error;
      }
      wakeOne();
      return outcome;
    },
    endWaits: outcomes.close,
    hasEnded: outcomes.isClosed,
    async close() {
      clearInterval(looking);
      for (const end of off) end();
      outcomes.close();
    },
  };
}

type Found = { id: string; hasEnded?: boolean };

/** The index of the owner's place among a probe's places. */
const OWNER = 2;

function openReply(keys: SealingKeys, probeId: string, reply: Uint8Array | null): unknown {
  if (reply === null) return null;
  const opened = open(keys, reply, replyContext(probeId));
  if (opened.kind === 'unreadable')
    throw new Error('the reply of a probe cannot be opened: do all services have the same SEALING_KEYS?');
  return JSON.parse(opened.plaintext.toString('utf8'));
}
