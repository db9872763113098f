import { describe, expect, test } from '@jest/globals';
import { draftOf, typedValue } from '../draft.ts';
import { changeOf, fieldsOf, shapeOf } from './schema-fields.ts';

const fields = fieldsOf({
  properties: {
    host: { type: 'string', title: 'Host', examples: ['broker.example.com'] },
    port: { type: 'integer', default: 5_671 },
    tls: { type: 'boolean', default: true },
    servers: { type: 'array', examples: [['a:1', 'b:2']] },
    mode: { type: 'string', enum: ['one', 'two'] },
    ca: { type: 'string', maxLength: 16_384 },
    password: { type: 'string', maxLength: 256, writeOnly: true, description: 'Of the user.' },
  },
  required: ['host'],
});

const shape = shapeOf(fields);

describe('a form of a JSON Schema', () => {
  test('has a control for each property', () => {
    expect(fields.map(({ name, control }) => `${name}: ${control}`)).toEqual([
      'host: text',
      'port: number',
      'tls: switch',
      'servers: list',
      'mode: choice',
      'ca: long',
      'password: text',
    ]);
    expect(fields[0]).toMatchObject({ label: 'Host', isRequired: true, placeholder: 'broker.example.com' });
    expect(fields[3]?.placeholder).toBe('a:1\nb:2');
    expect(fields[4]?.choices).toEqual(['one', 'two']);
    expect(fields[6]).toMatchObject({ label: 'password', isSecret: true, description: 'Of the user.' });
  });

  test('begins with the defaults, and leaves out what is empty', () => {
    const draft = { ...draftOf(shape), host: ' a.example ', servers: 'a:1\n\n b:2 ' };
    expect(typedValue(shape, draft, {})).toEqual({
      host: 'a.example',
      port: 5_671,
      tls: true,
      servers: ['a:1', 'b:2'],
    });
  });

  test('shows a value, and gives it back as it was', () => {
    const value = { host: 'a.example', port: 1, tls: false, servers: ['a:1'], mode: 'two', ca: '-----\nx\n' };
    expect(typedValue(shape, draftOf(shape, value), {})).toEqual(value);
  });

  test('replaces and removes credentials, and keeps the others', () => {
    const secrets = fieldsOf({ properties: { a: {}, b: {}, c: {} } });
    expect(changeOf(secrets, { ...draftOf(shapeOf(secrets)), a: 'new', b: null })).toEqual({ a: 'new', b: null });
  });

  test('of no schema has no fields', () => {
    expect([fieldsOf(null), fieldsOf(undefined), fieldsOf({})]).toEqual([[], [], []]);
  });
});
