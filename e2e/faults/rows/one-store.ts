import type { Rig } from '../rig.ts';
import { type Outcome, type Row, type Tools, WITHOUT_REDIS } from '../row.ts';
import { createInFlight, noneEnded, otherErrors } from './marks.ts';
import { loadWhile, readyAgain } from './restarts.ts';

const PER_SECOND = 50;
/** The lease of a killed process must expire first. A shorter timeout would not be that of production. */
const AGAIN_WITHIN_MS = 30_000;

/** Faults that exist only with Postgres alone. `--shape` also runs the other rows in that shape. */
export const oneStoreRows: readonly Row[] = [
  {
    name: 'unlogged-emptied',
    fault: `Postgres alone: the unlogged tables emptied 10 times at ${PER_SECOND} events/s and in 2,000 events`,
    pass: 'lost 0, duplicates 0, no 5xx, no process ends',
    shapes: WITHOUT_REDIS,
    rig: { shape: 'postgres' },
    run: empty,
  },
  {
    name: 'one-killed',
    fault: `two processes that are both services, one ended by SIGKILL 20 times at ${PER_SECOND} events/s and in 2,000 events`,
    pass: 'lost 0, duplicates ≤ in flight at each kill, expired leases attempted again ≤ 30 s',
    shapes: ['one'],
    rig: { shape: 'one' },
    run: kill,
  },
];

async function empty(rig: Rig, { random, scaled, say }: Tools): Promise<Outcome> {
  const times = scaled(10);
  const strikes = async () => {
    for (let n = 0; n < times; n += 1) {
      await rig.elapsed(random.whole(300, 1_500));
      await rig.redis.flush();
    }
    say(`emptied ${times} times`);
  };
  await Promise.all([loadWhile(rig.load, { perSecond: PER_SECOND }, strikes()), rig.load.burst(scaled(2_000))]);
  await rig.drain();
  return { duplicatesAtMost: 0, marks: [otherErrors(rig), noneEnded(rig)] };
}

async function kill(rig: Rig, { random, scaled, say }: Tools): Promise<Outcome> {
  const deaths = scaled(20);
  const inFlight = createInFlight(rig);
  const kills = async () => {
    for (let n = 0; n < deaths; n += 1) {
      await rig.elapsed(random.whole(300, 2_000));
      const victim = random.pick(rig.apis);
      await inFlight.note();
      await victim.kill();
      // The claims of the process stay in the table until their leases expire.
      await inFlight.note();
      await readyAgain(victim);
    }
    say(`killed ${deaths} times`);
  };
  await Promise.all([loadWhile(rig.load, { perSecond: PER_SECOND }, kills()), rig.load.burst(scaled(2_000))]);
  await rig.drain();
  return { duplicatesAtMost: inFlight.count(), retriesLateAtMostMs: AGAIN_WITHIN_MS, marks: [otherErrors(rig)] };
}
