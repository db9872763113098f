import { afterAll, expect as equal } from '@jest/globals';
import type { Browser } from '@playwright/test';
import { type OidcIssuer, startOidcIssuer } from '@posthorn/testkit/oidc-issuer';
import { seedSession } from '@posthorn/testkit/session';
import { type Services, startServices } from '../services-in-process.ts';
import { beforeAll, expect, inBrowser, launchBrowser, test, visitPage } from './browser.ts';

inBrowser('sign-in with the provider alone', () => {
  let issuer: OidcIssuer;
  let stack: Services;
  let browser: Browser;
  let base: string;

  beforeAll(async () => {
    issuer = await startOidcIssuer();
    const client = { id: 'posthorn', secret: 'a secret of the client' };
    stack = await startServices({
      dispatchers: 0,
      settings: {
        OIDC_ISSUER: issuer.issuer,
        OIDC_CLIENT_ID: client.id,
        OIDC_CLIENT_SECRET: client.secret,
        OIDC_NAME: 'Okta',
        OIDC_AUTO_CREATE: 'true',
        PASSWORD_LOGIN: 'false',
      },
    });
    // The address of the pages if BASE_URL is not set.
    base = `http://localhost:${new URL(stack.api.url).port}`;
    await issuer.register({ ...client, redirectUri: `${base}/oidc/callback`, afterLogout: `${base}/login` });
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    await issuer?.close();
  });

  test('the login page has the button alone; it leads to the provider, and back to the page that was wanted', async () => {
    issuer.person = { sub: 'ada', email: 'ada@example.com', email_verified: true, name: 'Ada' };
    const { page } = await visitPage(browser, `${base}/?from=a-link`);
    await expect(page.getByRole('button', { name: 'Sign in with Okta' })).toBeVisible();
    await expect(page.getByRole('textbox', { name: 'Email' })).toHaveCount(0);
    await page.getByRole('button', { name: 'Sign in with Okta' }).click();
    await expect(page.getByRole('heading', { name: 'You are not a member of any workspace' })).toBeVisible();
    equal(page.url()).toBe(`${base}/?from=a-link`);
    // The code must not be in the history.
    await page.goBack();
    equal(page.url()).not.toContain('code=');
  });

  test('who is invited answers each invitation after the sign-in, and is a member only where the answer was yes', async () => {
    const owner = await seedSession(stack.db, { workspaceId: stack.workspaceId, role: 'owner' });
    const post = async (path: string, body: object) => {
      const headers = { authorization: `Bearer ${owner}`, 'content-type': 'application/json' };
      const answer = await fetch(`${base}/api${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      equal(answer.status).toBe(201);
      return (await answer.json()) as { id: string };
    };
    const wanted = await post('/workspaces', { name: 'Wanted', slug: 'wanted' });
    const unknown = await post('/workspaces', { name: 'Unknown', slug: 'unknown' });
    for (const { id } of [wanted, unknown]) {
      await post(`/workspaces/${id}/members`, { email: 'grace@example.com', role: 'member' });
    }
    issuer.person = { sub: 'grace', email: 'grace@example.com', email_verified: true, name: 'Grace' };
    const { page } = await visitPage(browser, `${base}/`);
    await page.getByRole('button', { name: 'Sign in with Okta' }).click();
    await expect(page.getByRole('heading', { name: 'Your invitations' })).toBeVisible();
    await page.getByRole('button', { name: 'Decline the invitation to Unknown' }).click();
    await expect(page.getByText('“Unknown”')).toHaveCount(0);
    await page.getByRole('button', { name: 'Accept the invitation to Wanted' }).click();
    await expect(page.getByRole('status')).toContainText('No invitation waits for your answer.');
    await page.getByRole('button', { name: 'Continue' }).click();
    await expect(page).toHaveURL(/\/w\/wanted\//);
    await page.getByRole('button', { name: 'Wanted', exact: true }).click();
    await expect(page.getByRole('menuitem', { name: 'Wanted' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: 'Unknown' })).toHaveCount(0);

    // On the page of those without a workspace, an acceptance leads into it.
    await stack.db.member.deleteMany({ where: { user: { email: 'grace@example.com' } } });
    await page.goto(`${base}/`);
    await expect(page.getByRole('heading', { name: 'You are not a member of any workspace' })).toBeVisible();
    await post(`/workspaces/${wanted.id}/members`, { email: 'grace@example.com', role: 'member' });
    await page.reload();
    await page.getByRole('button', { name: 'Accept the invitation to Wanted' }).click();
    await expect(page).toHaveURL(/\/w\/wanted\//);
  });

  test('a refusal is said on the page, with the way back', async () => {
    issuer.person = { sub: 'eve', email: 'eve@example.com', email_verified: false };
    const { page } = await visitPage(browser, `${base}/login`);
    await page.getByRole('button', { name: 'Sign in with Okta' }).click();
    await expect(page.getByRole('alert')).toContainText('has not verified the address eve@example.com');
    await page.getByRole('link', { name: 'Back to the login' }).click();
    await expect(page.getByRole('button', { name: 'Sign in with Okta' })).toBeVisible();
  });
});
