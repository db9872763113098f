import { expect, test } from '@jest/globals';
import { md5OfAttributes } from './md5.ts';
import { messageGroup, messageText } from './text.ts';

test('text is sent as it is, and anything else as base64', () => {
  expect(messageText(Buffer.from('{"ü":"\t\n😀"}'))).toEqual({ text: '{"ü":"\t\n😀"}', encoding: 'utf-8' });
  for (const body of [Buffer.from([0xff, 0xfe]), Buffer.from('a\u0000b'), Buffer.from('\uffff')]) {
    expect(messageText(body)).toEqual({ text: body.toString('base64'), encoding: 'base64' });
  }
});

test('the group is the ordering key, its digest if the name is not allowed, or else the event', () => {
  expect(messageGroup('order-1', 'e')).toBe('order-1');
  expect(messageGroup(null, 'e')).toBe('e');
  expect(messageGroup('with a space', 'e')).toMatch(/^[0-9a-f]{64}$/);
  expect(messageGroup('k'.repeat(129), 'e')).toMatch(/^[0-9a-f]{64}$/);
  expect(messageGroup('with a space', 'e')).not.toBe(messageGroup('with another space', 'e'));
});

test('the MD5 of attributes does not depend on their order', () => {
  expect(md5OfAttributes({ b: '2', a: 'ü' })).toBe(md5OfAttributes({ a: 'ü', b: '2' }));
  expect(md5OfAttributes({ a: 'ü' })).not.toBe(md5OfAttributes({ a: 'u' }));
});
