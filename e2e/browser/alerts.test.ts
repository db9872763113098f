import { afterAll, afterEach, expect as equal } from '@jest/globals';
import type { Browser } from '@playwright/test';
import { CAPABILITIES } from '@posthorn/contract/access';
import { createApiClient } from '@posthorn/testkit/api-client';
import { type MailServer, startMailServer } from '@posthorn/testkit/mail-server';
import { seedSession } from '@posthorn/testkit/session';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type Services, startServices } from '../services-in-process.ts';
import { beforeAll, closePages, expect, inBrowser, launchBrowser, test, visitPage } from './browser.ts';

inBrowser('alerts', () => {
  let stack: Services;
  let browser: Browser;
  let mail: MailServer;
  beforeAll(async () => {
    mail = await startMailServer();
    stack = await startServices({ settings: { SMTP_URL: `smtp://127.0.0.1:${mail.port}` } });
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
    await expect(page.getByText('Nobody is notified yet')).toBeVisible();
    await page.getByRole('button', { name: 'Create alert' }).click();
    const sheet = page.getByRole('dialog', { name: 'Create alert' });
    const [name, address] = [
      sheet.getByRole('textbox', { name: 'Name' }),
      sheet.getByRole('textbox', { name: 'Address' }),
    ];
    await name.fill('x'.repeat(300));
    await address.fill('on call');
    // The request has one problem that a field shows, and one that no field shows.
    await page.route('**/alert-rules', (route, request) =>
      request.method() === 'POST'
        ? route.continue({ postData: { ...request.postDataJSON(), events: ['it_rains'] } })
        : route.fallback(),
    );
    await sheet.getByRole('button', { name: 'Create alert' }).click();
    await expect(name).toHaveAccessibleDescription(/Must be 1 to 200 characters/);
    await expect(name).toBeFocused();
    await expect(sheet.getByRole('alert')).toContainText('events[0] must be the name of an operational event');
    await expect(sheet.getByText('must be 1 to 200 characters')).toHaveCount(1);
    await page.unroute('**/alert-rules');
    await name.fill('On call');
    await sheet.getByRole('button', { name: 'Create alert' }).click();
    await expect(address).toHaveAccessibleDescription(/Must be an email address/);
    await expect(address).toBeFocused();
    await expect(sheet.getByText('must be an email address')).toHaveCount(1);
    await address.fill('oncall@example.com');
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
    await expect(page.getByText('Nobody is notified yet')).toBeVisible();
    // The refused address is the only fault.
    equal(faults.filter((fault) => !fault.includes('status of 400'))).toEqual([]);
  });

  test('the reader of an alert mail stops such mails without a login; the link of no mail is refused on the page', async () => {
    const client = createApiClient({ ...stack, baseUrl: stack.api.url });
    const rule = {
      name: 'Stopped',
      channel: 'email',
      target: 'tired@example.com',
      events: ['posthorn.endpoint.failing'],
    };
    const { id } = (await client.call<{ id: string }>('POST', '/alert-rules', rule)).body;
    const linkOf = async (subject: RegExp, link: RegExp) => {
      const { text } = await mailTo(rule.target, subject);
      return `${stack.api.url}${link.exec(text)?.[0]}`;
    };
    const confirm = await linkOf(/Do you want alerts/, /\/confirm-alerts#token=\S+/);
    const { page, faults } = await visitPage(browser, confirm);
    await page.getByRole('button', { name: 'Yes, mail me' }).click();
    await expect(page.getByRole('status')).toContainText('You get the alerts of “Stopped”');
    await client.call('POST', `/alert-rules/${id}/test`);

    await page.goto(await linkOf(/Test of the alert rule/, /\/stop-alerts\?token=\S+/));
    const statusOf = async () => (await client.call<{ status: string }>('GET', `/alert-rules/${id}`)).body.status;
    // Opening the link must not stop the mails: mail programs open links, too.
    await expect(page.getByText('Do you want to stop the alert mails of this rule?')).toBeVisible();
    equal(await statusOf()).toBe('active');
    await page.getByRole('button', { name: 'Stop these mails' }).click();
    await expect(page.getByRole('status')).toContainText('You get no more mails of this alert rule');
    equal(await statusOf()).toBe('unconfirmed');
    equal(faults).toEqual([]);

    await page.goto(`${stack.api.url}/stop-alerts?token=of-no-mail`);
    await page.getByRole('button', { name: 'Stop these mails' }).click();
    await expect(page.getByRole('alert')).toContainText('The link is of no alert mail');
    await expect(page).toHaveURL(/\/stop-alerts/);
  });

  test('the page of a customer has the rules about it, its own ones too, and the page of all says whose and where', async () => {
    const client = createApiClient({ ...stack, baseUrl: stack.api.url });
    const make = async (path: string, body: object) =>
      (await client.call<{ id: string; url: string }>('POST', path, body)).body;
    const { id: acme } = await make('/applications', { name: 'Acme' });
    const { id: globex } = await make('/applications', { name: 'Globex' });
    await make('/environments', { name: 'Staging', slug: 'staging' });
    const slack = { channel: 'slack', target: 'https://localhost/hook', events: ['posthorn.endpoint.failing'] };
    await make('/alert-rules', { ...slack, name: 'All of them' });
    await make('/alert-rules', { ...slack, name: 'Globex alone', applicationId: globex });
    const portal = await make(`/applications/${acme}/portal-sessions`, { capabilities: CAPABILITIES });
    const made = await fetch(`${stack.api.url}/api/portal/alert-rules`, {
      method: 'POST',
      headers: { authorization: `Bearer ${portal.url.split('token=')[1]}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...slack, name: 'Their own' }),
    });
    equal(made.status).toBe(201);

    const session = await seedSession(stack.db, { workspaceId: stack.workspaceId, role: 'member' });
    const { page, faults } = await visitPage(
      browser,
      `${stack.api.url}/w/${stack.workspaceId}/production/customers/${acme}`,
      session,
    );
    const alerts = page.getByRole('region', { name: 'Alerts' });
    await expect(alerts.getByRole('row').filter({ hasText: 'Their own' })).toContainText('The customer');
    await alerts.getByRole('button', { name: 'Create alert' }).click();
    const sheet = page.getByRole('dialog', { name: 'Create alert' });
    await sheet.getByRole('textbox', { name: 'Name' }).fill('For Acme');
    await expect(sheet.getByRole('checkbox', { name: 'An API key ends within 7 days' })).toHaveCount(0);
    await sheet.getByRole('combobox', { name: 'Channel' }).click();
    await page.getByRole('option', { name: 'Slack' }).click();
    await sheet.getByRole('textbox', { name: 'Webhook URL' }).fill('https://localhost/other');
    await sheet.getByRole('combobox', { name: 'Environment' }).click();
    await page.getByRole('option', { name: 'Staging' }).click();
    await sheet.getByRole('button', { name: 'Create alert' }).click();
    await expect(alerts.getByRole('row').filter({ hasText: 'For Acme' })).toContainText('Your workspace');
    await expect(alerts.getByRole('row')).toHaveCount(3);

    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Alerts' }).click();
    await expect(page.getByRole('heading', { level: 1, name: 'Alerts' })).toBeVisible();
    const row = (name: string) => page.getByRole('row').filter({ hasText: name });
    await expect(row('For Acme')).toContainText('Staging');
    await expect(row('For Acme').getByRole('link', { name: 'Acme' })).toBeVisible();
    await expect(row('Globex alone').getByRole('link', { name: 'Globex' })).toBeVisible();
    await expect(row('All of them').getByText('Every one')).toHaveCount(2);
    await expect(row('Their own')).toHaveCount(0);
    // Nothing listens at the target, so the form must say in full why nothing arrives.
    await row('All of them').getByRole('button', { name: 'Actions of All of them' }).click();
    await page.getByRole('menuitem', { name: 'Send a test' }).click();
    await expect(row('All of them')).toContainText(/refused/);
    await row('All of them').getByRole('button', { name: 'Actions of All of them' }).click();
    await page.getByRole('menuitem', { name: 'Edit …' }).click();
    await expect(page.getByRole('dialog').getByText('The last message was not sent')).toBeVisible();
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
