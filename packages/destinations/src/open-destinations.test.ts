import { expect, test } from '@jest/globals';
import { parseAllowedCidrs } from '@posthorn/egress/address-rules';
import { systemClock } from '@posthorn/runtime/clock';
import type { Destination, Kind, SendRequest, SendResult } from './kind.ts';
import { DEFAULT_KIND } from './kinds.ts';
import { openDestinations } from './open-destinations.ts';

const tools = { rules: parseAllowedCidrs(''), clock: systemClock };

/** A kind that answers with its own type, and records the calls. */
function kindThatCounts(type: string) {
  const calls: string[] = [];
  const destination: Destination = {
    send: async () => ({
      kind: 'response',
      status: 200,
      headers: {},
      body: Buffer.from(type),
      truncated: false,
      ...measures,
    }),
    examine: async ({ record }) => void record.stop(type),
    abortAll: () => void calls.push('abortAll'),
    close: () => void calls.push('close'),
  };
  const kind: Kind = {
    ...DEFAULT_KIND,
    type,
    load: async () => {
      calls.push('load');
      return { open: () => destination };
    },
  };
  return { kind, calls };
}

const measures = {
  durationMs: 1,
  timings: { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: null },
  remoteAddress: null,
};

function requestTo(kind: Kind): SendRequest {
  const url = `https://${kind.type}.invalid/`;
  return {
    place: { kind, endpointId: 'ep', owner: 'ws_1', revision: 'r', url, settings: {}, credentials: {} },
    message: { deliveryId: 'dlv', eventId: 'msg', eventType: null, orderingKey: null, attemptNumber: 1 },
    ...{ url, headers: {}, body: Buffer.alloc(0), timeoutMs: 1_000 },
  };
}

const bodyOf = (result: SendResult) => (result.kind === 'response' ? result.body.toString() : result.kind);

test('each endpoint is sent to by its own kind, which is opened once, with its first endpoint', async () => {
  const [one, other, unused] = [kindThatCounts('one'), kindThatCounts('other'), kindThatCounts('unused')];
  const destinations = openDestinations(tools);
  const results = await Promise.all([one, other, one].map(({ kind }) => destinations.send(requestTo(kind))));
  expect(results.map(bodyOf)).toEqual(['one', 'other', 'one']);
  destinations.close();
  expect(one.calls.filter((call) => call === 'close')).toHaveLength(1);
  expect(unused.calls).toEqual([]);
});

test('a kind that is loaded while the process stops is aborted and closed', async () => {
  const late = kindThatCounts('late');
  const destinations = openDestinations(tools);
  const sending = destinations.send(requestTo(late.kind));
  destinations.abortAll();
  destinations.close();
  await sending;
  expect(late.calls).toEqual(['load', 'abortAll', 'close']);
});

test('a kind whose messages are fetched is never sent to', async () => {
  const fetched: Kind = { ...DEFAULT_KIND, type: 'fetched', load: null };
  await expect(openDestinations(tools).send(requestTo(fetched))).rejects.toThrow('fetched, not sent');
});
