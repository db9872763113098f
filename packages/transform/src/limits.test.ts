import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, expect, test } from '@jest/globals';
import { systemClock } from '@posthorn/runtime/clock';
import { openTransformer } from './open-transformer.ts';
import { compileEngine, createSandbox } from './sandbox.ts';

// Tests of code that meets its limits again and again.

const LOOP = 'function transform() { for (;;); }';
/** A single step that takes too long: the engine checks its time limit only between steps. */
const STEP = 'function transform() { Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1); }';
const STEP_SOMETIMES = `function transform({ data }) {
  if (data === 3) Array.prototype.indexOf.call({ length: 2 ** 53 - 1 }, 1);
  return { data };
}`;
const FAIR = 'function transform() { return { data: 1 }; }';
/** Loops for some events. */
const SOMETIMES = 'function transform({ data }) { while (data === 3); return { data }; }';

const computedMs = () => performance.now();

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');
function heldMb() {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1e6;
}

const cleanUps: (() => Promise<void>)[] = [];
afterEach(async () => {
  await Promise.all(cleanUps.splice(0).map((cleanUp) => cleanUp()));
});

/** `run` transforms an event for an endpoint whose owner has no other. `told` has the result of each transformation. */
function open() {
  const told: string[] = [];
  let nowMs = 0;
  const { transform, close, ...author } = openTransformer(({ result }) => told.push(result), {
    ...systemClock,
    monotonicMs: () => nowMs,
  });
  cleanUps.push(close);
  const program = (name: string, code: string, body: string) => {
    const event = { id: 'msg_1', type: 'a', createdAt: '', applicationId: null, contentType: null, body };
    const endpoint = { id: name, metadata: {} };
    return { code, event: { ...event, endpoint }, allows: { headers: true, path: true } };
  };
  const run = (name: string, code: string, body = '3') =>
    transform({ ownerId: name, workspaceId: name, endpointId: name }, program(name, code, body));
  const attempt = (code: string) =>
    author.attempt({ ownerId: 'author', workspaceId: 'author' }, program('author', code, '3'));
  const passes = (ms: number) => {
    nowMs += ms;
  };
  return { told, run, attempt, passes };
}

test('new code is paused after a run that met a limit, and its events fail without a run', async () => {
  const { told, run } = open();
  for (let n = 0; n < 2; n += 1) await run('ep', LOOP);
  expect(told).toEqual(['limit', 'paused']);
  expect(await run('ep', LOOP)).toEqual({
    ...{ kind: 'failed', line: 1, column: expect.any(Number) },
    message: 'The code computed for more than 50 ms. It is paused for a minute, because it met a limit',
  });
});

test('code that has ended by itself is paused after three runs in a row that met a limit', async () => {
  const { told, run } = open();
  for (const body of ['4', '3', '3', '3', '4']) await run('ep', SOMETIMES, body);
  expect(told).toEqual(['made', 'limit', 'limit', 'limit', 'paused']);
});

test('after a minute, paused code runs once, and other code of the endpoint runs at once', async () => {
  const { told, run, passes } = open();
  await run('ep', LOOP);
  passes(59_000);
  await run('ep', LOOP);
  passes(1_000);
  for (let n = 0; n < 2; n += 1) await run('ep', LOOP);
  expect(told).toEqual(['limit', 'paused', 'limit', 'paused']);
  expect(await run('ep', FAIR)).toMatchObject({ kind: 'made' });
});

test('code that exceeds its time by far is paused at once, also if it has ended by itself before', async () => {
  const { told, run } = open();
  for (const body of ['4', '3', '4']) await run('ep', STEP_SOMETIMES, body);
  expect(told).toEqual(['made', 'limit', 'paused']);
}, 60_000);

test('code that ends for the next event is not paused', async () => {
  const { told, run } = open();
  for (const body of ['4', '3', '3', '4', '3', '3', '4']) await run('ep', SOMETIMES, body);
  expect(told).toEqual(['made', 'limit', 'limit', 'made', 'limit', 'limit', 'made']);
});

test('code of others is not paused', async () => {
  const { run } = open();
  for (let n = 0; n < 2; n += 1) await run('ep', LOOP);
  expect(await run('other', LOOP)).toMatchObject({ message: 'The code computed for more than 50 ms' });
});

test('events that wait already for code that is paused meanwhile do not run it', async () => {
  const { told, run } = open();
  await Promise.all(Array.from({ length: 6 }, () => run('ep', LOOP)));
  expect(told).toHaveLength(6);
  // Two events are tried at once.
  expect(told.filter((result) => result === 'limit').length).toBeLessThanOrEqual(2);
});

test('a step that does not end is ended without its thread, and the next run has a new engine', async () => {
  const sandbox = await createSandbox(await compileEngine(), { computedMs, endsSteps: true });
  const run = (code: string) => sandbox.run({ code, input: '{"event":{},"rounded":[]}', wantsLogs: false, mostMs: 50 });
  expect(await run(STEP)).toMatchObject({ kind: 'failed', isLimit: true, isBroken: true });
  expect(await run(FAIR)).toMatchObject({ kind: 'returned' });
});

test('what is known of code takes little memory, however long the code is', async () => {
  const { run } = open();
  const long = (n: number) => `${FAIR}//${n}${'ж'.repeat(50_000)}`;
  await run('ep', long(0));
  const before = heldMb();
  for (let n = 1; n <= 500; n += 1) await run(`ep_${n}`, long(n));
  // The code of all endpoints together takes 50 MB.
  expect(heldMb() - before).toBeLessThan(20);
}, 60_000);

test('lines of the log are cut, also if the code has taken away what cuts them, and nothing else of them is kept', async () => {
  const sandbox = await createSandbox(await compileEngine(), { computedMs, endsSteps: true });
  const code = `const line = 'x'.repeat(8e6); String.prototype.slice = () => line;
    function transform() { for (let n = 0; n < 20; n += 1) console.log(n); return { data: 1 }; }`;
  const before = heldMb();
  const result = await sandbox.run({ code, input: '{"event":{},"rounded":[]}', wantsLogs: true, mostMs: 20_000 });
  // The log lines together take 160 MB.
  expect(heldMb() - before).toBeLessThan(80);
  expect(result).toMatchObject({ kind: 'returned', logs: Array(20).fill('x'.repeat(1_000)) });
});

test('of what code throws only texts are read: a text that it makes of a value is not parsed', async () => {
  const sandbox = await createSandbox(await compileEngine(), { computedMs, endsSteps: true });
  const thrown = async (value: string) =>
    sandbox.run({ code: `throw ${value};`, input: '{"event":{},"rounded":[]}', wantsLogs: false, mostMs: 1_000 });
  const noError = { kind: 'failed', fault: { message: 'The code threw a value that is not an error' } };
  expect(await thrown(`{ toJSON() { throw 1; }, toString: () => '{"message":"parsed"}' }`)).toMatchObject(noError);
  expect(await thrown('new Proxy({}, { get() { throw 1; } })')).toMatchObject(noError);
  expect(await thrown('new RangeError("a")')).toMatchObject({ fault: { message: 'RangeError: a', line: 1 } });
  expect(await thrown('"a"')).toMatchObject({ fault: { message: 'a' } });
});

test.each([
  ['data: "x".repeat(2_000_000)', 'The result must be at most 1 MiB'],
  ['data: ["x".repeat(2_000_000)]', 'The result must be at most 1 MiB'],
  ['body: "x".repeat(2_000_000)', 'The result must be at most 1 MiB'],
  ['data: 1, headers: { a: "x".repeat(2_000_000) }', 'The result has too many headers'],
])('a result that is too long does not leave the interpreter: %s', async (result, wrong) => {
  const sandbox = await createSandbox(await compileEngine(), { computedMs, endsSteps: true });
  const code = `function transform() { return { ${result} }; }`;
  expect(
    await sandbox.run({ code, input: '{"event":{},"rounded":[]}', wantsLogs: false, mostMs: 1_000 }),
  ).toMatchObject({
    ...{ kind: 'returned', text: `${JSON.stringify({ wrong })}\n` },
  });
});

test('tests of code that met a limit three times in a row fail at once for a minute; other code of the author runs', async () => {
  const { attempt, passes } = open();
  for (let n = 0; n < 3; n += 1) await attempt(LOOP);
  expect(await attempt(LOOP)).toMatchObject({
    outcome: { kind: 'failed', message: expect.stringMatching(/ It is paused for a minute, because it met a limit$/) },
    durationMs: 0,
  });
  expect(await attempt(FAIR)).toMatchObject({ outcome: { kind: 'made' } });
  passes(60_000);
  expect(await attempt(LOOP)).not.toMatchObject({ durationMs: 0 });
});
