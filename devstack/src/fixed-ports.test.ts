import { expect, test } from '@jest/globals';
import { freePort } from '@posthorn/testkit/free-port';
import { claimFixedPorts } from './fixed-ports.ts';
import type { StopStep } from './run.ts';

test('the first instance gets the wanted ports, another one beside it free ones, and later the next one again', async () => {
  const holderPort = await freePort();
  const wanted = await freePort();
  const claim = async (reserved: number[] = []) => {
    const steps: StopStep[] = [];
    const pick = await claimFixedPorts({ onStop: (step) => steps.push(step) }, reserved, holderPort);
    const end = () => Promise.all(steps.map(({ stop }) => stop(new AbortController().signal)));
    return { pick, end };
  };
  const first = await claim();
  expect(await first.pick(wanted)).toBe(wanted);
  const second = await claim();
  expect(await second.pick(wanted)).not.toBe(wanted);
  await Promise.all([first.end(), second.end()]);
  const third = await claim([wanted]);
  // The user has given this port to another program.
  expect(await third.pick(wanted)).not.toBe(wanted);
  await third.end();
});
