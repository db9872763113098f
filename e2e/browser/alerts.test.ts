import { afterAll, afterEach, describe, expect as equal } from '@jest/globals';
import type { Browser } from '@playwright/test';
import { CAPABILITIES } from '@posthorn/contract/access';
import { createApiClient } from '@posthorn/testkit/api-client';
import { type MailServer, startMailServer } from '@posthorn/testkit/mail-server';
import { seedSession } from '@posthorn/testkit/session';
import { type Stack, startStack } from '@posthorn/testkit/stack';
import { waitFor } from '@posthorn/testkit/wait-for';
import { beforeAll, closePages, expect, hasBrowser, launchBrowser, test, visitPage } from './browser.ts';

const inBrowser = hasBrowser ? describe : describe.skip;

inBrowser('alerts', () => {
  let stack: Stack;
  let browser: Browser;
  let mail: MailServer;
  beforeAll(async () => {
    mail = await startMailServer();
    stack = await startStack({ settings: { SMTP_URL: `smtp://127.0.0.1:${mail.port}` } });
    browser = await launchBrowser();
  });
  afterEach(() => closePages(browser));
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    await mail?.close();
  });

  const mailTo = (address: string, subject: RegExp) =>
    waitFor(() => mail.mails.find((one) => one.to.includes(address) && subject.test(one.subject)), {
      what: `a mail to ${address}`,
    });

  test('a member makes a rule, its address is confirmed by the link of a mail, a test arrives, and the rule is changed and deleted', async () => {
    const session = await seedSession(stack.db, { workspaceId: stack.workspaceId, role: 'member' });
    const { page, faults } = await visitPage(browser, stack.api.url, session);
    await page.getByRole('link', { name: 'Alerts', exact: true }).click();
    await expect(page.getByText('Nobody is told yet')).toBeVisible();
    await page.getByRole('button', { name: 'Create alert' }).click();
    const sheet = page.getByRole('dialog', { name: 'Create alert' });
    await sheet.getByRole('textbox', { name: 'Name' }).fill('On call');
    await sheet.getByRole('textbox', { name: 'Address' }).fill('oncall@example.com');
    await sheet.getByRole('checkbox', { name: 'An endpoint answers again' }).check();
    await sheet.getByRole('button', { name: 'Create alert' }).click();
    const row = page.getByRole('row').filter({ hasText: 'On call' });
    await expect(row).toContainText('Waits for the link in the mail');
    const { text } = await mailTo('oncall@example.com', /Do you want alerts/);
    const link = /\/confirm-alerts#token=\S+/.exec(text)?.[0];
    const { page: other } = await visitPage(browser, `${stack.api.url}${link}`);
    await other.getByRole('button', { name: 'Yes, mail me' }).click();
    await expect(other.getByRole('status')).toContainText('You get the alerts of “On call”');
    await expect(row).toContainText('Active');
    await row.getByRole('button', { name: 'Actions of On call' }).click();
    await page.getByRole('menuitem', { name: 'Send a test' }).click();
    await mailTo('oncall@example.com', /Test of the alert rule/);
    await row.getByRole('button', { name: 'Actions of On call' }).click();
    await page.getByRole('menuitem', { name: 'Edit …' }).click();
    const editing = page.getByRole('dialog', { name: 'Edit On call' });
    await editing.getByRole('textbox', { name: 'Name' }).fill('Night shift');
    await editing.getByRole('button', { name: 'Save' }).click();
    const changed = page.getByRole('row').filter({ hasText: 'Night shift' });
    await expect(changed).toContainText('Active');
    await changed.getByRole('button', { name: 'Actions of Night shift' }).click();
    await page.getByRole('menuitem', { name: 'Delete …' }).click();
    await page.getByRole('button', { name: 'Delete alert' }).click();
    await expect(page.getByText('Nobody is told yet')).toBeVisible();
    equal(faults).toEqual([]);
  });

  test('a customer has rules in the portal, by email and Slack, when the session allows it', async () => {
    const client = createApiClient({ ...stack, baseUrl: stack.api.url });
    const application = (await client.call<{ id: string }>('POST', '/applications', { name: 'Acme' })).body.id;
    const openPortal = async (body: object) => {
      const path = `/applications/${application}/portal-sessions`;
      return (await client.call<{ url: string }>('POST', path, body)).body.url.replace(
        /^https?:\/\/[^/]+/,
        stack.api.url,
      );
    };
    const { page: usual } = await visitPage(browser, await openPortal({}));
    await expect(usual.getByRole('link', { name: 'Endpoints' })).toBeVisible();
    await expect(usual.getByRole('link', { name: 'Alerts' })).toHaveCount(0);
    const { page, faults } = await visitPage(browser, await openPortal({ capabilities: CAPABILITIES }));
    await page.getByRole('link', { name: 'Alerts' }).click();
    await page.getByRole('button', { name: 'Create alert' }).click();
    const sheet = page.getByRole('dialog', { name: 'Create alert' });
    await sheet.getByRole('combobox', { name: 'Channel' }).click();
    await expect(page.getByRole('option')).toHaveText(['Email', 'Slack']);
    await page.getByRole('option', { name: 'Email' }).click();
    await sheet.getByRole('textbox', { name: 'Name' }).fill('Our team');
    await sheet.getByRole('textbox', { name: 'Address' }).fill('team@acme.example');
    await sheet.getByRole('button', { name: 'Create alert' }).click();
    await expect(page.getByRole('row').filter({ hasText: 'Our team' })).toContainText('Waits for the link in the mail');
    await mailTo('team@acme.example', /Do you want alerts/);
    equal(faults).toEqual([]);
  });
});
