import { expect, test } from '@jest/globals';
import { LIMITS } from '@posthorn/contract/limits';
import type { z } from 'zod';
import { accountRoutes } from '../account/account.routes.ts';
import { asObject, type Json, type JsonObject } from '../openapi/json.ts';
import { createSchemaWriter } from '../openapi/json-schema.ts';
import { portalRoutes } from '../portal/portal.routes.ts';
import { routes } from '../routes.ts';

// zod makes an issue for each fault of an object with any keys, and for each of an array, before it looks at their size.
// A body of 256 KiB had room for 100,000 faults, which held the process for a quarter of a second.

/** 100 items of an array may each have some faults. */
const MAX_ISSUES = 1_000;

const bodies = [...routes, ...portalRoutes, ...accountRoutes].flatMap(({ operationId, body }) =>
  body === undefined ? [] : [{ operationId, body: body as z.ZodType }],
);

const { managementBodyBytes: bytes } = LIMITS;
const repeat = (text: (n: number) => string, each: number) =>
  Array.from({ length: Math.floor((bytes - 5_000) / each) }, (_, n) => text(n)).join();

/** Values of nearly 256 KiB in which nearly every member is faulty. */
const hostile = [
  `[${repeat(() => '0', 2)}]`,
  `[${repeat(() => '[]', 3)}]`,
  `{${repeat((n) => `"${n.toString(36)}":0`, 9)}}`,
  `{${repeat((n) => `" ${n.toString(36)}":""`, 11)}}`,
].map((text): Json => JSON.parse(text));

test.each<[string, z.ZodType]>(bodies.map(({ operationId, body }) => [operationId, body]))(
  'no body of %s has more than 1,000 faults to report, whichever field the 256 KiB are in',
  (_operation, body) => {
    const writer = createSchemaWriter();
    const written = writer.write(body, 'input');
    const places = placesIn(written, writer.components());
    const counts = places.flatMap((place) =>
      hostile.map((value) => [
        place.join('.'),
        body.safeParse(filled(place, value)).error?.issues.flatMap(counted).length ?? 0,
      ]),
    );
    expect(counts.filter(([, count]) => Number(count) > MAX_ISSUES)).toEqual([]);
  },
);

test('the issues of a schema without such a limit are counted', () => {
  const [listed] = hostile;
  expect(routes.length).toBeGreaterThan(60);
  expect(bodies.length).toBeGreaterThan(25);
  expect(Array.isArray(listed) && listed.length).toBeGreaterThan(100_000);
});

/** The issue, and those of the alternatives of a union. */
function counted(issue: z.core.$ZodIssue): unknown[] {
  return issue.code === 'invalid_union' ? [issue, ...issue.errors.flat().flatMap(counted)] : [issue];
}

/** The body itself and each field at any depth, by its path; `0` is an item of an array. */
function placesIn(schema: JsonObject, components: JsonObject, place: string[] = []): string[][] {
  const name = typeof schema.$ref === 'string' ? schema.$ref.replace('#/components/schemas/', '') : undefined;
  const shape = name === undefined ? schema : asObject(components[name]);
  const inner = Object.entries(asObject(shape.properties ?? {}));
  const items: [string, Json][] = shape.items === undefined ? [] : [['0', shape.items]];
  return [place, ...[...inner, ...items].flatMap(([key, one]) => placesIn(asObject(one), components, [...place, key]))];
}

function filled(place: readonly string[], value: Json): Json {
  const [first, ...rest] = place;
  if (first === undefined) return value;
  return first === '0' ? [filled(rest, value)] : { [first]: filled(rest, value) };
}
