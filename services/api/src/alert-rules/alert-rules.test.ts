import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { alertErrorColumns } from '@posthorn/db/alert-error';
import { type MailServer, startMailServer } from '@posthorn/testkit/mail-server';
import type { SeededWorkspace } from '@posthorn/testkit/seed';
import { waitFor } from '@posthorn/testkit/wait-for';
import request from 'supertest';
import { type ApiUnderTest, startApi } from '../../test/api-under-test.ts';
import { type Caller, codeOf, createCaller, managementCaller } from '../../test/caller.ts';
import { seedPerson, seedPortal, uuidOf } from '../../test/people.ts';
import { parseSmtpUrl } from '../mail/smtp-settings.ts';

const events = ['posthorn.endpoint.failing'];
const slack = { name: 'On call', channel: 'slack', target: 'https://127.0.0.1/services/T0/B0/secret', events };

let api: ApiUnderTest;
let server: MailServer;
let workspace: SeededWorkspace;
let call: Caller;
beforeAll(async () => {
  server = await startMailServer();
  api = await startApi({
    settings: { SMTP_URL: parseSmtpUrl(`smtp://127.0.0.1:${server.port}`) },
    rateLimits: { management: 0, ingest: 0 },
  });
});
afterAll(async () => {
  await api.stop();
  await server.close();
});
beforeEach(async () => {
  workspace = await api.seedAnother();
  call = managing(workspace);
});

const managing = ({ workspaceId, managementToken }: SeededWorkspace) =>
  managementCaller(api.app, { workspaceId, managementToken });
const anAddress = () => `${newUuid(new Date())}@example.org`;
const mailTo = (address: string) =>
  waitFor(() => server.mails.find(({ to }) => to.includes(address)), { what: `a mail to ${address}` });
const tokenIn = (text: string) => /confirm-alerts#token=([\w-]+)/.exec(text)?.[1];
const verify = (token: unknown) =>
  request(api.app).post('/api/auth/verify-alert-target').set('User-Agent', 'a browser').send({ token });

async function portal(of = workspace) {
  const seeded = await seedPortal(api.db, { ...of, capabilities: ['endpoints:read', 'alerts:write'] });
  return { ...seeded, call: createCaller(api.app, { base: '/api/portal', token: seeded.portalToken }) };
}

describe('rules', () => {
  test('a rule is created, listed, changed and deleted; its target is shown shortened and stored sealed', async () => {
    const created = await call('post', '/alert-rules', slack);
    expect(created.status).toBe(201);
    expect(created.body).toEqual({
      id: expect.stringMatching(/^alr_/),
      ...slack,
      target: 'https://127.0.0.1/…cret',
      environmentId: null,
      applicationId: null,
      isOfPortal: false,
      quietMinutes: 60,
      status: 'active',
      lastSentAt: null,
      lastError: null,
      lastErrorCode: null,
      lastErrorStatus: null,
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
    const { id } = created.body;
    const row = await api.db.alertRule.findUniqueOrThrow({ where: { id: uuidOf('alr', id) } });
    expect(Buffer.from(row.targetSealed).toString('latin1')).not.toContain('secret');
    expect((await call('get', '/alert-rules')).body).toEqual([created.body]);
    const read = (await call('get', `/alert-rules/${id}`)).body;
    const sentBack = await call('patch', `/alert-rules/${id}`, { ...read, quietMinutes: 5 });
    expect(sentBack.body).toMatchObject({ quietMinutes: 5, target: read.target });
    const moved = await call('patch', `/alert-rules/${id}`, { target: 'https://127.0.0.1/other' });
    expect(moved.body.target).toBe('https://127.0.0.1/…ther');
    expect((await call('delete', `/alert-rules/${id}`)).status).toBe(204);
    expect(codeOf(await call('get', `/alert-rules/${id}`))).toBe('not_found');
    const where = { workspaceId: uuidOf('ws', workspace.workspaceId), resourceId: id };
    const entries = await api.db.auditEntry.findMany({ where, orderBy: { sequence: 'asc' } });
    expect(entries.map(({ action }) => action)).toEqual([
      'alert_rule.created',
      'alert_rule.updated',
      'alert_rule.updated',
      'alert_rule.deleted',
    ]);
    expect(JSON.stringify(entries.map(({ metadata }) => metadata))).not.toContain('services/T0');
  });

  test('without an environment and an application is one with both null, as it is answered', async () => {
    const { status, body } = await call('post', '/alert-rules', { ...slack, environmentId: null, applicationId: null });
    expect([status, body.environmentId, body.applicationId]).toEqual([201, null, null]);
  });

  test.each([
    [{ target: 'http://127.0.0.1/' }, 'target must use HTTPS'],
    [{ target: 'https://10.0.0.1/' }, 'target must not point to a private or reserved address'],
    [{ channel: 'email', target: 'nobody' }, 'target must be an email address'],
    [
      { channel: 'pagerduty', target: 'key' },
      'target must be the integration key of a service of PagerDuty: 32 letters and digits',
    ],
    [{ channel: 'fax' }, 'channel must be one of email, slack, teams, discord, pagerduty'],
    [{ events: [] }, 'events must have 1 to 20 items'],
    [{ events: ['order.created'] }, 'events[0] must be the name of an operational event'],
    [{ quietMinutes: 0 }, 'quietMinutes must be 1 to 10,080'],
  ])('%j is refused: %s', async (given, message) => {
    const reply = await call('post', '/alert-rules', { ...slack, ...given });
    expect([reply.status, reply.body.error.message]).toEqual([400, message]);
  });

  test('the channel never changes, and another workspace reaches no rule', async () => {
    const { id } = (await call('post', '/alert-rules', slack)).body;
    expect(codeOf(await call('patch', `/alert-rules/${id}`, { channel: 'teams' }))).toBe('validation_error');
    const other = managing(await api.seedAnother());
    expect(codeOf(await other('get', `/alert-rules/${id}`))).toBe('not_found');
    expect(codeOf(await other('post', '/alert-rules', { ...slack, environmentId: workspace.environmentId }))).toBe(
      'not_found',
    );
  });

  test('the error of the last message has its code and status, until another error or target', async () => {
    const { id } = (await call('post', '/alert-rules', slack)).body;
    const where = { id: uuidOf('alr', id) };
    const error = { reason: 'The target answered 404', code: 'http_status', status: 404 };
    const none = { lastErrorCode: null, lastErrorStatus: null };
    const read = async () => (await call('get', `/alert-rules/${id}`)).body;
    await api.db.alertRule.update({ where, data: alertErrorColumns(error) });
    expect(await read()).toMatchObject({
      lastError: 'The target answered 404',
      lastErrorCode: 'http_status',
      lastErrorStatus: 404,
    });
    // As a process of an earlier version does.
    await api.db.alertRule.update({ where, data: { lastError: 'the dispatcher was stopped' } });
    expect(await read()).toMatchObject({ lastError: 'the dispatcher was stopped', ...none });
    await api.db.alertRule.update({ where, data: alertErrorColumns(error) });
    const sentBack = await call('patch', `/alert-rules/${id}`, await read());
    expect(sentBack.body).toMatchObject({ lastErrorCode: 'http_status' });
    const moved = await call('patch', `/alert-rules/${id}`, { target: 'https://127.0.0.1/other' });
    expect(moved.body).toMatchObject({ lastError: null, ...none });
    expect(await api.db.alertRule.findUnique({ where })).toMatchObject({ ...alertErrorColumns(null) });
  });

  test('another quiet time also holds for the one that runs, and for what was gathered in it', async () => {
    const { id } = (await call('post', '/alert-rules', slack)).body;
    const ruleId = uuidOf('alr', id);
    const minute = 60_000;
    const quietUntil = new Date(Date.now() + 50 * minute);
    const gathered = { ruleId, eventType: events[0] ?? '', workspaceId: uuidOf('ws', workspace.workspaceId) };
    await api.db.alertState.create({ data: { ...gathered, quietUntil, dueAt: quietUntil, firstAt: new Date() } });
    const dueInMs = async () => {
      const { dueAt } = await api.db.alertState.findFirstOrThrow({ where: { ruleId } });
      return (dueAt?.getTime() ?? 0) - quietUntil.getTime();
    };
    await call('patch', `/alert-rules/${id}`, { quietMinutes: 90 });
    expect(await dueInMs()).toBe(30 * minute);
    await call('patch', `/alert-rules/${id}`, { quietMinutes: 5 });
    expect(await dueInMs()).toBeLessThan(-49 * minute);
  });

  test('a test is queued once, until it has gone out', async () => {
    const { id } = (await call('post', '/alert-rules', slack)).body;
    const replies = await Promise.all([1, 2, 3].map(() => call('post', `/alert-rules/${id}/test`)));
    expect(replies.map(({ status }) => status)).toEqual([202, 202, 202]);
    expect(await api.db.outgoingAlert.count({ where: { ruleId: uuidOf('alr', id), eventType: 'test' } })).toBe(1);
  });

  test('an application takes its rules with it', async () => {
    const { id: applicationId } = (await call('post', '/applications', { name: 'Acme' })).body;
    await call('post', '/alert-rules', { ...slack, applicationId });
    expect((await call('get', `/alert-rules?application_id=${applicationId}`)).body).toHaveLength(1);
    await call('delete', `/applications/${applicationId}`);
    expect((await call('get', '/alert-rules')).body).toEqual([]);
  });

  test('an erasure of a customer removes its targets, and the mails that name it', async () => {
    const { id: applicationId } = (await call('post', '/applications', { name: 'Acme' })).body;
    const rule = await call('post', '/alert-rules', { ...slack, applicationId });
    const general = await call('post', '/alert-rules', slack);
    const mail = {
      id: newUuid(new Date()),
      kind: 'alert',
      content: new Uint8Array(1),
      dueAt: new Date(Date.now() + 60_000),
    };
    await api.db.outgoingMail.create({
      data: { ...mail, ruleId: uuidOf('alr', general.body.id), applicationIds: [uuidOf('app', applicationId)] },
    });
    expect((await call('post', '/erasures', { applicationId })).status).toBe(202);
    expect(await api.db.alertRule.count({ where: { id: uuidOf('alr', rule.body.id) } })).toBe(0);
    expect(await api.db.outgoingMail.count({ where: { id: mail.id } })).toBe(0);
  });
});

describe('addresses', () => {
  test('a member’s is active at once; every other one is confirmed by the link of a mail, once', async () => {
    const member = await seedPerson(api.db, { workspaceId: workspace.workspaceId, role: 'viewer' });
    const own = await call('post', '/alert-rules', { ...slack, channel: 'email', target: member.email });
    expect(own.body).toMatchObject({ status: 'active', target: expect.stringMatching(/^..…@example\.com$/) });
    const target = anAddress();
    const stranger = await call('post', '/alert-rules', { ...slack, channel: 'email', target });
    expect(stranger.body.status).toBe('unconfirmed');
    expect(codeOf(await call('post', `/alert-rules/${stranger.body.id}/test`))).toBe('validation_error');
    const token = tokenIn((await mailTo(target)).text);
    expect((await verify(token)).body).toMatchObject({ name: 'On call' });
    expect((await verify(token)).status).toBe(401);
    expect((await call('get', `/alert-rules/${stranger.body.id}`)).body.status).toBe('active');
    expect((await call('post', `/alert-rules/${stranger.body.id}/test`)).status).toBe(202);
  });

  test('a member’s gets no test once the person is a member no more', async () => {
    const member = await seedPerson(api.db, { workspaceId: workspace.workspaceId, role: 'viewer' });
    const { id } = (await call('post', '/alert-rules', { ...slack, channel: 'email', target: member.email })).body;
    expect((await call('post', `/alert-rules/${id}/test`)).status).toBe(202);
    await api.db.member.deleteMany({ where: { userId: uuidOf('usr', member.userId) } });
    await api.db.outgoingMail.deleteMany({ where: { ruleId: uuidOf('alr', id) } });
    expect(codeOf(await call('post', `/alert-rules/${id}/test`))).toBe('validation_error');
    expect(await api.db.outgoingMail.count({ where: { ruleId: uuidOf('alr', id) } })).toBe(0);
  });

  test('a test to an address that cannot be decrypted is queued for a dispatcher, which notes the error', async () => {
    const member = await seedPerson(api.db, { workspaceId: workspace.workspaceId, role: 'viewer' });
    const { id } = (await call('post', '/alert-rules', { ...slack, channel: 'email', target: member.email })).body;
    const ruleId = uuidOf('alr', id);
    await api.db.alertRule.update({ where: { id: ruleId }, data: { targetSealed: new Uint8Array(40) } });
    expect((await call('post', `/alert-rules/${id}/test`)).status).toBe(202);
    expect(await api.db.outgoingAlert.count({ where: { ruleId, eventType: 'test' } })).toBe(1);
  });

  test('a test by mail is the last message of its rule', async () => {
    const member = await seedPerson(api.db, { workspaceId: workspace.workspaceId, role: 'viewer' });
    const { id } = (await call('post', '/alert-rules', { ...slack, channel: 'email', target: member.email })).body;
    const data = alertErrorColumns({ reason: 'The address belongs to no member any more', code: 'not_a_member' });
    await api.db.alertRule.update({ where: { id: uuidOf('alr', id) }, data });
    const sent = { lastSentAt: expect.any(String), lastError: null, lastErrorCode: null };
    expect((await call('post', `/alert-rules/${id}/test`)).body).toMatchObject(sent);
    expect((await call('get', `/alert-rules/${id}`)).body).toMatchObject(sent);
  });

  test('a confirmation is in the audit log, also in the log of the portal that owns the rule', async () => {
    const { call: asCustomer } = await portal();
    const target = anAddress();
    const { id } = (await asCustomer('post', '/alert-rules', { ...slack, channel: 'email', target })).body;
    expect((await verify(tokenIn((await mailTo(target)).text))).status).toBe(200);
    for (const read of [call, asCustomer]) {
      const [entry] = (await read('get', '/audit-logs')).body.data;
      expect(entry).toMatchObject({
        ...{ actorType: 'system', action: 'alert_rule.updated', resourceId: id },
        metadata: { changes: { status: { from: 'unconfirmed', to: 'active' } } },
      });
      expect(JSON.stringify(entry)).not.toContain(target);
      // The link may have been followed by a person outside the customer.
      const isHidden = read === asCustomer;
      expect([entry.metadata.ip === null, entry.metadata.userAgent === null]).toEqual([isHidden, isHidden]);
    }
  });

  test('the link of a former address is void', async () => {
    const [first, second] = [anAddress(), anAddress()];
    const { id } = (await call('post', '/alert-rules', { ...slack, channel: 'email', target: first })).body;
    const token = tokenIn((await mailTo(first)).text);
    await call('patch', `/alert-rules/${id}`, { target: second });
    expect((await verify(token)).status).toBe(401);
    expect((await verify(tokenIn((await mailTo(second)).text))).status).toBe(200);
  });

  test('without a mail server the channel email is refused', async () => {
    const without = await startApi({ databaseUrl: api.databaseUrl });
    const reply = await managementCaller(without.app, without)('post', '/alert-rules', {
      ...slack,
      channel: 'email',
      target: anAddress(),
    });
    expect(reply.body.error.message).toBe('channel cannot be email: this installation sends no mail');
    await without.stop();
  });
});

describe('in the portal', () => {
  test('a customer has rules of its own application, by email and Slack, and always confirms an address', async () => {
    const { call: asCustomer, applicationId } = await portal();
    const created = await asCustomer('post', '/alert-rules', slack);
    expect(created.body).toMatchObject({ applicationId, environmentId: workspace.environmentId, isOfPortal: true });
    expect(codeOf(await asCustomer('post', '/alert-rules', { ...slack, channel: 'teams' }))).toBe('validation_error');
    const member = await seedPerson(api.db, { workspaceId: workspace.workspaceId, role: 'viewer', email: anAddress() });
    const toMember = await asCustomer('post', '/alert-rules', { ...slack, channel: 'email', target: member.email });
    expect(toMember.body.status).toBe('unconfirmed');
    expect((await asCustomer('get', '/alert-rules')).body).toHaveLength(2);
    expect((await call('get', '/alert-rules')).body).toEqual([]);
    expect((await call('get', `/alert-rules?application_id=${applicationId}`)).body).toHaveLength(2);
  });

  test('it reaches neither the operator’s rules about it nor the rules of another customer', async () => {
    const [one, other] = [await portal(), await portal()];
    const operators = await call('post', '/alert-rules', { ...slack, applicationId: one.applicationId });
    const { id } = (await other.call('post', '/alert-rules', slack)).body;
    for (const rule of [operators.body.id, id]) {
      expect(codeOf(await one.call('get', `/alert-rules/${rule}`))).toBe('not_found');
      expect(codeOf(await one.call('delete', `/alert-rules/${rule}`))).toBe('not_found');
    }
    const foreign = await one.call('post', '/alert-rules', { ...slack, applicationId: other.applicationId });
    expect(codeOf(foreign)).toBe('not_found');
  });

  test('its rule stays about its application, also when the operator changes it', async () => {
    const [one, other] = [await portal(), await portal()];
    const { id } = (await one.call('post', '/alert-rules', slack)).body;
    for (const applicationId of [null, other.applicationId]) {
      const reply = await call('patch', `/alert-rules/${id}`, { applicationId });
      expect([codeOf(reply), reply.body.error.details?.[0]?.field]).toEqual(['validation_error', 'applicationId']);
    }
    expect(codeOf(await call('patch', `/alert-rules/${id}`, { environmentId: null }))).toBe('validation_error');
    const same = { applicationId: one.applicationId, environmentId: workspace.environmentId, name: 'Ours' };
    expect((await call('patch', `/alert-rules/${id}`, same)).body).toMatchObject({ ...same, isOfPortal: true });
  });

  test('the mails of one customer count as changes, so it leaves mails to other customers', async () => {
    const [one, other] = [await portal(), await portal()];
    const confirm = (by: Caller) => by('post', '/alert-rules', { ...slack, channel: 'email', target: anAddress() });
    let made = await confirm(one.call);
    let mails = 0;
    for (; made.status === 201; made = await confirm(one.call)) {
      mails += 1;
      expect(codeOf(await one.call('delete', `/alert-rules/${made.body.id}`))).toBe(204);
    }
    expect([codeOf(made), mails]).toEqual(['rate_limited', 19]);
    expect((await confirm(other.call)).status).toBe(201);
  });

  test('a rule that is deleted makes no room for another mail of the day', async () => {
    const visit = (await portal()).call;
    const workspaceId = uuidOf('ws', workspace.workspaceId);
    const mails = Array.from({ length: 99 }, () => ({ id: newUuid(new Date()), workspaceId, dueAt: null }));
    await api.db.outgoingMail.createMany({ data: mails.map((mail) => ({ ...mail, kind: 'alert_confirmation' })) });
    const create = () => visit('post', '/alert-rules', { ...slack, channel: 'email', target: anAddress() });
    const { id } = (await create().expect(201)).body;
    expect((await visit('delete', `/alert-rules/${id}`)).status).toBe(204);
    expect(await api.db.outgoingMail.count({ where: { workspaceId, content: null, dueAt: null } })).toBe(100);
    expect(codeOf(await create())).toBe('limit_reached');
  });

  test('a customer has at most ten, and needs the capability, which is given by name only', async () => {
    const { call: asCustomer, applicationId } = await portal();
    for (let n = 0; n < 10; n += 1) expect((await asCustomer('post', '/alert-rules', slack)).status).toBe(201);
    expect(codeOf(await asCustomer('post', '/alert-rules', slack))).toBe('limit_reached');
    const session = await call('post', `/applications/${applicationId}/portal-sessions`, {});
    expect(session.body.capabilities).not.toContain('alerts:write');
    const usual = createCaller(api.app, { base: '/api/portal', token: session.body.token });
    expect(codeOf(await usual('get', '/alert-rules'))).toBe('forbidden');
  });
});

describe('consent', () => {
  const rule = (target: string) => ({ ...slack, channel: 'email', target });
  const stateOf = async (id: string) => api.db.alertRule.findUniqueOrThrow({ where: { id: uuidOf('alr', id) } });
  const stopUrlIn = (text: string) => new URL(/Stop these mails: (\S+)/.exec(text)?.[1] ?? 'missing:');

  test('a member whose address is not proved is asked first: nobody who made the account agrees for its owner', async () => {
    const target = anAddress();
    await seedPerson(api.db, { ...workspace, email: target, role: 'viewer', isProven: false });
    const { body } = await call('post', '/alert-rules', rule(target));
    expect(body.status).toBe('unconfirmed');
    expect(tokenIn((await mailTo(target)).text)).toBeDefined();
  });

  test('the link in each alert mail stops the rule without a login, once and for all; a new rule asks first', async () => {
    const target = anAddress();
    await seedPerson(api.db, { ...workspace, email: target, role: 'viewer' });
    const { id } = (await call('post', '/alert-rules', rule(target))).body;
    await call('post', `/alert-rules/${id}/test`).expect(202);
    const mail = await mailTo(target);
    const url = stopUrlIn(mail.text);
    expect(mail.headers.get('list-unsubscribe')).toBe(`<${url.href}>`);
    expect(mail.headers.get('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    // As a mail program sends it.
    const oneClick = () =>
      request(api.app).post(`${url.pathname}${url.search}`).type('form').send('List-Unsubscribe=One-Click');
    expect([(await oneClick()).status, (await oneClick()).status]).toEqual([200, 200]);
    expect(await stateOf(id)).toMatchObject({ confirmedAt: null, confirmDigest: expect.anything() });
    expect(codeOf(await call('post', `/alert-rules/${id}/test`))).toBe('validation_error');
    expect((await call('post', '/alert-rules', rule(target))).body.status).toBe('unconfirmed');
  });

  test('the page stops a confirmed address, and a link of no mail, or of a rule that moved on, stops nothing', async () => {
    const target = anAddress();
    const { id } = (await call('post', '/alert-rules', rule(target))).body;
    await verify(tokenIn((await mailTo(target)).text)).expect(200);
    await call('post', `/alert-rules/${id}/test`).expect(202);
    const mail = await waitFor(
      () => server.mails.find((one) => one.to.includes(target) && /Test of/.test(one.subject)),
      {
        what: 'the test',
      },
    );
    const stop = (token: string | null) => request(api.app).post('/api/auth/stop-alerts').send({ token });
    expect((await stop('made up')).status).toBe(401);
    const other = anAddress();
    await seedPerson(api.db, { ...workspace, email: other, role: 'viewer' });
    await call('patch', `/alert-rules/${id}`, { target: other }).expect(200);
    const token = stopUrlIn(mail.text).searchParams.get('token');
    expect((await stop(token)).status).toBe(204);
    expect((await stateOf(id)).confirmDigest).toBeNull();
  });
});
