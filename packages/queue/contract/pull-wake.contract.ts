import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { PullListener, PullWaker } from '@posthorn/queue/pull-wake';
import { startTcpGate } from '@posthorn/testkit/tcp-gate';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { Maker, Place } from './maker.ts';

/** Consumers that wait for something to fetch. */
export function pullWakeContract(maker: Maker): void {
  let place: Place;
  const opened: { close(): unknown }[] = [];
  beforeAll(async () => {
    place = await maker.open();
  });
  afterAll(async () => {
    for (const part of opened) await part.close();
    await place.close();
  });

  const openListener = async (url = place.url) => {
    const woken = new Set<string>();
    const connections = { count: 0 };
    const listener: PullListener = place.process({ url }).openPullListener({
      onWake: (endpointIds) => {
        for (const endpointId of endpointIds) woken.add(endpointId);
      },
      onConnected: () => {
        connections.count += 1;
      },
    });
    opened.push(listener);
    listener.listen();
    await waitFor(() => connections.count > 0, { what: 'the connection' });
    return { listener, woken, connections };
  };
  const openWaker = () => {
    const waker: PullWaker = place.process().openPullWaker();
    opened.push(waker);
    return waker;
  };
  /**
   * Wakes until all listeners hear it, because a waker may not know them yet. Once they hear it, they have heard every
   * earlier wake.
   */
  const wakes = async (waker: PullWaker, listeners: { woken: Set<string> }[]) => {
    const isHeard = () => {
      const endpointId = randomUUID();
      waker.wake([endpointId]);
      const heard = () => listeners.every(({ woken }) => woken.has(endpointId));
      return waitFor(heard, { what: 'a wake', timeoutMs: 500 });
    };
    await waitFor(isHeard, { what: 'the wake' });
  };

  test('every process with waiting consumers hears the endpoints, and no other ones', async () => {
    const listeners = [await openListener(), await openListener()];
    const waker = openWaker();
    await wakes(waker, listeners);
    for (const { woken } of listeners) woken.clear();
    const endpointIds: string[] = Array.from({ length: 1_000 }, () => randomUUID());
    waker.wake(endpointIds);
    for (const { woken } of listeners) {
      await waitFor(() => woken.size >= 1_000, { what: 'all endpoints' });
      expect([...woken].filter((id) => !endpointIds.includes(id))).toEqual([]);
    }
  });

  test('a waker that is closed sends what it has gathered', async () => {
    const listener = await openListener();
    const waker = openWaker();
    await wakes(waker, [listener]);
    const last = randomUUID();
    waker.wake([last]);
    await waker.close();
    await waitFor(() => listener.woken.has(last), { what: 'the last wake' });
  });

  test('a listener that was cut off is told that messages were missed, and hears later ones', async () => {
    const gate = await startTcpGate(place.url);
    const { listener, woken, connections } = await openListener(gate.url);
    const waker = openWaker();
    await wakes(waker, [{ woken }]);
    const before = connections.count;
    gate.cut();
    await waitFor(() => connections.count > before, { what: 'the new connection' });
    await wakes(waker, [{ woken }]);
    listener.close();
    await gate.close();
  });
}
