import { migrate } from '@posthorn/db/migrate';
import type { Life, Member } from '../member.ts';
import { ownCheckout, ownMigrations, previousRelease } from '../release.ts';
import type { Rig } from '../rig.ts';
import type { Outcome, Row, Tools } from '../row.ts';
import { endedWell, loadWhile, type Restart, restart, serverErrors } from './restarts.ts';

const PER_SECOND = 40;
const SLOWEST_MS = 1_000;
/** How long the load runs with each set of processes. */
const SECONDS = 10;

export const upgrade: Row = {
  name: 'upgrade',
  // The previous release needs Redis.
  shapes: ['scaled'],
  fault:
    'the previous release is migrated under load; its processes restart in turn as this release, as the previous one, and as this one again',
  pass: 'duplicates 0, lost 0, 5xx 0, no answer over 1 s, exit ≤ 30 s with 0',
  rig: { release: previousRelease },
  run: upgradeUnderLoad,
};

async function upgradeUnderLoad(rig: Rig, { scaled, say }: Tools): Promise<Outcome> {
  const members = [...rig.dispatchers, ...rig.apis];
  const [previous, own] = [await previousRelease(), ownCheckout];
  const restarts: Restart[] = [];
  const turn = async (checkout: string) => {
    restarts.push(...(await restartInTurn(members, { checkout })));
    await rig.elapsed(scaled(SECONDS) * 1_000);
  };
  let applied: string[] = [];
  const slowest = { ms: 0, stage: '' };
  let judged = 0;
  const ended = (stage: string) => {
    for (const { status, afterMs } of rig.load.answers.slice(judged)) {
      if (status > 0 && afterMs > slowest.ms) Object.assign(slowest, { ms: afterMs, stage });
    }
    judged = rig.load.answers.length;
    say(stage);
  };
  const stages = async () => {
    await rig.elapsed(scaled(SECONDS) * 1_000);
    ended('the previous release');
    applied = await migrate({ databaseUrl: rig.databaseUrl, migrationsDirectory: ownMigrations });
    ended(`${applied.length} migrations`);
    for (const checkout of [own, previous, own]) {
      await turn(checkout);
      ended(checkout === own ? 'restarts as this release' : 'restarts as the previous release');
    }
  };
  await loadWhile(rig.load, { perSecond: PER_SECOND }, stages());
  say(`the slowest answer was during: ${slowest.stage}`);
  return {
    duplicatesAtMost: 0,
    marks: [
      { what: 'migrations', value: applied.length, atLeast: 1 },
      ...endedWell(restarts),
      serverErrors(rig),
      { what: 'slowest answer', unit: 'ms', value: slowest.ms, atMost: SLOWEST_MS },
    ],
  };
}

async function restartInTurn(members: readonly Member[], life: Life): Promise<Restart[]> {
  const restarts: Restart[] = [];
  for (const member of members) restarts.push(await restart(member, life));
  return restarts;
}
