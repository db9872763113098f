import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { type Costs, readCosts } from './costs.ts';
import { readOptions } from './options.ts';
import { planCapacity } from './plan.ts';
import { runCapacity } from './run-capacity.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const readRun = () => readFileSync(`${root}docs/benchmarks/run.json`, 'utf8');

/** Round figures, so that each result can be computed by hand. */
const COSTS: Costs = {
  measured: 'abcdef0, 2026-01-01',
  api: { perEvent: 200e-6 },
  dispatcher: { perAttempt: 600e-6 },
  postgres: { perEvent: 30e-6, perDelivery: 100e-6, perExtraAttempt: 50e-6 },
  redis: { perAttempt: 150e-6 },
  wal: { perEvent: 500, perDelivery: 2_000, perExtraAttempt: 1_500 },
  disk: { perEvent: 200, perDelivery: 400, perAttempt: 700 },
  memory: { api: 100e6, dispatcher: 200e6 },
};

const plan = (...args: string[]) => planCapacity(readOptions(args), COSTS);

test('a plan follows the formulas of docs/scaling.md, with fan-out, retries and larger payloads', () => {
  const load = ['--events', '10000', '--fan-out', '2', '--attempts', '1.5', '--payload', '1000', '--use', '0.5'];
  const { api, dispatcher, redis, postgres, ...rest } = plan(...load, '--retention-days', '10');
  expect([rest.deliveries, rest.attempts]).toEqual([20_000, 30_000]);
  expect(api).toMatchObject({ processes: 4, busyCores: expect.closeTo(2) });
  expect(dispatcher).toMatchObject({ processes: 36, busyCores: expect.closeTo(18), isLimitedBy: 'CPU' });
  // In each of two cells 4.5, so 5, masters.
  expect(redis).toEqual({ masters: 9, queueShards: 15, busyThreads: expect.closeTo(4.5) });
  // 10,000 × 30 µs + 20,000 × 100 µs + 10,000 × 50 µs
  expect(postgres).toMatchObject({ busyCores: expect.closeTo(2.8), cores: 6, wal: expect.closeTo(70e6) });
  const diskPerDay = 86_400 * (10_000 * 1_200 + 20_000 * 400 + 30_000 * 700);
  expect(postgres.diskPerDay).toBeCloseTo(diskPerDay);
  expect(postgres.disk).toBeCloseTo(10 * diskPerDay);
  expect(rest.connections).toBe(4 * 19 + 36 * 10);
  expect(rest.cells).toEqual({ count: 2, eventsEach: 5_000 });
});

test('slow receivers need more dispatchers than their CPU does, unless each has more slots', () => {
  const slow = ['--events', '1000', '--attempt-seconds', '10'];
  expect(plan(...slow).dispatcher).toMatchObject({ processes: 50, isLimitedBy: 'slow receivers' });
  expect(plan(...slow, '--concurrency', '1000').dispatcher.processes).toBe(10);
});

test('a small load has two processes of a kind, one Redis and one cell', () => {
  const { api, dispatcher, redis, postgres, cells } = plan('--events', '1');
  expect([api.processes, dispatcher.processes, postgres.cores, cells.count]).toEqual([2, 2, 1, 1]);
  expect(redis).toMatchObject({ masters: 1, queueShards: 1 });
});

test.each<[string[], string]>([
  [[], '--events is required'],
  [['--events', 'many'], '--events must be a number from 0.001 to 10000000'],
  [['--events', ''], '--events must be a number'],
  [['--events=-1'], '--events must be a number'],
  [['--events', '1', '--payload', '1.5'], '--payload must be a whole number from 0 to 1048576'],
  [['--events', '1', '--retention-days', '91'], '--retention-days must be a whole number from 4 to 90'],
  [['--events', '1', '--speed', '9'], "Unknown option '--speed'"],
  [['--events', '1', 'more'], 'Unexpected argument'],
])('%j is refused with the rule and the options', (args, message) => {
  const [code, stdout, stderr] = run(args);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr).toContain(message);
  expect(stderr).toContain('usage: npm run capacity -- --events N');
});

test('a run without a figure is refused by its name', () => {
  expect(() => readCosts('{"at":"","commit":"","figures":[],"tables":[]}')).toThrow('the run has no figure “CPU');
});

test('--help names every option, and --json prints the load, the costs and the plan', () => {
  expect(run(['--help'])[1]).toContain('--retention-days');
  const [code, stdout] = run(['--events', '10', '--json']);
  expect([code, Object.keys(JSON.parse(stdout))]).toEqual([0, ['load', 'costs', 'plan']]);
});

// UPDATE_CAPACITY=1 npm test -- devstack/src/capacity
test('the plans in docs/scaling.md are what the command prints with the published figures', () => {
  const path = `${root}docs/scaling.md`;
  const written = readFileSync(path, 'utf8');
  const made = written.replaceAll(
    /(```sh\nnpm run capacity -- (.*)\n```\n\n```text\n)[^`]*(```)/g,
    (_all, before: string, args: string, after: string) => `${before}${run(args.split(' '))[1]}${after}`,
  );
  expect(made).toContain('--events 100000');
  if (process.env.UPDATE_CAPACITY !== undefined) writeFileSync(path, made);
  expect(readFileSync(path, 'utf8')).toBe(made);
});

function run(args: readonly string[]): [code: number, stdout: string, stderr: string] {
  const output = { stdout: '', stderr: '' };
  const code = runCapacity(args, {
    readRun,
    write: (text) => {
      output.stdout += text;
    },
    writeError: (text) => {
      output.stderr += text;
    },
  });
  return [code, output.stdout, output.stderr];
}
