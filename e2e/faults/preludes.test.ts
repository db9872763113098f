import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, expect, test } from '@jest/globals';
import { waitFor } from '@posthorn/testkit/wait-for';
import { runFirst, shiftClock } from './rows/preludes.ts';

const HOUR_MS = 3_600_000;

// Prints the time for each line of input, read in every way that Node offers.
const SCRIPT = `
  const say = () => console.log(JSON.stringify([Date.now(), new Date().getTime(), Date.parse(Date())]));
  process.stdin.on('data', say);
  console.log('ready');`;

let child: ReturnType<typeof startClock>;
afterEach(() => void child.kill());

function startClock(nodeArgs: string[]) {
  const started = spawn(process.execPath, [...nodeArgs, '--input-type=module', '--eval', SCRIPT], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  started.stdout.setEncoding('utf8');
  return started;
}

/** The error of each way to read the clock, in whole hours. */
async function offHours(): Promise<number[]> {
  const told = once(child.stdout, 'data');
  child.stdin.write('?\n');
  const times: number[] = JSON.parse(String((await told)[0]));
  // `+ 0` turns a rounded -0 into 0.
  return times.map((time) => Math.round((time - Date.now()) / HOUR_MS) + 0);
}

test('the clock of a process is off by the given time, however it is read', async () => {
  child = startClock(runFirst(shiftClock, { byMs: -3 * HOUR_MS }));
  await once(child.stdout, 'data');
  expect(await offHours()).toEqual([-3, -3, -3]);
});

test('a jump shifts the clock at the signal and shifts it back after its time', async () => {
  const jumps = { byMs: [5 * HOUR_MS, -HOUR_MS], forMs: 1_500 };
  child = startClock(runFirst(shiftClock, { byMs: 0, jumps }));
  await once(child.stdout, 'data');
  const seen: number[] = [];
  for (const away of [5, -1]) {
    child.kill('SIGUSR2');
    for (const wanted of [away, 0]) {
      await waitFor(async () => (await offHours())[0] === wanted, { what: `a clock that is off by ${wanted} h` });
      seen.push(wanted);
    }
  }
  expect(seen).toEqual([5, 0, -1, 0]);
});
