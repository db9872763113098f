import { describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import type { Kind } from './kind.ts';
import { KINDS, settingsOf } from './kinds.ts';

const kinds: readonly Kind[] = KINDS;

describe.each(kinds.map((kind) => [kind.type, kind] as const))('the kind %s', (type, kind) => {
  test('is the only one of its type, and its type fits into a host name', () => {
    expect(kinds.filter((one) => one.type === type)).toHaveLength(1);
    expect(new URL(`https://${type}.invalid/`).hostname).toBe(`${type}.invalid`);
  });

  test('says in words what a form and a customer need', () => {
    const { label, description, setup, delivered, ordering, deduplication } = kind;
    for (const text of [label, description, setup, delivered, ordering, deduplication]) {
      expect(text).toMatch(/\S/);
      expect(text).not.toMatch(/Posthorn/);
    }
  });

  test('has schemas that are JSON Schemas', () => {
    for (const schema of [kind.section?.schema, kind.credentials]) {
      if (schema) expect(z.toJSONSchema(schema, { io: 'input' })).toMatchObject({ type: 'object' });
    }
  });

  test('describes each field of its forms, with an example', () => {
    const fields = [kind.section?.schema, kind.credentials].flatMap((schema) =>
      schema ? Object.entries(z.toJSONSchema(schema, { io: 'input' }).properties ?? {}) : [],
    );
    for (const [name, field] of fields) {
      const texts = { name, title: expect.stringMatching(/\S/), description: expect.stringMatching(/\S/) };
      expect({ name, ...(field as object) }).toMatchObject({ ...texts, examples: [expect.anything()] });
    }
  });

  test('opens, unless its customer fetches the messages', async () => {
    if (kind.load !== null) expect(typeof (await kind.load()).open).toBe('function');
  });
});

test('the settings of an endpoint without any are empty', () => {
  const section = { key: 'destination', schema: z.object({}) };
  expect(settingsOf({ section }, { destination: { host: 'a' }, other: 1 })).toEqual({ host: 'a' });
  expect(settingsOf({ section }, {})).toEqual({});
  expect(settingsOf({ section: null }, { destination: {} })).toEqual({});
});
