import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../../test/api-under-test.ts';
import { type SeededPerson, seedPerson } from '../../../test/people.ts';

const PASSWORD = 'correct horse battery';
const DAY_MS = 86_400_000;
let api: ApiUnderTest;
let ada: SeededPerson;
let offsetMs = 0;

beforeAll(async () => {
  const clock = { now: () => new Date(Date.now() + offsetMs), monotonicMs: () => performance.now() };
  api = await startApi({ clock });
  ada = await seedPerson(api.db, { password: PASSWORD, workspaceId: api.workspaceId, role: 'viewer' });
});
afterEach(async () => {
  offsetMs = 0;
  await api.db.deviceLogin.deleteMany();
});
afterAll(() => api.stop());

const send = (path: string, body: object, token?: string) => {
  const sent = request(api.app).post(`/api/auth/${path}`);
  return (token === undefined ? sent : sent.set('authorization', `Bearer ${token}`)).send(body);
};
const get = (path: string, token: string) => request(api.app).get(path).set('authorization', `Bearer ${token}`);
const start = async (name = 'ada-laptop') => (await send('device-logins', { name })).body;
const poll = async (deviceCode: string) => (await send('device-logins/poll', { deviceCode })).body;
const answer = (verb: string, userCode: string, token = ada.sessionToken) =>
  send(`device-logins/${verb}`, { userCode }, token);
const later = (ms: number) => {
  offsetMs += ms;
};

/** Logs a device in, and returns its token. */
async function logInDevice(name?: string): Promise<string> {
  const { deviceCode, userCode } = await start(name);
  expect((await answer('approve', userCode)).status).toBe(204);
  return (await poll(deviceCode)).session.token;
}

test('a device gets a session of 30 days once the person has confirmed its code, and the code is then used up', async () => {
  const begun = await start();
  expect(begun).toEqual({
    deviceCode: expect.stringMatching(/^[\w-]{43}$/),
    userCode: expect.stringMatching(/^[B-DF-HJ-NP-TV-XZ]{4}-[B-DF-HJ-NP-TV-XZ]{4}$/),
    verificationUrl: expect.stringMatching(/\/device$/),
    verificationUrlComplete: `${begun.verificationUrl}?code=${begun.userCode}`,
    expiresAt: expect.any(String),
    intervalSeconds: 2,
  });
  expect(await poll(begun.deviceCode)).toEqual({ status: 'pending', intervalSeconds: 2, session: null });

  // The code as people may type it.
  const typed = ` ${begun.userCode.replace('-', ' ').toLowerCase()}`;
  const shown = await answer('verify', typed);
  expect(shown.body).toMatchObject({ name: 'ada-laptop', isOwnNetwork: true, expiresAt: begun.expiresAt });
  expect((await answer('approve', typed)).status).toBe(204);

  const { status, session } = await poll(begun.deviceCode);
  expect([status, session.user.id]).toEqual(['approved', ada.userId]);
  expect((Date.parse(session.expiresAt) - Date.now()) / DAY_MS).toBeCloseTo(30, 1);
  expect(await poll(begun.deviceCode)).toEqual({ status: 'expired', intervalSeconds: 0, session: null });

  // The device has the role of the member at the dashboard's interface.
  const workspace = `/api/workspaces/${api.workspaceId}`;
  expect((await get(`${workspace}/endpoints`, session.token)).status).toBe(200);
  const refused = await request(api.app)
    .post(`${workspace}/environments`)
    .set('authorization', `Bearer ${session.token}`)
    .send({ name: 'X', slug: 'x' });
  expect(refused.status).toBe(403);
});

test('the address of the page has one slash, however BASE_URL ends', async () => {
  const other = await startApi({ settings: { BASE_URL: 'http://localhost:3000//' } });
  try {
    const { body } = await request(other.app).post('/api/auth/device-logins').send({ name: 'ada-laptop' });
    expect(body.verificationUrl).toBe('http://localhost:3000/device');
  } finally {
    await other.stop();
  }
});

test('the session of a device has its name in the list, does not slide, and ends when the person ends it', async () => {
  const token = await logInDevice('ada-desktop');
  const sessions = (await get('/api/auth/sessions', ada.sessionToken)).body;
  const device = sessions.find(({ name }: { name: string | null }) => name === 'ada-desktop');
  expect(device).toMatchObject({ kind: 'device', isCurrent: false });
  expect(sessions.find(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toMatchObject({
    kind: 'browser',
    name: null,
  });

  const before = (await get('/api/auth/me', token)).body.expiresAt;
  later(3 * 3_600_000);
  expect((await get('/api/auth/me', token)).body.expiresAt).toBe(before);
  await request(api.app)
    .delete(`/api/auth/sessions/${device.id}`)
    .set('authorization', `Bearer ${ada.sessionToken}`)
    .expect(204);
  expect((await get('/api/auth/me', token)).status).toBe(401);
});

test('a session of a device ends after 30 days, however much it is used', async () => {
  const bob = await seedPerson(api.db);
  const { deviceCode, userCode } = await start();
  await answer('approve', userCode, bob.sessionToken).expect(204);
  const { token } = (await poll(deviceCode)).session;
  later(30 * DAY_MS - 60_000);
  expect((await get('/api/auth/me', token)).status).toBe(200);
  later(61_000);
  expect((await get('/api/auth/me', token)).status).toBe(401);
});

test('a poll before its time is told to slow down, and the interval grows', async () => {
  const { deviceCode } = await start();
  expect((await poll(deviceCode)).status).toBe('pending');
  expect(await poll(deviceCode)).toMatchObject({ status: 'slow_down', intervalSeconds: 7 });
  later(7_000);
  expect(await poll(deviceCode)).toMatchObject({ status: 'pending', intervalSeconds: 7 });
});

test('a refused device is told so, and its code cannot be confirmed any more', async () => {
  const { deviceCode, userCode } = await start();
  expect((await answer('refuse', userCode)).status).toBe(204);
  expect((await poll(deviceCode)).status).toBe('refused');
  expect((await answer('approve', userCode)).status).toBe(404);
});

test('a code ends after ten minutes, confirmed or not', async () => {
  const [open, confirmed] = [await start(), await start()];
  await answer('approve', confirmed.userCode).expect(204);
  later(600_001);
  expect((await answer('approve', open.userCode)).status).toBe(404);
  expect([(await poll(open.deviceCode)).status, (await poll(confirmed.deviceCode)).status]).toEqual([
    'expired',
    'expired',
  ]);
});

test('two polls at the same time get one session', async () => {
  const { deviceCode, userCode } = await start();
  await answer('approve', userCode).expect(204);
  const polls = await Promise.all([poll(deviceCode), poll(deviceCode), poll(deviceCode)]);
  expect(polls.filter(({ session }) => session !== null)).toHaveLength(1);
});

test('a confirmation does not outlive the session in which it was given', async () => {
  const login = { email: ada.email, password: PASSWORD };
  const { token } = (await send('login', login)).body;
  const { deviceCode, userCode } = await start();
  await answer('approve', userCode, token).expect(204);
  await send('logout', {}, token).expect(204);
  expect((await poll(deviceCode)).status).toBe('expired');
});

test('the audit log of each workspace of the person says who let which device in, and who refused one', async () => {
  const [wanted, stranger] = [await start('ada-tablet'), await start('not-mine')];
  await answer('approve', wanted.userCode).expect(204);
  await answer('refuse', stranger.userCode).expect(204);
  await answer('approve', wanted.userCode).expect(404);
  const audit = await get(`/api/workspaces/${api.workspaceId}/audit-logs`, ada.sessionToken);
  const entries = audit.body.data.filter(({ action }: { action: string }) => action.startsWith('member.device_'));
  const by = { actorType: 'user', actorId: ada.userId, resourceType: 'member', resourceId: ada.userId };
  const device = (name: string) => ({
    device: { from: null, to: name },
    address: { from: null, to: expect.any(String) },
  });
  expect(entries.slice(0, 2)).toMatchObject([
    { ...by, action: 'member.device_refused', metadata: { changes: device('not-mine'), ip: expect.any(String) } },
    { ...by, action: 'member.device_approved', metadata: { changes: device('ada-tablet'), ip: expect.any(String) } },
  ]);
  expect(
    entries.filter(({ metadata }: { metadata: { changes: object } }) =>
      JSON.stringify(metadata).includes('ada-tablet'),
    ),
  ).toHaveLength(1);
});

test('the session of a device logs no other device in', async () => {
  const token = await logInDevice();
  const { userCode } = await start();
  expect((await answer('approve', userCode, token)).status).toBe(403);
});

test('neither code is stored', async () => {
  const { deviceCode, userCode } = await start();
  const rows = await api.db.$queryRaw<unknown[]>`select to_jsonb(d)::text as row from device_login d`;
  const text = JSON.stringify(rows);
  for (const code of [deviceCode, userCode, userCode.replace('-', '')]) expect(text).not.toContain(code);
});

test('wrong codes of a person are limited, and the password still works', async () => {
  const eve = await seedPerson(api.db, { password: PASSWORD });
  const statuses: number[] = [];
  for (let tries = 0; tries < 11; tries += 1) {
    statuses.push((await answer('verify', 'BBBB-BBBB', eve.sessionToken)).status);
  }
  expect(statuses).toEqual([...Array(10).fill(404), 429]);
  expect((await send('login', { email: eve.email, password: PASSWORD })).status).toBe(200);
});

test('the devices of one network that wait are limited', async () => {
  const statuses: number[] = [];
  for (let started = 0; started < 11; started += 1) {
    statuses.push((await send('device-logins', { name: 'x' })).status);
  }
  expect(statuses).toEqual([...Array(10).fill(201), 429]);
});

test('the devices of one network are limited also when they begin at the same time', async () => {
  const replies = await Promise.all(Array.from({ length: 20 }, () => send('device-logins', { name: 'x' })));
  expect(replies.map(({ status }) => status).sort()).toEqual([...Array(10).fill(201), ...Array(10).fill(429)]);
});

test('a device that was refused waits no more, and makes room for another', async () => {
  const { userCode } = await start();
  for (let started = 1; started < 10; started += 1) await start();
  expect((await send('device-logins', { name: 'x' })).status).toBe(429);
  await answer('refuse', userCode).expect(204);
  expect((await send('device-logins', { name: 'x' })).status).toBe(201);
});
