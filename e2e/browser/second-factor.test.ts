import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, afterEach, expect as equal } from '@jest/globals';
import type { Browser, Page } from '@playwright/test';
import { seedSession } from '@posthorn/testkit/session';
import { Secret, TOTP } from 'otpauth';
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
  openTab,
  test,
  visitPage,
} from './browser.ts';

inBrowser('the second factor in the dashboard', () => {
  let stack: Services;
  let browser: Browser;

  beforeAll(async () => {
    stack = await startServices();
    browser = await launchBrowser();
  });
  afterEach(() => closePages(browser));
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  const isRefusal = (fault: string) => fault.includes('the server responded with a status of 4');

  /** The findings of axe on the page, in both themes. */
  const findingsOf = async (page: Page, part: string) => {
    const found: string[] = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', colorScheme);
      const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).include(part).analyze();
      const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      found.push(...serious.map(({ id, nodes }) => `${colorScheme}: ${id} ${nodes.map(({ html }) => html).join(' ')}`));
    }
    return found;
  };

  const openAccount = async (page: Page, { email }: Login) => {
    await page.getByRole('button', { name: `account of ${email}` }).click();
    await page.getByRole('menuitem', { name: 'Account' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Account' })).toBeVisible();
  };

  const logOut = async (page: Page, { email }: Login) => {
    await page.getByRole('button', { name: `account of ${email}` }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  };

  /** Sets up an app in the part of the page that offers it. Returns the app and the recovery codes. */
  const setUp = async (page: Page) => {
    const part = page.getByRole('region', { name: 'Second factor' });
    await part.getByRole('button', { name: 'Set up an authenticator app' }).click();
    await part.getByRole('button', { name: 'Continue' }).click();
    await expect(part.getByRole('img', { name: 'QR code of the secret' })).toBeVisible();
    const secret = await part.locator('pre').textContent();
    const app = new TOTP({ secret: Secret.fromBase32(secret?.trim() ?? '') });
    equal(await findingsOf(page, 'section')).toEqual([]);
    await part.getByLabel('Code').fill('1');
    await part.getByRole('button', { name: 'Confirm' }).click();
    await expect(part.getByText('Is not the current code of the app')).toBeVisible();
    await part.getByLabel('Code').fill(app.generate());
    await part.getByRole('button', { name: 'Confirm' }).click();
    await expect(part.getByText('Save your recovery codes now')).toBeVisible();
    equal(await findingsOf(page, 'section')).toEqual([]);
    const codes = ((await part.locator('pre').textContent()) ?? '').trim().split('\n');
    await part.getByRole('button', { name: 'I have kept them' }).click();
    return { app, codes };
  };

  test('an app is set up in the account, and the next login asks for a code; an owner can then require one of every member', async () => {
    const owner = await addPerson(stack, 'owner');
    const { page, faults } = await visitPage(browser, stack.api.url);
    await logIn(page, owner);
    await openAccount(page, owner);
    const { codes } = await setUp(page);
    equal(codes).toHaveLength(10);
    await expect(page.getByText('10 of 10 recovery codes are left')).toBeVisible();

    await logOut(page, owner);
    await logIn(page, owner);
    await expect(page.getByLabel('Code')).toBeFocused();
    equal(await findingsOf(page, '#app')).toEqual([]);
    await page.getByLabel('Code').fill('0000000');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page.getByRole('alert')).toContainText('The code is wrong');
    await page.getByRole('button', { name: 'Use a recovery code' }).click();
    await page.getByLabel('Recovery code').fill(codes[0] ?? '');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page.getByRole('heading', { name: 'Get started' })).toBeVisible();
    await openAccount(page, owner);
    await expect(page.getByText('9 of 10 recovery codes are left')).toBeVisible();

    const member = await addPerson(stack, 'member');
    const other = await visitPage(browser, stack.api.url);
    await logIn(other.page, member);
    await expect(other.page.getByRole('heading', { name: 'Get started' })).toBeVisible();
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    const required = page.getByRole('switch', { name: 'Require a second factor' });
    await required.press('Space');
    await expect(required).toBeChecked();
    await page.getByRole('link', { name: 'Access', exact: true }).click();
    await openTab(page, 'Members');
    const row = (login: Login) => page.getByRole('row').filter({ hasText: login.email });
    await expect(row(owner)).toContainText('Yes');
    await expect(row(member)).toContainText('No');

    // The member's session goes on: first at the page that sets up a second factor, then where it was.
    await other.page.reload();
    await expect(other.page.getByRole('heading', { name: 'Set up a second factor' })).toBeVisible();
    await setUp(other.page);
    await expect(other.page.getByRole('heading', { name: 'Get started' })).toBeVisible();
    equal([...faults, ...other.faults].filter((fault) => !isRefusal(fault))).toEqual([]);
  });

  test('five wrong codes lead back to the password, and a setup long after the login asks for the password', async () => {
    await stack.db.workspace.updateMany({ data: { requireSecondFactor: false } });
    const viewer = await addPerson(stack, 'viewer');
    const { page, faults } = await visitPage(browser, stack.api.url);
    await logIn(page, viewer);
    await openAccount(page, viewer);
    await stack.db.session.updateMany({
      where: { user: { email: viewer.email } },
      data: { createdAt: new Date(Date.now() - 3_600_000) },
    });
    const part = page.getByRole('region', { name: 'Second factor' });
    await part.getByRole('button', { name: 'Set up an authenticator app' }).click();
    await part.getByRole('button', { name: 'Continue' }).click();
    await part.getByLabel('Current password').fill('not this one');
    await expect(part.getByRole('alert')).toHaveCount(0);
    await part.getByRole('button', { name: 'Continue' }).click();
    await expect(part.getByRole('alert')).toContainText('currentPassword is not the password of the account');
    await part.getByLabel('Current password').fill(viewer.password);
    await part.getByRole('button', { name: 'Continue' }).click();
    const secret = await part.locator('pre').textContent();
    await part.getByLabel('Code').fill(new TOTP({ secret: Secret.fromBase32(secret?.trim() ?? '') }).generate());
    await part.getByRole('button', { name: 'Confirm' }).click();
    await part.getByRole('button', { name: 'I have kept them' }).click();

    await logOut(page, viewer);
    await logIn(page, viewer);
    for (let tries = 0; tries < 5; tries += 1) {
      await page.getByLabel('Code').fill(`000000${tries}`);
      const answer = page.waitForResponse((reply) => reply.url().endsWith('/login/second-factor'));
      await page.getByRole('button', { name: 'Log in' }).click();
      equal((await answer).status()).toBe(401);
    }
    await expect(page.getByRole('alert')).toContainText('start again with your password');
    await page.getByRole('button', { name: 'Log in' }).click();
    await expect(page.getByRole('alert')).toContainText('This sign-in has ended');
    await page.getByRole('button', { name: 'Start again' }).click();
    await expect(page.getByLabel('Email')).toHaveValue(viewer.email);
    equal(faults.filter((fault) => !isRefusal(fault))).toEqual([]);
  });

  test('at an IP address the page says where passkeys work before it asks for anything, and a refused login is called that', async () => {
    const person = await addPerson(stack, 'admin');
    const { page } = await visitPage(browser, stack.api.url);
    await logIn(page, { ...person, password: 'not the password' });
    await expect(page.getByRole('alert')).toContainText('The login failed');
    await logIn(page, person);
    await openAccount(page, person);
    const part = page.getByRole('region', { name: 'Second factor' });
    await expect(part.getByRole('button', { name: 'Set up an authenticator app' })).toBeVisible();
    await expect(part.getByRole('button', { name: 'Add a passkey' })).toHaveCount(0);
    const named = stack.api.url.replace('127.0.0.1', 'localhost');
    await expect(part.getByRole('link', { name: named })).toHaveAttribute(
      'href',
      page.url().replace('127.0.0.1', 'localhost'),
    );
    await part.getByRole('link', { name: named }).click();
    await expect(page.getByRole('button', { name: 'Log in' })).toBeVisible();
  });

  test('a passkey of the browser is added, finishes a login instead of a code, and is removed', async () => {
    const at = new URL(stack.api.url);
    // Browsers allow passkeys only for hosts with a name.
    at.hostname = 'localhost';
    const login = { email: 'keys@example.com', password: 'correct horse battery staple' };
    const owner = await seedSession(stack.db, { workspaceId: stack.workspaceId, role: 'owner' });
    const added = await fetch(`${stack.api.url}/api/workspaces/${stack.workspaceId}/members`, {
      method: 'POST',
      headers: { authorization: `Bearer ${owner}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...login, role: 'viewer' }),
    });
    equal(added.status).toBe(201);
    const { page, faults } = await visitPage(browser, at.href);
    const device = await page.context().newCDPSession(page);
    await device.send('WebAuthn.enable');
    const options = { protocol: 'ctap2', transport: 'internal', isUserVerified: true } as const;
    const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', { options });
    await logIn(page, login);
    await openAccount(page, login);
    const part = page.getByRole('region', { name: 'Second factor' });
    await part.getByRole('button', { name: 'Add a passkey' }).click();
    await part.getByLabel('Name of the passkey').fill('Laptop');
    equal(await findingsOf(page, 'section')).toEqual([]);
    await part.getByRole('button', { name: 'Add the passkey' }).click();
    await expect(part.getByText('Save your recovery codes now')).toBeVisible();
    await part.getByRole('button', { name: 'I have kept them' }).click();
    await expect(part.getByText('Passkey “Laptop”')).toBeVisible();
    const { credentials } = await device.send('WebAuthn.getCredentials', { authenticatorId });
    equal(credentials).toHaveLength(1);

    await logOut(page, login);
    await logIn(page, login);
    equal(await findingsOf(page, '#app')).toEqual([]);
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await expect(page.getByRole('heading', { name: 'Get started' })).toBeVisible();
    await openAccount(page, login);
    await part.getByRole('button', { name: 'Remove the passkey Laptop' }).click();
    await part.getByRole('button', { name: 'Remove the passkey' }).click();
    await expect(part.getByRole('button', { name: 'Set up an authenticator app' })).toBeVisible();
    await logOut(page, login);
    await logIn(page, login);
    await expect(page.getByRole('heading', { name: 'Get started' })).toBeVisible();
    equal(faults.filter((fault) => !isRefusal(fault))).toEqual([]);
  });
});
