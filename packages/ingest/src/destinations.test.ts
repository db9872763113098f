import { afterAll, describe, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { isWrongValue } from '@posthorn/db/violations';
import { systemClock } from '@posthorn/runtime/clock';
import { createTestDatabase } from '@posthorn/testkit/database';
import { insertEndpoint } from '@posthorn/testkit/delivery-rows';
import { createDestinations } from './destinations.ts';

const database = await createTestDatabase();
const { db } = database;
afterAll(() => database.drop());

const place = await insertEndpoint(db);
const limits = { eventsPerDay: null, bytesKept: null, attemptBytesKept: null };
const holder = { ...place, ownerId: place.workspaceId, requireApplication: false, limits };
const destinations = createDestinations(db, systemClock);

const NUL = String.fromCharCode(0);
const LONE_SURROGATE = String.fromCharCode(0xd800);

describe('a name that no application, endpoint or event type can have is not found, and asks Postgres nothing', () => {
  test.each([
    ['with U+0000', `a${NUL}`],
    ['with half of a pair of surrogates', `a${LONE_SURROGATE}`],
    ['with a space', 'a b'],
    ['with a letter beyond ASCII', 'é'],
    ['without a letter', ''],
    ['of 100,000 letters', 'x'.repeat(100_000)],
  ])('%s', async (_what, name) => {
    const missing = { code: 'not_found' };
    await expect(destinations.requireApplication(holder, `ext:${name}`)).rejects.toMatchObject(missing);
    await expect(destinations.requireApplication(holder, name)).rejects.toMatchObject(missing);
    await expect(destinations.requireEndpoint(holder, `ext:${name}`, null)).rejects.toMatchObject(missing);
    await expect(destinations.requireEndpoint(holder, name, null)).rejects.toMatchObject(missing);
    await expect(destinations.requireEventType(holder, name)).rejects.toMatchObject(missing);
  });
});

test('an application is found by its externalId', async () => {
  const id = newUuid(new Date());
  const { workspaceId } = place;
  await db.application.create({ data: { id, workspaceId, name: 'Acme', externalId: 'acme' } });
  expect(await destinations.requireApplication(holder, 'ext:acme')).toBe(id);
});

test('a value that Postgres holds nowhere is told from a fault that passes', async () => {
  const refused = await db.application.findFirst({ where: { externalId: NUL } }).catch((error: unknown) => error);
  expect(isWrongValue(refused)).toBe(true);
  expect(isWrongValue(new Error('Connection terminated'))).toBe(false);
});
