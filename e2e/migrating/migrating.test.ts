import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type Service, startService, unique } from '../contract/service.ts';
import { PEERS, type Peer } from './peers.ts';

// Follows the steps of docs/migrating.md from a stand-in for each service. Its receivers verify every
// request as before.

let receiver: Receiver;
let service: Service;
beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService({ dispatchers: 1 });
}, 60_000);
afterAll(async () => {
  await service.stop();
  await receiver.close();
}, 60_000);

const seconds = () => Math.floor(Date.now() / 1_000);

/** A receiver of the other service's customer. It answers 400 to requests that it cannot verify. */
function receiveFrom(peer: Peer) {
  receiver.respondWith(({ headers, body }) => {
    const flat = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, `${value}`]));
    const isGenuine = peer.verify({ headers: flat, body: body.toString() }, peer.secret, seconds());
    return { status: isGenuine ? 204 : 400 };
  });
}

describe.each(Object.entries(PEERS))('from a service that signs %s', (name, peer) => {
  test('its receivers accept what Posthorn sends, without a change', async () => {
    const { make, manage, ingest } = service.workspace;
    const customer = unique('customer-');
    const url = new URL(`/${customer}`, receiver.url).href;
    receiveFrom(peer);
    // A request that the other service sends today.
    const body = '{"order":"A-17","city":"Zürich"}';
    expect(peer.verify({ headers: peer.sign(body, peer.secret, seconds()), body }, peer.secret, seconds())).toBe(true);

    const eventType = unique('order.created.n');
    const { environmentId } = service.workspace;
    const typeId = await make('/event-types', { name: eventType, publishIn: [environmentId] });
    expect(typeId).toMatch(/^evt_/);
    const applicationId = await make('/applications', { name, externalId: customer });
    const endpoint = await manage('POST', `/applications/ext:${customer}/endpoints`, {
      url,
      ...{ externalId: customer, isActive: false, eventTypes: [eventType] },
      ...{ secret: peer.secret, config: { signature: peer.signature, standardHeaders: false } },
    });
    expect([endpoint.status, endpoint.body.applicationId]).toEqual([201, applicationId]);

    // The event goes to both services. The endpoint at Posthorn is inactive, and gets nothing.
    const send = (text: string) =>
      ingest(`event/${eventType}`, text, {
        'content-type': 'application/json',
        'x-application-id': `ext:${customer}`,
      });
    await send('{"during":"the move"}');
    // Fan-out decides which endpoints get an event.
    await waitFor(async () => (await service.stack.db.pendingFanOut.count()) === 0, { what: 'the fan-out' });

    // The switch to Posthorn.
    expect((await manage('PATCH', `/endpoints/${endpoint.body.id}`, { isActive: true })).status).toBe(200);
    await send(body);
    const arrived = () => receiver.requests.filter((request) => request.url === `/${customer}`);
    const [first] = await waitFor(() => arrived().length > 0 && arrived(), { what: 'the first delivery' });
    expect(first?.body.toString()).toBe(body);
    const delivered = async () => {
      const list = await manage('GET', `/endpoints/${endpoint.body.id}/deliveries?status=delivered`);
      return list.body.deliveries.length === 1;
    };
    await waitFor(delivered, { what: 'the receiver to accept the delivery' });
    expect(arrived()).toHaveLength(1);
  });

  test('its receivers refuse what is signed with another secret, so that the test proves something', async () => {
    const body = '{}';
    const headers = peer.sign(body, peer.secret, seconds());
    expect(peer.verify({ headers, body: '{"changed":true}' }, peer.secret, seconds())).toBe(false);
    expect(peer.verify({ headers, body }, `whsec_${btoa('a secret of another endpoint')}`, seconds())).toBe(false);
  });
});
