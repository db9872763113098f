import type { Member } from '../member.ts';
import type { Rig } from '../rig.ts';
import type { Outcome, Row, Tools } from '../row.ts';
import { endedWell, loadWhile, type Restart, restart, serverErrors } from './restarts.ts';

const PER_SECOND = 50;
/** How long the load runs with each set of processes. */
const SECONDS = 10;
/** It takes at most 4 s. The start of five processes adds to that, because they share the cores with the load. */
const FIRST_WITHIN_MS = 10_000;

const MODES = { Redis: {}, 'Postgres alone': { REDIS_URL: '' } } as const;
type Mode = keyof typeof MODES;

export const modeSwitch: Row = {
  name: 'mode-switch',
  fault: `from Redis to Postgres alone and back at ${PER_SECOND} events/s: first the dispatchers and then the APIs, as docs/operating/upgrade.md says; then every process in turn`,
  pass: 'lost 0, duplicates 0, 5xx 0, exit ≤ 30 s with 0, first attempts ≤ 10 s late beside the time without dispatchers',
  shapes: ['scaled'],
  run: switchModes,
};

async function switchModes(rig: Rig, { random, scaled, say }: Tools): Promise<Outcome> {
  const restarts: Restart[] = [];
  const members = [...rig.apis, ...rig.dispatchers];
  const restartEach = async (ofThem: readonly Member[], mode: Mode) => {
    for (const member of ofThem) restarts.push(await restart(member, { settings: MODES[mode] }));
  };
  const ways: Record<string, (mode: Mode) => Promise<void>> = {
    async 'dispatchers first'(mode) {
      const fromMs = Date.now();
      restarts.push(...(await Promise.all(rig.dispatchers.map((one) => restart(one, { settings: MODES[mode] })))));
      rig.outages.push({ fromMs, toMs: Date.now() });
      await restartEach(rig.apis, mode);
    },
    'in turn': (mode) => restartEach(random.sample(members, members.length), mode),
  };
  const switches = async () => {
    await rig.elapsed(scaled(SECONDS) * 1_000);
    for (const [way, change] of Object.entries(ways)) {
      for (const mode of ['Postgres alone', 'Redis'] as const) {
        await change(mode);
        await rig.elapsed(scaled(SECONDS) * 1_000);
        const { lost, firstLateMs } = await rig.verdict();
        say(`${way}, to ${mode}: latest first attempt ${firstLateMs} ms so far, ${lost} not delivered yet`);
      }
    }
  };
  await loadWhile(rig.load, { perSecond: PER_SECOND }, switches());
  await rig.drain();
  const { firstLateMs } = await rig.verdict();
  return {
    duplicatesAtMost: 0,
    marks: [
      { what: 'latest first attempt', unit: 'ms', value: firstLateMs, atMost: FIRST_WITHIN_MS },
      ...endedWell(restarts),
      serverErrors(rig),
    ],
  };
}
