import { describe, expect, test } from '@jest/globals';
import { fillTemplate, template } from './template.ts';

const values = {
  ...{ eventType: 'order.placed', eventId: 'msg_1', orderingKey: '', applicationId: 'app_1', date: '2026-11-26' },
  payload: Buffer.from('{"order":{"id":7,"tags":["a"],"isNew":true,"text":"{{eventId}}"},"none":null}'),
};

test.each([
  ['{{date}}/{{eventType}}/{{eventId}}', '2026-11-26/order.placed/msg_1'],
  ['{{data.order.id}}-{{data.order.isNew}}-{{data.order.tags.0}}', '7-true-a'],
  ['[{{orderingKey}}{{data.none}}{{data.order}}{{data.missing.deep}}{{data.order.constructor}}]', '[]'],
  // A value is not itself read as a template.
  ['{{data.order.text}}', '{{eventId}}'],
  ['plain', 'plain'],
])('%s becomes %s', (text, filled) => {
  expect(fillTemplate(text, values)).toBe(filled);
});

test.each([
  ['9007199254740993', '9007199254740993'],
  ['-12345678901234567890', '-12345678901234567890'],
  ['100000000000000000000000', '100000000000000000000000'],
  ['1234567890.123456789', '1234567890.123456789'],
  ['9007199254740992', '9007199254740992'],
  ['12.50', '12.5'],
  ['1e3', '1000'],
])('no digit of the number %s is lost', (number, filled) => {
  const payload = Buffer.from(`\ufeff{"text":"\\"12345678901234567890\\\\","x":${number},"list":[true,${number}]}`);
  const text = '{{data.text}} {{data.x}} {{data.list.1}} {{data.list.0}}';
  expect(fillTemplate(text, { ...values, payload })).toBe(`"12345678901234567890\\ ${filled} ${filled} true`);
});

test('half of a pair of surrogates is replaced: it cannot be sent as UTF-8', () => {
  const payload = Buffer.from(String.raw`{"x":"a\ud800b"}`);
  expect(fillTemplate('{{data.x}}', { ...values, payload })).toBe('a\ufffdb');
});

test('a payload of JSON may begin with a byte order mark', () => {
  expect(fillTemplate('a{{data.x}}', { ...values, payload: Buffer.from('\ufeff{"x":1}') })).toBe('a1');
});

test('a payload that is not JSON has no values', () => {
  expect(fillTemplate('a{{data.x}}', { ...values, payload: Buffer.from([0xff]) })).toBe('a');
});

describe('a template is refused', () => {
  test.each(['', '{{unknown}}', '{{ eventId }}', '{{data}}', '{{data.}}', '{{eventId', 'eventId}}', 'x'.repeat(1_001)])(
    '%j',
    (text) => expect(template.safeParse(text).success).toBe(false),
  );
});
