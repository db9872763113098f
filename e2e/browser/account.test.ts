import { afterAll, afterEach, expect as equal } from '@jest/globals';
import type { Browser, Page } from '@playwright/test';
import { createApiClient } from '@posthorn/testkit/api-client';
import { type MailServer, startMailServer } from '@posthorn/testkit/mail-server';
import { seedSession } from '@posthorn/testkit/session';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type Services, startServices } from '../services-in-process.ts';
import {
  addPerson,
  beforeAll,
  closePages,
  expect,
  inBrowser,
  type Login,
  launchBrowser,
  logIn,
  test,
  visitPage,
} from './browser.ts';

inBrowser('the own account and the own workspaces in the dashboard', () => {
  let stack: Services;
  let browser: Browser;
  let mail: MailServer;

  beforeAll(async () => {
    mail = await startMailServer();
    stack = await startServices({
      settings: { MAX_WORKSPACES_PER_USER: '2', SMTP_URL: `smtp://127.0.0.1:${mail.port}` },
    });
    browser = await launchBrowser();
  });

  afterEach(() => closePages(browser));
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    await mail?.close();
  });

  /** Opens a browser context of its own in which the person is logged in. */
  const openAs = async (login: Login) => {
    const visit = await visitPage(browser, stack.api.url);
    await logIn(visit.page, login);
    await expect(visit.page.getByRole('heading', { name: 'Get started' })).toBeVisible();
    return visit;
  };

  const openAccount = async (page: Page, { email }: Login) => {
    await page.getByRole('button', { name: `account of ${email}` }).click();
    await page.getByRole('menuitem', { name: 'Account' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible();
  };

  const mustLogIn = async (page: Page) => {
    await page.getByRole('link', { name: 'Endpoints', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  };

  test('a forgotten password is replaced by the link of a mail', async () => {
    const login = { ...(await addPerson(stack, 'viewer')), email: 'forgetful@example.com' };
    await stack.db.user.update({ where: { email: 'viewer@example.com' }, data: { email: login.email } });
    const { page, faults } = await visitPage(browser, `${stack.api.url}/login`);
    await expect(page).toHaveTitle('Log in · Posthorn');
    await page.getByRole('link', { name: 'Forgot password?' }).click();
    await expect(page).toHaveTitle('Forgot password · Posthorn');
    await page.getByRole('textbox', { name: 'Email' }).fill(login.email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await expect(page.getByRole('status')).toContainText('a mail with a link is on its way');
    const { text } = await waitFor(() => mail.mails.find(({ to }) => to.includes(login.email)), { what: 'the mail' });
    const [path] = /\/set-password#token=\S+/.exec(text) ?? [];
    await page.goto(`${stack.api.url}${path}`);
    await expect(page).toHaveTitle('Set a password · Posthorn');
    await page.getByRole('textbox', { name: 'Password' }).fill('a remembered password');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
    await logIn(page, { ...login, password: 'a remembered password' });
    await expect(page.getByRole('heading', { name: 'Get started' })).toBeVisible();
    equal(faults).toEqual([]);
  });

  test('who proves the address of an account by a mail ends every session, and is asked no more', async () => {
    const person = { ...(await addPerson(stack, 'viewer')), email: 'unproved@example.com' };
    const data = { email: person.email, addressProvenAt: null };
    await stack.db.user.update({ where: { email: 'viewer@example.com' }, data });
    const [{ page, faults }, other] = [await openAs(person), await openAs(person)];
    await openAccount(page, person);
    const prove = page.getByRole('region', { name: 'Prove your address' });
    await prove.getByRole('button', { name: 'Mail me the link' }).click();
    await expect(prove.getByRole('status')).toContainText(`on its way to ${person.email}`);
    const { text } = await waitFor(() => mail.mails.find(({ to }) => to.includes(person.email)), { what: 'the mail' });
    await page.goto(`${stack.api.url}${/\/set-password#token=\S+/.exec(text)?.[0]}`);
    await page.getByRole('textbox', { name: 'Password' }).fill('a password of my own');
    await page.getByRole('button', { name: 'Continue' }).click();
    await logIn(page, { ...person, password: 'a password of my own' });
    await expect(page.getByRole('heading', { name: 'Get started' })).toBeVisible();
    await openAccount(page, person);
    await expect(page.getByRole('region', { name: 'Sessions' })).toBeVisible();
    await expect(prove).toHaveCount(0);
    await mustLogIn(other.page);
    equal(faults).toEqual([]);
  });

  test('the page of a code shows the device and warns, and logs it in on confirmation; the account lists it', async () => {
    const token = await seedSession(stack.db, { workspaceId: stack.workspaceId, role: 'viewer' });
    const post = async (path: string, body: object) => {
      const headers = { 'content-type': 'application/json' };
      const url = `${stack.api.url}/api/auth/${path}`;
      const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
      return (await answer.json()) as Record<string, string>;
    };
    const begun = await post('device-logins', { name: 'ada-laptop' });
    const { page, faults } = await visitPage(browser, stack.api.url, token);
    // The service returns an address at BASE_URL, but the session here belongs to the address of the stack.
    await page.goto(`${stack.api.url}/device?code=${begun.userCode}`);
    await expect(page.getByText(begun.userCode ?? '')).toBeVisible();
    await expect(page.getByText('ada-laptop')).toBeVisible();
    await expect(page.getByText('A code that somebody sent you gives that person your access')).toBeVisible();
    await page.getByRole('button', { name: 'Log it in as me' }).click();
    await expect(page.getByRole('status')).toContainText('“ada-laptop” is logged in');
    equal(await post('device-logins/poll', { deviceCode: begun.deviceCode })).toMatchObject({ status: 'approved' });

    // If the address has no code, the person types it.
    const other = await post('device-logins', { name: 'somebody else' });
    await page.goto(`${stack.api.url}/device`);
    await page.getByRole('textbox', { name: 'Code' }).fill((other.userCode ?? '').toLowerCase());
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('button', { name: 'Refuse' }).click();
    await expect(page.getByRole('status')).toContainText('was refused');
    equal(await post('device-logins/poll', { deviceCode: other.deviceCode })).toMatchObject({ status: 'refused' });

    await page.goto(`${stack.api.url}/w/${stack.workspaceId}/production/account`);
    await expect(page.getByRole('row', { name: /ada-laptop/ })).toBeVisible();
    equal(faults).toEqual([]);
  });

  const isRefusal = (fault: string) => fault.includes('the server responded with a status of 4');

  test('a person without a workspace can log out, and creates one and another, which are there although their opening fails; the refusal beyond the limit is shown', async () => {
    const member = await addPerson(stack, 'member');
    await stack.db.member.deleteMany({ where: { user: { email: member.email } } });
    const { page, faults } = await visitPage(browser, stack.api.url);
    await logIn(page, member);
    await expect(page.getByRole('heading', { name: 'You are not a member of any workspace' })).toBeVisible();
    await page.getByRole('button', { name: 'Log out' }).click();
    await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
    await logIn(page, member);
    const failOpening = () =>
      page.route('**/environments', (route) => route.fulfill({ status: 403, json: {} }), { times: 1 });
    await failOpening();
    await page.getByRole('textbox', { name: 'Name' }).fill('Acme Shop');
    await expect(page.getByRole('textbox', { name: 'Slug' })).toHaveValue('acme-shop');
    await page.getByRole('button', { name: 'Create workspace' }).click();
    await expect(page.getByText('The workspace was created, but not opened')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Get started' })).toBeVisible();
    await expect(page).toHaveURL(/\/w\/acme-shop\/production\//);

    const create = async (from: string, name: string) => {
      await page.getByRole('button', { name: from, exact: true }).click();
      await page.getByRole('menuitem', { name: 'New workspace' }).click();
      const sheet = page.getByRole('dialog', { name: 'New workspace' });
      await sheet.getByRole('textbox', { name: 'Name' }).fill(name);
      await sheet.getByRole('button', { name: 'Create workspace' }).click();
      return sheet;
    };
    await failOpening();
    await expect(await create('Acme Shop', 'Second')).toHaveCount(0);
    await page.getByRole('button', { name: 'Acme Shop', exact: true }).click();
    await page.getByRole('menuitem', { name: 'Second' }).click();
    await expect(page).toHaveURL(/\/w\/second\/production\//);
    await expect(page.getByRole('heading', { name: 'Get started' })).toBeVisible();
    const sheet = await create('Second', 'Third');
    await expect(sheet.getByRole('alert')).toContainText('The workspace was not created');
    await expect(sheet.getByRole('alert')).toContainText('at most 2');
    equal(faults.filter((fault) => !isRefusal(fault))).toEqual([]);
  });

  test('a new password logs in and ends the other sessions; a wrong current one changes nothing and is said', async () => {
    const owner = await addPerson(stack, 'owner');
    const [{ page, faults }, other] = [await openAs(owner), await openAs(owner)];
    await openAccount(page, owner);
    const change = async (currentPassword: string, newPassword: string) => {
      await page.getByRole('textbox', { name: 'Current password' }).fill(currentPassword);
      await page.getByRole('textbox', { name: 'New password' }).fill(newPassword);
      await page.getByRole('button', { name: 'Change password' }).click();
    };
    await change('not the password', 'another good password');
    await expect(page.getByText('currentPassword is not the password of the account')).toBeVisible();
    await change(owner.password, 'another good password');
    await expect(page.getByText('The password was changed. Your other sessions have ended.')).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'New password' })).toHaveValue('');
    await mustLogIn(other.page);
    await logIn(other.page, { ...owner, password: 'another good password' });
    await expect(other.page.getByRole('heading', { name: 'Endpoints' })).toBeVisible();
    equal([...faults, ...other.faults].filter((fault) => !isRefusal(fault))).toEqual([]);
  });

  test('a session that is ended in the account must log in again, and the own one goes on; one that has ended elsewhere is no failure', async () => {
    const viewer = await addPerson(stack, 'viewer');
    const [{ page, faults }, other] = [await openAs(viewer), await openAs(viewer)];
    await openAccount(page, viewer);
    const sessions = page.getByRole('table', { name: 'Sessions' });
    await expect(sessions.getByText('This session')).toBeVisible();
    const end = sessions.getByRole('button', { name: /^End the session of / });
    await end.click();
    await expect(end).toHaveCount(0);
    await expect(sessions.getByText('This session')).toBeVisible();
    await mustLogIn(other.page);
    equal(faults).toEqual([]);

    await logIn(other.page, viewer);
    await expect(other.page.getByRole('heading', { name: 'Endpoints' })).toBeVisible();
    await page.reload();
    await expect(end).toBeVisible();
    const ofViewer = { where: { user: { email: viewer.email } }, orderBy: { createdAt: 'desc' } } as const;
    const { id } = await stack.db.session.findFirstOrThrow(ofViewer);
    await stack.db.session.delete({ where: { id } });
    await end.click();
    await expect(end).toHaveCount(0);
    // The failure must be shown before the list is read again, and hides itself later.
    equal(await page.getByText('Nothing was changed').count()).toBe(0);
    equal(faults.filter((fault) => !isRefusal(fault))).toEqual([]);
  });

  /** Waits for the response, because a reload before it would cancel the request. */
  const isChangedBy = async (page: Page, act: () => Promise<void>) => {
    const answer = page.waitForResponse((reply) => reply.request().method() === 'PATCH');
    await act();
    equal((await answer).status()).toBe(200);
  };

  test('an owner shortens the retention after a question, and chooses what customers read for an event; a viewer sees both', async () => {
    const settings = `${stack.api.url}/w/${stack.workspaceId}/production/settings`;
    const sessionOf = (role: 'owner' | 'viewer') => seedSession(stack.db, { workspaceId: stack.workspaceId, role });
    const { page, faults } = await visitPage(browser, settings, await sessionOf('owner'));
    const retention = page.getByRole('region', { name: 'Retention' });
    const payloads = retention.getByRole('textbox', { name: 'Payloads, in hours' });
    const save = retention.getByRole('button', { name: 'Save retention' });
    await expect(payloads).toHaveAccessibleDescription(/1 to 168\. Empty: 168 hours \(7 days\)/);
    await payloads.fill('a day');
    await expect(payloads).toHaveAccessibleDescription(/^Write a whole number/);
    await expect(save).toBeDisabled();
    await payloads.fill('169');
    await save.click();
    await expect(payloads).toHaveAccessibleDescription(/Must be at most 168, the retention of this installation/);
    await payloads.fill('36');
    await save.click();
    const asked = page.getByRole('dialog', { name: 'Keep less?' });
    await expect(asked).toContainText('Payloads that are older than 36 hours are erased for good.');
    await asked.getByRole('button', { name: 'Cancel' }).click();
    await expect(asked).toHaveCount(0);
    await save.click();
    await isChangedBy(page, () => asked.getByRole('button', { name: 'Erase and keep less' }).click());
    await expect(asked).toHaveCount(0);
    await expect(save).toBeDisabled();
    await page.reload();
    await expect(payloads).toHaveValue('36');
    await payloads.fill('48');
    await isChangedBy(page, () => save.click());

    const words = page.getByRole('region', { name: 'Words of the portal' });
    await expect(words.getByRole('radio', { name: 'Messages' })).toBeChecked();
    await isChangedBy(page, () => words.getByText('Events', { exact: true }).click());
    await page.reload();
    await expect(words.getByRole('radio', { name: 'Events' })).toBeChecked();

    const client = createApiClient({ ...stack, baseUrl: stack.api.url });
    const application = await client.call<{ id: string }>('POST', '/applications', { name: 'Acme' });
    const opened = await client.call<{ url: string }>(
      'POST',
      `/applications/${application.body.id}/portal-sessions`,
      {},
    );
    const { page: portal } = await visitPage(browser, opened.body.url.replace(/^https?:\/\/[^/]+/, stack.api.url));
    await expect(portal.getByRole('link', { name: 'Events', exact: true })).toBeVisible();
    await expect(portal.getByRole('link', { name: 'Messages', exact: true })).toHaveCount(0);

    const { page: seen } = await visitPage(browser, settings, await sessionOf('viewer'));
    await expect(seen.getByText('Payloads: 48 hours (2 days)')).toBeVisible();
    await expect(
      seen.getByText('Lists and statistics: 168 hours (7 days), as long as the installation keeps them'),
    ).toBeVisible();
    await expect(seen.getByText('Events are called events.')).toBeVisible();
    // The refused hours are the only fault.
    equal(faults.filter((fault) => !fault.includes('status of 400'))).toEqual([]);
  });
});
