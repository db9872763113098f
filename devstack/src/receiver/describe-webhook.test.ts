import { expect, test } from '@jest/globals';
import { asJson, inWords, type ReceivedWebhook } from './describe-webhook.ts';

const webhook: ReceivedWebhook = {
  receivedAt: new Date('2026-11-22T09:30:00.123Z'),
  method: 'POST',
  path: '/webhooks',
  headers: { 'webhook-id': 'msg_1', 'webhook-event-type': 'order.created', 'webhook-attempt': '2' },
  body: Buffer.from('{"id":1}'),
  verdict: { kind: 'verified' },
  status: 204,
};

test('a webhook is shown with its event type, id, attempt, verdict and body', () => {
  expect(inWords(webhook).split('\n')).toEqual([
    '09:30:00.123  POST /webhooks  order.created  msg_1  attempt 2  8 bytes',
    '              signature verified; answered 204',
    '              {"id":1}',
  ]);
});

test('a sender cannot control the terminal', () => {
  const hostile = '\u001b]0;title\u0007\u009b2J';
  const shown = inWords({ ...webhook, path: `/${hostile}`, body: Buffer.from(`a\n${hostile}`) });
  expect(shown.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
});

test('a long body is cut for people and whole in JSON, and bytes that are no text are in base64', () => {
  const long = { ...webhook, body: Buffer.from('x'.repeat(5_000)) };
  expect(inWords(long)).toContain('(1000 more characters)');
  expect(JSON.parse(asJson(long))).toMatchObject({ body: 'x'.repeat(5_000), signature: 'verified' });
  expect(JSON.parse(asJson({ ...webhook, body: Buffer.from([0xff]) }))).toMatchObject({ bodyBase64: '/w==' });
});
