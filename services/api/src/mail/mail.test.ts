import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { queueMail } from '@posthorn/mail/outgoing-mail';
import { type ArrivedMail, type MailServer, startMailServer } from '@posthorn/testkit/mail-server';
import { makeOwnAuthority } from '@posthorn/testkit/own-authority';
import { waitFor as waitUntil } from '@posthorn/testkit/wait-for';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { codeOf, createCaller, tally } from '../../test/caller.ts';
import { seedPerson, seedPortal, uuidOf } from '../../test/people.ts';
import { createResetToken } from '../account/recover-access.ts';
import { createMailRound, type MailRoundDeps, nextTry } from './mail-round.ts';
import { openSmtp } from './smtp.ts';
import { parseSender, parseSmtpUrl } from './smtp-settings.ts';

const login = { user: 'posthorn', password: 'a p@ss/word' };
const sender = parseSender('Posthorn of Acme <posthorn@example.com>');
const ehloName = 'hooks.example.com';

let api: ApiUnderTest;
let server: MailServer;
let ca: string;
let certificate: { key: string; cert: string };
/** The server's answer to a recipient, by address. */
const refusals = new Map<string, number>();

beforeAll(async () => {
  const authority = await makeOwnAuthority();
  ca = authority.caPem;
  certificate = await authority.issue({ names: ['localhost'] });
  const tls = { ...certificate, isImplicit: false };
  server = await startMailServer({ tls, login, refuses: (address) => refusals.get(address) });
  api = await startApi({
    settings: { SMTP_URL: parseSmtpUrl(urlOf(server)), SMTP_CA: ca, MAIL_FROM: sender },
    rateLimits: { management: 0, ingest: 0 },
  });
});
afterAll(async () => {
  await api.stop();
  await server.close();
});

const waitFor = <T>(what: string, condition: () => T | Promise<T>) => waitUntil(condition, { what });

function urlOf({ port }: MailServer, scheme = 'smtp', password = login.password): string {
  return `${scheme}://${login.user}:${encodeURIComponent(password)}@localhost:${port}`;
}

const anAddress = () => `${newUuid(new Date())}@example.org`;
const mailTo = (address: string) => server.mails.find(({ to }) => to.includes(address));
const arrived = (address: string) => waitFor(`a mail to ${address}`, () => mailTo(address));

async function queue(to: string, options: { workspaceId?: string; subject?: string } = {}): Promise<void> {
  const content = { subject: options.subject ?? 'A subject', paragraphs: ['Words.'], footer: 'Why.' };
  const mail = {
    kind: 'invitation' as const,
    to,
    content,
    ...(options.workspaceId && { workspaceId: options.workspaceId }),
  };
  await queueMail(api.db, api.services.sealingKeys, { mail, now: new Date() });
}

const waiting = () => api.db.outgoingMail.findMany({ where: { dueAt: { not: null } } });
const tryAgainNow = () => api.db.$executeRaw`update outgoing_mail set due_at = now() where due_at is not null`;

function linkIn(mail: ArrivedMail): string {
  return /http:\/\/localhost:3000\/set-password#token=([\w-]+)/.exec(mail.text)?.[1] ?? '';
}

test('a mail arrives encrypted, with the login, as text and as HTML, from the installation', async () => {
  const address = anAddress();
  await queue(address, { subject: 'Grüße\r\nBcc: everybody@example.org' });
  const mail = await arrived(address);
  expect(mail).toMatchObject({ from: 'posthorn@example.com', isEncrypted: true, user: 'posthorn', to: [address] });
  expect(mail.subject).toBe('Grüße Bcc: everybody@example.org');
  expect(mail.headers.has('bcc')).toBe(false);
  // BASE_URL is of this machine, so the domain of the sender names the installation.
  expect(mail.clientName).toBe('example.com');
  expect(mail.headers.get('from')).toBe('Posthorn of Acme <posthorn@example.com>');
  expect([mail.text, mail.html]).toEqual([expect.stringContaining('Words.'), expect.stringContaining('Words.')]);
  await waitFor('the content to be gone', async () => (await waiting()).length === 0);
  const row = await api.db.outgoingMail.findFirstOrThrow({ orderBy: { id: 'desc' } });
  expect(row.content).toBeNull();
});

test('a mail that waits is sealed', async () => {
  const address = anAddress();
  refusals.set(address, 451);
  await queue(address);
  const [row] = await waiting();
  expect(Buffer.from(row?.content ?? []).toString('latin1')).not.toContain(address);
  await api.db.outgoingMail.deleteMany({ where: { dueAt: { not: null } } });
});

test('a server that greylists gets the same mail again later', async () => {
  const address = anAddress();
  refusals.set(address, 451);
  await queue(address);
  const tried = () => api.db.outgoingMail.findFirst({ where: { attempts: 1, claim: null, dueAt: { gt: new Date() } } });
  await waitFor('the refusal to be noted', tried);
  refusals.delete(address);
  await tryAgainNow();
  expect((await arrived(address)).messageId).toMatch(/^<[0-9a-f-]{36}@example\.com>$/);
});

test('a mail that is refused for good is not sent again, and the log and the count say so without the address', async () => {
  const address = anAddress();
  refusals.set(address, 550);
  await queue(address);
  const line = await waitFor('the log line', () => api.logLines.find((one) => one.includes('a mail was given up')));
  expect(line).toContain('550');
  expect(line).not.toContain(address);
  expect(await waiting()).toEqual([]);
  expect(await api.metrics.registry.metrics()).toContain('posthorn_mails_total{kind="invitation",result="refused"} 1');
});

test('several processes send each mail once, even while one workspace has many', async () => {
  const deps: MailRoundDeps = {
    db: api.db,
    keys: api.services.sealingKeys,
    clock: api.services.clock,
    send: openSmtp({ server: parseSmtpUrl(urlOf(server)), sender, ehloName, ca }),
    metrics: api.metrics,
    logger: { warn: () => {} },
  };
  const [many, few] = [uuidOf('ws', api.workspaceId), uuidOf('ws', (await api.seedAnother()).workspaceId)];
  const addresses = Array.from({ length: 12 }, anAddress);
  for (const address of addresses) await queue(address, { workspaceId: many });
  const last = anAddress();
  await queue(last, { workspaceId: few });
  await Promise.all([1, 2, 3].map(() => createMailRound(deps).round()));
  await arrived(last);
  await waitFor('all mails to be sent', async () => (await waiting()).length === 0);
  const counts = tally(server.mails.flatMap(({ to }) => to));
  expect([...addresses, last].map((address) => counts[address])).toEqual([...addresses, last].map(() => 1));
});

test.each([
  ['a wrong password', { password: 'wrong' }],
  ['a certificate that nobody trusts', { ca: undefined }],
])('%s is a fault of the installation: the mail waits', async (_name, wrong: { password?: string; ca?: undefined }) => {
  const smtp = {
    server: parseSmtpUrl(urlOf(server, 'smtp', wrong.password)),
    sender,
    ehloName,
    ca: 'ca' in wrong ? undefined : ca,
  };
  const mail = { id: newUuid(new Date()), createdAt: new Date(), to: anAddress(), subject: 's', text: 't', html: 'h' };
  expect(await openSmtp(smtp)(mail)).toMatchObject({ kind: 'later' });
});

test('a password is not sent to a server without TLS; TLS from the first byte works', async () => {
  const mail = { id: newUuid(new Date()), createdAt: new Date(), to: anAddress(), subject: 's', text: 't', html: 'h' };
  const plain = await startMailServer({ login });
  const must = { ...parseSmtpUrl(urlOf(plain)), mustUpgrade: true };
  expect(await openSmtp({ server: must, sender, ehloName, ca })(mail)).toMatchObject({ kind: 'later' });
  await plain.close();
  const implicit = await startMailServer({ login, tls: { ...certificate, isImplicit: true } });
  const sent = await openSmtp({ server: parseSmtpUrl(urlOf(implicit, 'smtps')), sender, ehloName, ca })(mail);
  expect([sent, implicit.mails[0]?.clientName]).toEqual([{ kind: 'sent' }, 'hooks.example.com']);
  await implicit.close();
});

test('a mail is tried for a day, first after a minute and then more seldom', () => {
  const createdAt = new Date('2026-11-26T00:00:00Z');
  const at = (attempts: number, hours: number) => {
    const now = new Date(createdAt.getTime() + hours * 3_600_000);
    const next = nextTry(attempts, { createdAt, now });
    return next && (next.getTime() - now.getTime()) / 60_000;
  };
  expect([at(1, 0), at(3, 0), at(7, 1), at(40, 22), at(40, 23.5)]).toEqual([1, 5, 60, 60, undefined]);
});

test('an invitation is mailed with its link, in the name of the workspace', async () => {
  const owner = await seedPerson(api.db, { workspaceId: api.workspaceId, role: 'owner' });
  const call = createCaller(api.app, { base: `/api/workspaces/${api.workspaceId}/members`, token: owner.sessionToken });
  const email = anAddress();
  const invited = await call('post', '', { email, role: 'viewer' });
  expect(invited.status).toBe(201);
  const mail = await arrived(email);
  expect(mail.subject).toContain('You are invited to ');
  expect(mail.text).toContain(owner.email);
  const token = linkIn(mail);
  expect(invited.body.setPasswordToken).toBeNull();
  const accepted = await request(api.app).post('/api/auth/set-password').send({ token, password: 'a good password' });
  expect(accepted.status).toBe(204);
});

test.each([
  ['a provider beside passwords', true, [/Or sign in with Okta/, /\/set-password#token=/]],
  ['a provider alone', false, [/To accept, sign in with Okta/, /http:\/\/localhost:3000\/login\b/]],
])('with %s, the mail of an invitation says so', async (_, passwordLogin, said) => {
  const { settings } = api.services;
  Object.assign(settings, { passwordLogin, signInProvider: 'Okta' });
  const owner = await seedPerson(api.db, { workspaceId: api.workspaceId, role: 'owner' });
  const call = createCaller(api.app, { base: `/api/workspaces/${api.workspaceId}/members`, token: owner.sessionToken });
  const email = anAddress();
  const { status } = await call('post', '', { email, role: 'viewer' });
  Object.assign(settings, { passwordLogin: true, signInProvider: null });
  expect(status).toBe(201);
  const { text, html } = await arrived(email);
  for (const form of [text, html]) {
    for (const words of said) expect(form).toMatch(words);
    expect(/password/.test(form)).toBe(passwordLogin);
  }
});

test('all workspaces of an owner together mail at most 200 invitations a day, and no more than 100 for their portals', async () => {
  const [another, second] = [await api.seedAnother(), await api.seedAnother()];
  const createdBy = newUuid(new Date());
  await api.db.workspace.updateMany({
    where: { id: { in: [another, second].map(({ workspaceId }) => uuidOf('ws', workspaceId)) } },
    data: { createdBy },
  });
  const { workspaceId } = another;
  const owner = await seedPerson(api.db, { workspaceId, role: 'owner' });
  const ended = { kind: 'invitation', workspaceId: uuidOf('ws', second.workspaceId), ownerId: createdBy, dueAt: null };
  const hasMailed = (count: number) =>
    api.db.outgoingMail.createMany({
      data: Array.from({ length: count }, () => ({ id: newUuid(new Date()), ...ended })),
    });
  const call = createCaller(api.app, { base: `/api/workspaces/${workspaceId}/members`, token: owner.sessionToken });
  const { portalToken } = await seedPortal(api.db, another);
  const visit = createCaller(api.app, { base: '/api/portal', token: portalToken });
  const rule = { name: 'Down', channel: 'email', events: ['posthorn.endpoint.failing'] };
  await hasMailed(100);
  expect(codeOf(await visit('post', '/alert-rules', { ...rule, target: anAddress() }))).toBe('limit_reached');
  expect(codeOf(await call('post', '', { email: anAddress(), role: 'viewer' }))).toBe(201);
  await api.db.invitation.deleteMany({ where: { workspaceId: uuidOf('ws', workspaceId) } });
  await hasMailed(100);
  const reply = await call('post', '', { email: anAddress(), role: 'viewer' });
  expect(codeOf(reply)).toBe('limit_reached');
  expect(await api.db.invitation.count({ where: { workspaceId: uuidOf('ws', workspaceId) } })).toBe(0);
});

test('one address gets three invitations and confirmations a day from all workspaces of an owner, and others are not counted', async () => {
  const createdBy = newUuid(new Date());
  const address = anAddress();
  const invite = async (of: { createdBy?: string }) => {
    const { workspaceId } = await api.seedAnother();
    await api.db.workspace.update({ where: { id: uuidOf('ws', workspaceId) }, data: of });
    const owner = await seedPerson(api.db, { workspaceId, role: 'owner' });
    const call = createCaller(api.app, { base: `/api/workspaces/${workspaceId}`, token: owner.sessionToken });
    return { call, code: codeOf(await call('post', '/members', { email: address, role: 'viewer' })) };
  };
  const codes = [];
  for (let n = 0; n < 4; n += 1) codes.push((await invite({ createdBy })).code);
  expect(codes).toEqual([201, 201, 201, 'limit_reached']);
  expect((await invite({ createdBy: newUuid(new Date()) })).code).toBe(201);
  const { call } = await invite({ createdBy });
  const rule = { name: 'Down', channel: 'email', events: ['posthorn.endpoint.failing'], target: address };
  expect(codeOf(await call('post', '/alert-rules', rule))).toBe('limit_reached');
});

const forgot = (email: string) => request(api.app).post('/api/auth/forgot-password').send({ email });

test('a forgotten password: the link in the mail sets a new one, once, and a former link is void', async () => {
  const person = await seedPerson(api.db, { email: anAddress(), password: 'the forgotten one' });
  expect((await forgot(person.email.toUpperCase())).status).toBe(204);
  const first = linkIn(await arrived(person.email));
  await forgot(person.email);
  const second = await waitFor('the second mail', () => {
    const mails = server.mails.filter(({ to }) => to.includes(person.email));
    return mails.length === 2 ? mails[1] : undefined;
  });
  const set = (token: string) =>
    request(api.app).post('/api/auth/set-password').send({ token, password: 'a remembered one' });
  expect((await set(first)).status).toBe(401);
  expect((await set(linkIn(second))).status).toBe(204);
  const entered = await request(api.app)
    .post('/api/auth/login')
    .send({ email: person.email, password: 'a remembered one' });
  expect(entered.status).toBe(200);
});

test('a link of the operator stays valid, whoever asks for a mail meanwhile', async () => {
  const person = await seedPerson(api.db, { email: anAddress(), password: 'the forgotten one' });
  const { setPasswordToken } = await createResetToken(api.db, person.email, api.services.clock);
  expect((await forgot(person.email)).status).toBe(204);
  const marker = await seedPerson(api.db, { email: anAddress(), password: 'the forgotten one' });
  await forgot(marker.email);
  await arrived(marker.email);
  expect(mailTo(person.email)).toBeUndefined();
  const set = { token: setPasswordToken, password: 'a remembered one' };
  expect((await request(api.app).post('/api/auth/set-password').send(set)).status).toBe(204);
  await forgot(person.email);
  await arrived(person.email);
});

test('the answer does not say whether an address has an account, and one person gets three mails an hour', async () => {
  const person = await seedPerson(api.db, { email: anAddress(), password: 'the forgotten one' });
  const without = await seedPerson(api.db, { email: anAddress() });
  const answers = [];
  for (const email of [anAddress(), 'no address', without.email, ...Array(4).fill(person.email)]) {
    const { status, text } = await forgot(email);
    answers.push([status, text]);
  }
  expect(answers).toEqual(answers.map(() => [204, '']));
  const mails = () => server.mails.flatMap(({ to }) => to);
  await waitFor('three mails', () => mails().filter((to) => to === person.email).length === 3);
  await waitFor('nothing to wait', async () => (await waiting()).length === 0);
  expect(mails().filter((to) => to === person.email)).toHaveLength(3);
  expect(mails()).not.toContain(without.email);
});

test('too many requests for one address are refused, and do not keep its person from logging in', async () => {
  const person = await seedPerson(api.db, { email: anAddress(), password: 'the right one' });
  const replies = [];
  for (let n = 0; n < 12; n += 1) replies.push(codeOf(await forgot(person.email)));
  expect(tally(replies)).toEqual({ 204: 10, rate_limited: 2 });
  const entered = await request(api.app)
    .post('/api/auth/login')
    .send({ email: person.email, password: 'the right one' });
  expect(entered.status).toBe(200);
});

test('the sign-in page and a logged-in person learn whether mail is sent', async () => {
  expect((await request(api.app).get('/api/auth/sign-in')).body).toEqual({
    sendsMail: true,
    passwordLogin: true,
    provider: null,
  });
  const person = await seedPerson(api.db);
  const me = createCaller(api.app, { base: '/api/auth', token: person.sessionToken });
  expect((await me('get', '/me')).body.sendsMail).toBe(true);
});
