import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withConnection } from '@posthorn/db/connection';
import { type Burst, burst, WARM_UP_SECONDS } from '../flat-out.ts';
import { mainThreadCpuSeconds } from '../processes.ts';
import { type CpuProfile, IDLE, microsecondsByPart, type Window } from '../profile-parts.ts';
import type { Context, Outcome, Scenario, Table } from '../scenario.ts';
import { type Side, type Sides, withSides } from '../sides.ts';
import type { Stack } from '../stack.ts';
import { countStatements, type Statement, statementsOf, statementsTable } from '../statements.ts';
import { type Wal, walPlace, walSince } from '../storage-sizes.ts';

const SAMPLING_MICROSECONDS = 500;
const ROLES = ['api', 'dispatcher'] as const;

type Role = (typeof ROLES)[number];

export const profile: Scenario = {
  name: 'profile',
  what: 'CPU of API and dispatcher at full rate, by part, and the statements in Postgres',
  run: measure,
};

function measure(context: Context): Promise<Outcome> {
  const options = {
    consumers: true,
    prepare: ({ databaseUrl }: Stack) => countStatements(databaseUrl),
    nodeArgs: ({ folder }: Stack, side: Side['name'], role: Role) => [
      '--cpu-prof',
      `--cpu-prof-interval=${SAMPLING_MICROSECONDS}`,
      `--cpu-prof-dir=${folder}`,
      `--cpu-prof-name=${profileName(side, role)}`,
    ],
  };
  return withSides(context, options, async (sides) => {
    const bare = await observe(context, sides, sides.bare);
    const own = await observe(context, sides, sides.posthorn);
    return answer(own, bare);
  });
}

/** The measurements of one side, per delivered event. */
type Observed = {
  burst: Burst;
  wal: Wal;
  /** CPU microseconds by part, for each role. */
  parts: Record<Role, Map<string, number>>;
  statements: Statement[];
};

async function observe({ seconds, say }: Context, { receivers, stack }: Sides, side: Side): Promise<Observed> {
  say(side.name);
  await burst({ ...side, receivers, seconds: WARM_UP_SECONDS });
  const mainBefore = mainThreads(side);
  const window: Window = { from: monotonicMicroseconds(), to: 0 };
  const done: { burst?: Burst; wal?: Wal } = {};
  const work = () =>
    withConnection(stack.databaseUrl, async (connection) => {
      await connection.query("set pg_stat_statements.track = 'none'");
      const place = await walPlace(connection);
      done.burst = await burst({ ...side, receivers, seconds });
      done.wal = await walSince(connection, place);
    });
  const statements = await statementsOf(stack.databaseUrl, work);
  window.to = monotonicMicroseconds();
  const mainAfter = mainThreads(side);
  // A normal exit writes the profile.
  for (const service of [side.dispatcher, side.api]) await service?.end('SIGTERM');
  if (done.burst === undefined || done.wal === undefined) throw new Error('nothing was measured');
  const { delivered, cpu } = done.burst;
  const partsOf = (role: Role) => {
    const service = side[role];
    // One process counts for both parts: see the shape of the context.
    if (service === undefined) return new Map<string, number>();
    const main = mainAfter[role] - mainBefore[role];
    const seen = microsecondsByPart(readProfile(stack, side.name, role), window);
    return scaled(seen, { delivered, main, others: (cpu.get(service.name) ?? 0) - main });
  };
  const parts = { api: partsOf('api'), dispatcher: partsOf('dispatcher') };
  return { burst: done.burst, wal: done.wal, parts, statements };
}

/**
 * The profiler measures time, not CPU: a thread that waits for a core appears busy. So the shares of the profile are
 * applied to the CPU time that the system counted for the thread.
 */
function scaled(
  seen: Map<string, number>,
  { delivered, main, others }: { delivered: number; main: number; others: number },
): Map<string, number> {
  const busy = [...seen].filter(([part]) => part !== IDLE);
  const all = busy.reduce((sum, [, microseconds]) => sum + microseconds, 0);
  const parts = busy.map(([part, microseconds]): [string, number] => [
    part,
    ((microseconds / all) * main * 1e6) / delivered,
  ]);
  return new Map([...parts, ['threads other than the main one', (others * 1e6) / delivered]]);
}

function answer(own: Observed, bare: Observed): Outcome {
  const sum = (parts: Map<string, number>) => [...parts.values()].reduce((total, used) => total + used, 0);
  const anEvent = ({ burst: { delivered } }: Observed, bytes: number | undefined) => (bytes ?? Number.NaN) / delivered;
  const figures = ROLES.map((role) => ({
    figure: `CPU ${role}, an event, profiled`,
    value: sum(own.parts[role]),
    unit: 'µs',
    bare: sum(bare.parts[role]),
  }));
  const wal = (figure: string, of: (wal: Wal) => number | undefined) => ({
    figure,
    value: anEvent(own, of(own.wal)),
    unit: 'bytes',
    bare: anEvent(bare, of(bare.wal)),
  });
  const tables = ROLES.map((role) => partsTable(role, own.parts[role], bare.parts[role]));
  const bars = (tables ?? []).flatMap((table, index) =>
    table.rows.slice(0, 10).map(([part, value]) => ({
      name: `${ROLES[index]}: ${part}`,
      value: Number(value),
      faint: index === 1,
    })),
  );
  return {
    figures: [
      ...figures,
      wal('WAL an event', (one) => one.bytes),
      wal('of it full-page images', (one) => one.pageImageBytes),
    ],
    plot: { kind: 'bars', title: 'CPU of a delivered event, by part', unit: 'µs', bars },
    tables: [
      ...tables,
      statementsTable('Statements of Posthorn, an event', own.statements, own.burst.delivered),
      statementsTable('Statements of the bare pipeline, an event', bare.statements, bare.burst.delivered),
    ],
  };
}

function partsTable(role: Role, own: Map<string, number>, bare: Map<string, number>): Table {
  const names = [...new Set([...own.keys(), ...bare.keys()])];
  const rows = names.map((name): [string, number, number] => [name, own.get(name) ?? 0, bare.get(name) ?? 0]);
  return {
    title: `CPU of the ${role} by part, µs an event`,
    columns: ['part', 'Posthorn', 'bare'],
    rows: rows.sort((a, b) => b[1] - a[1]),
  };
}

function mainThreads({ api, dispatcher }: Side): Record<Role, number> {
  return { api: mainThreadCpuSeconds(api.pid), dispatcher: mainThreadCpuSeconds(dispatcher?.pid ?? 0) };
}

function readProfile({ folder }: Stack, side: Side['name'], role: Role): CpuProfile {
  return JSON.parse(readFileSync(join(folder, profileName(side, role)), 'utf8')) as CpuProfile;
}

function profileName(side: Side['name'], role: Role): string {
  return `${side}-${role}.cpuprofile`;
}

function monotonicMicroseconds(): number {
  return Number(process.hrtime.bigint() / 1_000n);
}
