import { createHash } from 'node:crypto';
import type { Db } from '@posthorn/db/client';

/** How long a place is held after its last renewal. */
const HELD_MS = 30_000;
export const RENEW_EVERY_MS = 10_000;
/** Other processes look for listeners twice a second, and a look takes some time, too. */
const HEARD_MS = 300;

/** The places of one kind for this holder, each at a subject. `hold` holds places for `HELD_MS` from now on. */
export function placesOf(db: Db, kind: number, holder: string) {
  return {
    async hold(subjects: readonly string[]): Promise<void> {
      if (subjects.length === 0) return;
      await db.$executeRaw`
        select hold_place(${kind}::smallint, subject, ${holder}::uuid, ${HELD_MS}) from unnest(${subjects}::uuid[]) as t(subject)`;
    },
    async leave(subjects: readonly string[]): Promise<void> {
      if (subjects.length === 0) return;
      await db.$executeRaw`
        delete from held where kind = ${kind}::smallint and subject = any(${subjects}::uuid[]) and holder = ${holder}::uuid`;
    },
  };
}

/**
 * Resolves once the other processes know about a place that is held now, if they look in time, and have had some time
 * to answer. It waits twice: after a pause of this process, a single longer wait might end before they look.
 */
export async function untilHeard(answersWithinMs = 0): Promise<void> {
  for (const ms of [HEARD_MS, HEARD_MS + answersWithinMs]) await new Promise((resolve) => setTimeout(resolve, ms));
}

/** The id of a subject that has only a name. */
export function subjectOf(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 32);
}
