import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { type MailServer, startMailServer } from '@posthorn/testkit/mail-server';
import { waitFor } from '@posthorn/testkit/wait-for';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { codeOf, createCaller } from '../../test/caller.ts';
import { seedPerson, uuidOf } from '../../test/people.ts';
import { parseSmtpUrl } from '../mail/smtp-settings.ts';
import { runAdmin } from '../run-admin.ts';

// An account costs its maker nothing: a member with a password, at an address that nobody proves.

const PASSWORD = 'chosen by the maker';
let server: MailServer;
let api: ApiUnderTest;
beforeAll(async () => {
  server = await startMailServer();
  const settings = { SMTP_URL: parseSmtpUrl(`smtp://127.0.0.1:${server.port}`) };
  api = await startApi({ settings, rateLimits: { management: 0, ingest: 0 }, maxWorkspacesPerUser: 3 });
});
afterAll(async () => {
  await api?.stop();
  await server?.close();
});

const anAddress = () => `${newUuid(new Date())}@example.org`;
const post = (path: string, body: object) => request(api.app).post(path).send(body);
const ofAccount = (token: string) => createCaller(api.app, { base: '/api', token });
const ofWorkspace = (token: string, workspaceId: string) =>
  createCaller(api.app, { base: `/api/workspaces/${workspaceId}`, token });
const found = (token: string) =>
  ofAccount(token)('post', '/workspaces', { name: 'Mine', slug: newUuid(new Date()).slice(-30) });

async function anOwner() {
  const { workspaceId } = await api.seedAnother();
  const person = await seedPerson(api.db, { workspaceId, role: 'owner' });
  return { ...person, workspaceId, call: ofWorkspace(person.sessionToken, workspaceId) };
}

/** An account that the owner has made as a member, and its session. */
async function puppetOf(owner: Awaited<ReturnType<typeof anOwner>>, role = 'admin') {
  const email = anAddress();
  const { body } = await owner.call('post', '/members', { email, role, password: PASSWORD }).expect(201);
  const { token } = (await post('/api/auth/login', { email, password: PASSWORD })).body;
  return { email, userId: body.userId as string, token: token as string };
}

const linkIn = async (email: string, about: RegExp) => {
  const of = () => server.mails.findLast((mail) => mail.to.includes(email) && about.test(mail.subject));
  const { text } = await waitFor(of, { what: `a mail to ${email}` });
  return /\/set-password#token=([\w-]+)/.exec(text)?.[1] ?? '';
};

async function prove(email: string, password = PASSWORD) {
  await post('/api/auth/forgot-password', { email }).expect(204);
  const token = await linkIn(email, /new Posthorn password/);
  await post('/api/auth/set-password', { token, password }).expect(204);
  return (await post('/api/auth/login', { email, password })).body.token as string;
}

test('an account whose address nobody has proved makes no workspace and mails nobody, until it is proved', async () => {
  const owner = await anOwner();
  const { email, token } = await puppetOf(owner);
  const stranger = anAddress();
  const refused = await found(token);
  expect([refused.status, refused.body.error.message]).toEqual([403, expect.stringContaining('“Forgot password?”')]);
  const call = ofWorkspace(token, owner.workspaceId);
  const rule = { name: 'Any', channel: 'email', target: stranger, events: ['posthorn.endpoint.failing'] };
  expect(codeOf(await call('post', '/members', { email: stranger, role: 'viewer' }))).toBe('forbidden');
  expect(codeOf(await call('post', '/alert-rules', rule))).toBe('forbidden');
  expect(await api.db.outgoingMail.count({ where: { workspaceId: uuidOf('ws', owner.workspaceId) } })).toBe(0);

  const proven = await prove(email);
  expect((await found(proven)).status).toBe(201);
  await ofWorkspace(proven, owner.workspaceId)('post', '/members', { email: stranger, role: 'viewer' }).expect(201);
  await linkIn(stranger, /invited/);
});

test('a workspace that such an account has created before, or its token, mails nobody either', async () => {
  const owner = await anOwner();
  const { userId } = await puppetOf(owner);
  await api.db.workspace.update({
    where: { id: uuidOf('ws', owner.workspaceId) },
    data: { createdBy: uuidOf('usr', userId) },
  });
  expect(codeOf(await owner.call('post', '/members', { email: anAddress(), role: 'viewer' }))).toBe('forbidden');
});

test('nobody becomes an owner without a proved address, and a member who becomes one learns of it by a mail', async () => {
  const owner = await anOwner();
  const withPassword = { email: anAddress(), role: 'owner', password: PASSWORD };
  const made = await owner.call('post', '/members', withPassword);
  expect([codeOf(made), made.body.error.details?.[0]?.field ?? made.body.error.message]).toEqual([
    'validation_error',
    expect.stringContaining('password'),
  ]);
  const { email, userId } = await puppetOf(owner);
  const promote = () => owner.call('patch', `/members/${userId}`, { role: 'owner' });
  expect(codeOf(await promote())).toBe('forbidden');
  await prove(email);
  await promote().expect(200);
  await waitFor(
    () => server.mails.find((mail) => mail.to.includes(email) && /You are an owner of/.test(mail.subject)),
    {
      what: 'the mail to the new owner',
    },
  );
});

test('who hands the ownership on makes no other workspace instead', async () => {
  const { sessionToken, userId } = await seedPerson(api.db);
  const heir = await seedPerson(api.db);
  for (let n = 0; n < 3; n += 1) {
    const { id } = (await found(sessionToken).expect(201)).body;
    const workspaceId = uuidOf('ws', id);
    await api.db.member.updateMany({
      where: { workspaceId, userId: uuidOf('usr', userId) },
      data: { userId: uuidOf('usr', heir.userId) },
    });
  }
  expect(await api.db.member.count({ where: { userId: uuidOf('usr', userId) } })).toBe(0);
  expect(codeOf(await found(sessionToken))).toBe('limit_reached');
});

test('the operator vouches for the owner whom posthorn-admin invites with a token', async () => {
  const email = anAddress();
  const lines: string[] = [];
  const terminal = {
    environment: { DATABASE_URL: api.databaseUrl },
    readInput: async () => '',
    write: (text: string) => void lines.push(text),
    writeError: (text: string) => void lines.push(text),
  };
  const slug = newUuid(new Date()).slice(-30);
  expect(await runAdmin(['create-workspace', '--name', 'Acme', '--slug', slug, '--email', email], terminal)).toBe(0);
  const { setPasswordToken } = JSON.parse(lines.join(''));
  await post('/api/auth/set-password', { token: setPasswordToken, password: PASSWORD }).expect(204);
  const { token } = (await post('/api/auth/login', { email, password: PASSWORD })).body;
  expect((await found(token)).status).toBe(201);
});
