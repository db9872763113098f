import type { Member } from '../member.ts';
import type { Rig } from '../rig.ts';
import type { Row, Tools } from '../row.ts';
import { createInFlight } from './marks.ts';
import { loadWhile, readyAgain } from './restarts.ts';

const AGAIN_WITHIN_MS = 30_000;

/** The steps of a delivery at which its dispatcher dies, and the functions that cause the death. */
const steps: Record<string, (rig: Rig, victim: Member) => Promise<void>> = {
  claimed: (_rig, victim) => dieAt(victim, 'claim', 'after'),
  sent: (rig, victim) => dieOfReceipt(rig, victim),
  answered: (_rig, victim) => dieAt(victim, 'settle', 'before'),
  settled: (_rig, victim) => dieAt(victim, 'settle', 'after'),
};

export const crashPointRows: readonly Row[] = [
  {
    name: 'dispatcher-dies-at-steps',
    fault: 'the only dispatcher dies 5 times after each step: claim, request, answer, settle',
    pass: 'lost 0, duplicates ≤ in flight at each death, expired leases attempted again ≤ 30 s after it is ready again',
    // One dispatcher, so that the sender of a request is known.
    rig: { dispatchers: 1 },
    run: dieAtSteps,
  },
];

async function dieAtSteps(rig: Rig, { scaled, say }: Tools) {
  const [victim] = rig.dispatchers;
  if (victim === undefined) throw new Error('there is no dispatcher');
  const inFlight = createInFlight(rig);
  const deaths = async () => {
    for (const [step, arrange] of Object.entries(steps)) {
      for (let n = 0; n < scaled(5); n += 1) {
        await arrange(rig, victim);
        const fromMs = Date.now();
        await inFlight.note();
        // Nothing delivers meanwhile, which counts as an outage: a slow machine takes long to start a process.
        await readyAgain(victim);
        rig.outages.push({ fromMs, toMs: Date.now() });
      }
      say(`died when it had ${step}`);
    }
  };
  await loadWhile(rig.load, { perSecond: 30 }, deaths());
  await rig.drain();
  const { expiredLeaseLateMs } = await rig.verdict();
  return {
    duplicatesAtMost: inFlight.count(),
    retriesLateAtMostMs: AGAIN_WITHIN_MS,
    marks: [
      { what: 'deaths', value: victim.exits.length, atLeast: 4 * scaled(5) },
      { what: 'in flight', value: inFlight.count() },
      { what: 'expired leases late', unit: 'ms' as const, value: expiredLeaseLateMs, atMost: AGAIN_WITHIN_MS },
    ],
  };
}

async function dieAt(victim: Member, statement: 'claim' | 'settle', moment: 'before' | 'after'): Promise<void> {
  let died: Promise<unknown> | undefined;
  await victim.statements.at(statement, moment, () => {
    died = victim.kill();
    return false;
  });
  await died;
}

/** Kills the process between a request and its answer. */
function dieOfReceipt(rig: Rig, victim: Member): Promise<void> {
  return new Promise((resolve) => {
    let isOver = false;
    rig.receivers.onReceipt(() => {
      if (isOver) return;
      isOver = true;
      void victim.kill().then(() => resolve());
    });
  });
}
