import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { LiveBatch, LivePublisher, LiveSubscriber } from '@posthorn/queue/live';
import { startTcpGate, type TcpGate } from '@posthorn/testkit/tcp-gate';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { Maker, Place } from './maker.ts';

type Listening = {
  workspaceId: string;
  gate: TcpGate;
  publisher: LivePublisher;
  subscriber: LiveSubscriber;
  batches: LiveBatch[];
  errors: Error[];
  eventIds(): string[];
  /** Reports events until one arrives. */
  arrives(): Promise<void>;
  close(): Promise<void>;
};

/** The changes of workspaces that the listening processes hear of. */
export function liveContract(maker: Maker): void {
  let place: Place;
  beforeAll(async () => {
    place = await maker.open();
  });
  afterAll(() => place.close());

  /** A listener of one workspace, and a publisher that reaches the server through a gate. */
  async function listen(place: Place): Promise<Listening> {
    const gate = await startTcpGate(place.url);
    const workspaceId = randomUUID();
    const batches: LiveBatch[] = [];
    const onBatch = (batch: LiveBatch) => void batches.push(batch);
    const subscriber = place.process().openLiveSubscriber({ onBatch, onReconnected: () => {} });
    const errors: Error[] = [];
    const onError = (error: Error) => void errors.push(error);
    const publisher = place.process({ url: gate.url, onError }).openLivePublisher();
    await waitFor(() => subscriber.subscribe(workspaceId).then(() => true), { what: 'the subscription' });
    const eventIds = () => batches.flatMap((batch) => batch.eventIds);
    const arrives = async () => {
      // Changes from before the publisher knows the listener are lost. Once one arrives, all later ones do.
      const isTold = () => {
        const eventId = randomUUID();
        publisher.eventAccepted({ workspaceId, eventId });
        return waitFor(() => eventIds().includes(eventId), { what: 'a change', timeoutMs: 1_000 });
      };
      await waitFor(isTold, { what: 'a change' });
      // On a busy machine, the first connection may take longer than the first round.
      batches.length = 0;
    };
    const close = async () => {
      subscriber.close();
      await publisher.close();
      await gate.close();
    };
    return { workspaceId, gate, publisher, subscriber, batches, errors, eventIds, arrives, close };
  }

  test('changes arrive with their ids, and a change of one delivery once in a batch', async () => {
    const { workspaceId, publisher, batches, eventIds, arrives, close } = await listen(place);
    await arrives();
    const [deliveryId, endpointId, eventId, last] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    for (const _ of [1, 2, 3]) publisher.deliveryChanged({ workspaceId, deliveryId, endpointId });
    publisher.eventAccepted({ workspaceId, eventId });
    // A change of another workspace, to which nobody listens.
    publisher.eventAccepted({ workspaceId: randomUUID(), eventId: randomUUID() });
    publisher.eventAccepted({ workspaceId, eventId: last });
    await waitFor(() => eventIds().includes(last), { what: 'the changes' });
    const [batch, ...others] = batches.filter((one) => one.eventIds.includes(eventId) || one.deliveries.length > 0);
    expect(batch).toMatchObject({ workspaceId, deliveries: [{ deliveryId, endpointId }], dropped: 0 });
    expect(others).toEqual([]);
    await close();
  });

  test('changes of 500 deliveries arrive whole, and further ones are counted', async () => {
    const { workspaceId, publisher, batches, arrives, close } = await listen(place);
    await arrives();
    const endpointId = randomUUID();
    const changed = Array.from({ length: 510 }, () => randomUUID());
    for (const deliveryId of changed) publisher.deliveryChanged({ workspaceId, deliveryId, endpointId });
    const arrived = () => batches.flatMap(({ deliveries }) => deliveries.map(({ deliveryId }) => deliveryId));
    const dropped = () => batches.reduce((sum, one) => sum + (one.dropped ?? Number.NaN), 0);
    await waitFor(() => dropped() > 0, { what: 'the dropped ones' });
    expect([arrived(), dropped()]).toEqual([changed.slice(0, 500), 10]);
    await close();
  });

  test('a listener that has left hears nothing more, and one that listens again does', async () => {
    const { workspaceId, subscriber, arrives, eventIds, publisher, close } = await listen(place);
    const other = await listen(place);
    await arrives();
    subscriber.unsubscribe(workspaceId);
    publisher.eventAccepted({ workspaceId, eventId: randomUUID() });
    await other.arrives();
    expect(eventIds()).toEqual([]);
    await subscriber.subscribe(workspaceId);
    await arrives();
    await Promise.all([close(), other.close()]);
  });

  test('a publisher whose connection failed tells afterwards that changes were dropped', async () => {
    const { gate, batches, errors, arrives, close } = await listen(place);
    await arrives();
    errors.length = 0;
    await gate.shut();
    await waitFor(() => errors.length > 0, { what: 'the loss of the connection' });
    const lostAtMs = performance.now();
    // Two rounds of the publisher have passed.
    await waitFor(() => performance.now() - lostAtMs > 500, { what: 'a round without a connection' });
    await gate.open();
    await waitFor(() => batches.some(({ dropped }) => dropped === null), { what: 'the gap' });
    await close();
  });

  test('a publisher that ends without its last batch is told as a gap, and one that is closed is not', async () => {
    // Each publisher has its own place, because every listener of a place misses a publisher that ends.
    const other = await maker.open();
    const [killed, closed] = await Promise.all([listen(place), listen(other)]);
    await Promise.all([killed.arrives(), closed.arrives()]);
    await closed.publisher.close();
    // The connection ends, as that of a killed process does.
    await killed.gate.shut();
    await waitFor(() => killed.batches.some(({ dropped }) => dropped === null), { what: 'the gap' });
    expect(closed.batches.filter(({ dropped }) => dropped !== 0)).toEqual([]);
    await Promise.all([killed.close(), closed.close()]);
    await other.close();
  });

  test('a publisher that is closed sends its last changes', async () => {
    const { workspaceId, publisher, eventIds, arrives, close } = await listen(place);
    await arrives();
    const last = randomUUID();
    publisher.eventAccepted({ workspaceId, eventId: last });
    await publisher.close();
    await waitFor(() => eventIds().includes(last), { what: 'the last change' });
    await close();
  });

  test('a listener whose connection was cut is told so', async () => {
    const gate = await startTcpGate(place.url);
    let reconnections = 0;
    const subscriber = place.process({ url: gate.url }).openLiveSubscriber({
      onBatch: () => {},
      onReconnected: () => {
        reconnections += 1;
      },
    });
    await waitFor(() => subscriber.subscribe(randomUUID()).then(() => true), { what: 'the subscription' });
    const before = reconnections;
    gate.cut();
    await waitFor(() => reconnections > before, { what: 'the new connection' });
    // ioredis subscribes again by itself, and nobody hears if that fails. This subscription is answered after it.
    await subscriber.subscribe(randomUUID());
    subscriber.close();
    await gate.close();
  });

  test('no more streams than allowed are open over all processes; a stream keeps its place, and another gets it after', async () => {
    const options = { onBatch: () => {}, onReconnected: () => {} };
    const [one, other] = [place.process().openLiveSubscriber(options), place.process().openLiveSubscriber(options)];
    for (const subscriber of [one, other])
      await waitFor(() => subscriber.takeStream(randomUUID(), 'first', 1).catch(() => false), { what: 'a connection' });
    const holder = `${randomUUID()}:portals`;
    const taken = await Promise.all(
      Array.from({ length: 6 }, (_, n) => (n % 2 === 0 ? one : other).takeStream(holder, `stream-${n}`, 2)),
    );
    expect(taken.filter(Boolean)).toHaveLength(2);
    const open = taken.findIndex(Boolean);
    expect([
      await other.takeStream(holder, `stream-${open}`, 2),
      await other.takeStream(holder, 'late', 2),
      await other.takeStream(randomUUID(), 'late', 2),
    ]).toEqual([true, false, true]);
    one.releaseStream(holder, `stream-${open}`);
    await waitFor(() => other.takeStream(holder, 'late', 2), { what: 'the place' });
    one.close();
    other.close();
  });
}
