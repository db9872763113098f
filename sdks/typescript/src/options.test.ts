import { expect, test } from '@jest/globals';
import { Posthorn } from './client.ts';
import { outbox } from './outbox/outbox.ts';

const posthorn = new Posthorn({ baseUrl: 'http://127.0.0.1:9', token: 'phm_1', apiKey: 'phk_1', workspaceId: 'ws_1' });
const noTime = new Date(Number.NaN);
const circle: { self?: unknown } = {};
circle.self = circle;
const unused = () => Promise.reject(new Error('nothing may be written'));

const calls: [what: string, option: string, call: () => Promise<unknown>][] = [
  ['a bigint', 'payload', async () => posthorn.events.send('order.paid', 1n, { application: '*' })],
  ['a circle', 'payload', async () => posthorn.events.send('order.paid', circle, { application: '*' })],
  ['nothing', 'payload', async () => posthorn.events.send('order.paid', undefined, { application: '*' })],
  [
    'a bigint in a batch',
    'events',
    () => posthorn.events.sendBatch([{ eventType: 'order.paid', data: 1n }], { application: '*' }),
  ],
  ['a circle in the outbox', 'payload', () => outbox(unused).send('order.paid', circle, { application: '*' })],
  ['a bigint in a body', 'body', () => posthorn.eventTypes.update('evt_1', { example: 1n })],
  ['no time', 'deliverAt', async () => posthorn.events.send('order.paid', {}, { application: '*', deliverAt: noTime })],
  [
    'no time in the outbox',
    'deliverAt',
    () => outbox(unused).send('order.paid', {}, { application: '*', deliverAt: noTime }),
  ],
  ['no time in a query', 'from', () => posthorn.stats.get({ from: noTime })],
];

test.each(calls)('%s cannot be sent: an OptionError names the argument', async (_what, option, call) => {
  await expect(call()).rejects.toMatchObject({ name: 'OptionError', option });
});

test('a baseUrl with letters of Latin-1 is taken each of 20,000 times', () => {
  for (let time = 0; time < 20_000; time += 1) {
    new Posthorn({ baseUrl: 'https://münchen.example/straße', token: 'phm_1', workspaceId: 'ws_1' });
  }
  expect(() => new Posthorn({ baseUrl: 'straße', token: 'phm_1', workspaceId: 'ws_1' })).toThrow('baseUrl');
});
