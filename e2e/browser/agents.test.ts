import { afterAll, afterEach, expect as equal } from '@jest/globals';
import type { Browser, Page } from '@playwright/test';
import { fromId } from '@posthorn/contract/ids';
import { startAgentIssuer } from '@posthorn/testkit/agent-issuer';
import { createApiClient } from '@posthorn/testkit/api-client';
import { seedSession } from '@posthorn/testkit/session';
import { waitFor } from '@posthorn/testkit/wait-for';
import { type Services, startServices } from '../services-in-process.ts';
import { beforeAll, closePages, expect, inBrowser, launchBrowser, showPage, test, visitPage } from './browser.ts';

inBrowser('Connect an agent', () => {
  let stack: Services;
  let browser: Browser;

  beforeAll(async () => {
    stack = await startServices({ dispatchers: 0 });
    browser = await launchBrowser();
  });
  afterEach(() => closePages(browser));
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
  });

  /** The configuration that a page shows for an agent that takes an address. */
  const shownConfiguration = async (page: Page) => {
    const part = page.getByRole('region', { name: 'For an agent that takes an address' });
    await expect(part).toBeVisible();
    const { mcpServers } = JSON.parse((await part.locator('pre').textContent()) ?? '');
    return Object.values(mcpServers)[0] as { url: string; headers: Record<string, string> };
  };

  /** The tools that an agent with this configuration gets. */
  const toolsOf = async ({ url, headers }: { url: string; headers: Record<string, string> }) => {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    const { result } = (await answer.json()) as { result: { tools: { name: string }[] } };
    return result.tools.map(({ name }) => name);
  };

  test('the dashboard makes a token that ends, for this environment, and a configuration that works', async () => {
    const session = await seedSession(stack.db, { workspaceId: stack.workspaceId, role: 'owner' });
    const { page, faults } = await visitPage(browser, stack.api.url, session);
    await page.getByRole('link', { name: 'Access' }).click();
    await page.getByRole('tab', { name: 'Agents' }).click();
    await page.getByRole('button', { name: 'Connect an agent' }).click();
    await page.getByRole('button', { name: 'Create token' }).click();
    const tools = await toolsOf(await shownConfiguration(page));
    equal(tools).toContain('why_not_delivered');
    equal(tools).not.toContain('retry_delivery');
    const stored = await stack.db.managementToken.findFirstOrThrow({ where: { name: 'Agent' } });
    equal([stored.scopes, stored.environmentIds.length]).toEqual([['read'], 1]);
    const days = ((stored.expiresAt?.getTime() ?? 0) - stored.createdAt.getTime()) / 86_400_000;
    equal(Math.round(days)).toBe(7);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await expect(page.getByRole('region', { name: 'For an agent that takes an address' })).toHaveCount(0);

    await page.getByRole('button', { name: 'Connect an agent' }).click();
    await page.getByLabel('Allow changes').check();
    await page.getByRole('button', { name: 'Create token' }).click();
    equal(await toolsOf(await shownConfiguration(page))).toContain('retry_delivery');
    equal(faults).toEqual([]);
  });

  test('a management token ends at the time that is typed in UTC, whatever the zone of the reader', async () => {
    const session = await seedSession(stack.db, { workspaceId: stack.workspaceId, role: 'owner' });
    const access = `${stack.api.url}/w/${stack.workspaceId}/production/access?part=tokens`;
    const { page, faults } = await visitPage(browser, access, session);
    const device = await page.context().newCDPSession(page);
    await device.send('Emulation.setTimezoneOverride', { timezoneId: 'Pacific/Auckland' });
    await page.getByRole('button', { name: 'Create token' }).first().click();
    const sheet = page.getByRole('dialog', { name: 'Create management token' });
    await sheet.getByRole('textbox', { name: 'Name' }).fill('Until noon');
    const noon = `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 10)} 12:00`;
    await sheet.getByLabel('Ends at').fill(noon);
    // Tab closes the calendar.
    await sheet.getByLabel('Ends at').press('Tab');
    await expect(sheet.getByLabel('Ends at')).toHaveAccessibleDescription(/^In UTC/);
    await sheet.getByRole('button', { name: 'Create token' }).click();
    await page.getByRole('button', { name: 'I have copied it' }).click();
    const stored = await stack.db.managementToken.findFirstOrThrow({ where: { name: 'Until noon' } });
    equal(stored.expiresAt?.toISOString()).toBe(`${noon.replace(' ', 'T')}:00.000Z`);
    equal(faults).toEqual([]);
  });

  test('the portal shows a configuration with the token of its session, which reads or also changes', async () => {
    const client = createApiClient({ ...stack, baseUrl: stack.api.url });
    const application = await client.call<{ id: string }>('POST', '/applications', { name: 'Acme' });
    const { body } = await client.call<{ id: string; token: string }>(
      'POST',
      `/applications/${application.body.id}/portal-sessions`,
      {},
    );
    const { page, faults } = await visitPage(browser, `${stack.api.url}/portal/${body.id}#token=${body.token}`);
    await page.getByRole('link', { name: 'Agent' }).click();
    await expect(page.getByText('It sees the endpoints, messages and deliveries of Acme in Production')).toBeVisible();
    await page.getByRole('button', { name: 'Show the configuration' }).click();
    await expect(page.getByText(/posthorn/i)).toHaveCount(0);
    const configuration = await shownConfiguration(page);
    equal(configuration.headers).toEqual({ Authorization: `Bearer ${body.token}` });
    equal(await toolsOf(configuration)).not.toContain('set_endpoint_active');
    equal(await toolsOf({ ...configuration, url: `${configuration.url}?changes=true` })).toContain(
      'set_endpoint_active',
    );
    equal(faults).toEqual([]);
  });

  test('where agents may subscribe, the dashboard takes an issuer, and both pages make keys, show subscriptions and how they ended, and end them', async () => {
    const own = await startServices({ settings: { MCP_EVENTS: 'true' } });
    const issuer = await startAgentIssuer();
    try {
      const session = await seedSession(own.db, { workspaceId: own.workspaceId, role: 'owner' });
      const access = `${own.api.url}/w/${own.workspaceId}/production/access?part=agents`;
      const { page, faults } = await visitPage(browser, access, session);
      await page.getByRole('switch', { name: 'Agents may subscribe to events of Production' }).click();
      await expect(page.getByRole('switch')).toBeChecked();
      await page.getByRole('button', { name: 'Set issuer' }).click();
      await page.getByRole('textbox', { name: 'Issuer' }).fill(issuer.issuer);
      await page.getByRole('textbox', { name: 'Longest subscription, in seconds' }).fill('600');
      await page.getByRole('button', { name: 'Save issuer' }).click();
      await expect(page.getByText(`by a login at ${issuer.issuer}`)).toBeVisible();
      await page.getByRole('button', { name: 'Check issuer' }).click();
      await expect(page.getByText('The issuer has 1 key')).toBeVisible();
      await page.getByRole('button', { name: 'Create agent key' }).first().click();
      await page.getByRole('textbox', { name: 'Name' }).fill('Order assistant');
      await page.getByRole('dialog').getByRole('button', { name: 'Create agent key' }).click();
      await expect(page.getByRole('dialog').getByText(/^pha_/)).toBeVisible();
      const code = page.getByRole('region', { name: 'For your own agent, with the AI SDK' });
      await expect(code).toContainText(`/mcp/events/${own.environmentId}`);
      await expect(code).toContainText('Bearer pha_');
      await page.getByRole('button', { name: 'I have copied it' }).click();
      await expect(page.getByText('Order assistant')).toBeVisible();

      const client = createApiClient({ ...own, baseUrl: own.api.url });
      const saved = await client.call('GET', `/environments/${own.environmentId}/agents`);
      equal(saved.body).toMatchObject({ issuer: { scope: 'events:subscribe', jwksUri: null, maxTtlSeconds: 600 } });
      const application = await client.call<{ id: string }>('POST', '/applications', { name: 'Acme' });
      const country = { type: 'string' };
      const type = await client.call<{ id: string }>('POST', '/event-types', {
        ...{ name: 'order.shipped', example: { country: 'DE' } },
        schema: { type: 'object', properties: { country, note: { type: 'string' } } },
      });
      const endpoint = await client.call<{ id: string }>('POST', `/applications/${application.body.id}/endpoints`, {
        url: 'https://127.0.0.1/',
      });
      await subscribeAgent(own, { endpoint: endpoint.body.id, type: type.body.id });
      await page.reload();
      await expect(page.getByText('order.shipped')).toBeVisible();

      await page.getByRole('switch').click();
      const asked = page.getByRole('dialog', { name: 'Let no agent subscribe?' });
      await asked.getByRole('button', { name: 'Cancel' }).click();
      await expect(page.getByRole('switch')).toBeChecked();
      await page.getByRole('button', { name: 'Change issuer' }).click();
      await page.getByRole('button', { name: 'Remove issuer' }).click();
      await page.getByRole('dialog', { name: 'Remove the issuer?' }).getByRole('button', { name: 'Cancel' }).click();
      // A change of another value keeps what somebody else has set since the page was opened.
      const changed = { ...(saved.body as object), available: undefined, maxTtlSeconds: 7_200 };
      equal((await client.call('PUT', `/environments/${own.environmentId}/agents`, changed)).status).toBe(200);
      await page.getByRole('textbox', { name: 'Scope' }).fill('events');
      await page.getByRole('button', { name: 'Save issuer' }).click();
      await expect(page.getByRole('dialog')).toHaveCount(0);
      const after = await client.call('GET', `/environments/${own.environmentId}/agents`);
      equal(after.body).toMatchObject({ enabled: true, maxTtlSeconds: 7_200, issuer: { scope: 'events' } });

      await showPage(page, `/w/${own.workspaceId}/production/event-types?search=order.shipped`);
      await page.getByRole('button', { name: 'Actions of order.shipped' }).click();
      await page.getByRole('menuitem', { name: 'Schema and portals' }).click();
      await page.getByRole('checkbox', { name: 'Choose by which values agents may filter' }).check();
      await page.getByRole('combobox', { name: 'Values by which agents may filter' }).click();
      await page.getByRole('option', { name: 'country' }).click();
      await page.getByRole('button', { name: 'Save filters of agents' }).click();
      await expect(page.getByRole('button', { name: 'Save filters of agents' })).toBeDisabled();
      const chosen = async () =>
        (await client.call<{ agentFilters: string[] | null }>('GET', `/event-types/${type.body.id}`)).body.agentFilters;
      await waitFor(async () => (await chosen()) !== null, { what: 'the choice to be saved' });
      equal(await chosen()).toEqual(['country']);

      await showPage(page, `/w/${own.workspaceId}/production/customers/${application.body.id}`);
      const agents = page.getByRole('region', { name: 'Agents' });
      await expect(agents.getByText('order.shipped')).toBeVisible();
      await expect(agents.getByText('if country is "DE"')).toBeVisible();
      equal(faults).toEqual([]);

      const visitPortal = async (applicationId: string) => {
        const path = `/applications/${applicationId}/portal-sessions`;
        const { body } = await client.call<{ id: string; token: string }>('POST', path, {});
        const portal = await visitPage(browser, `${own.api.url}/portal/${body.id}#token=${body.token}`);
        await portal.page.getByRole('link', { name: 'Agent' }).click();
        return { ...portal, part: portal.page.getByRole('region', { name: 'Agents that subscribe' }) };
      };
      const portal = await visitPortal(application.body.id);
      const { part } = portal;
      await expect(part.getByText('order.shipped')).toBeVisible();
      await expect(part.getByText('if country is "DE"')).toBeVisible();
      await expect(part.getByText(/^Active, expires/)).toBeVisible();
      await expect(part.getByText('says it is Shopping helper')).toBeVisible();
      await expect(part.getByText('Order assistant')).toHaveCount(0);
      await part.getByRole('button', { name: 'End order.shipped' }).click();
      await portal.page.getByRole('button', { name: 'End subscription' }).click();
      await expect(part.getByText('Ended by a person')).toBeVisible();
      await expect(part.getByRole('button', { name: 'End order.shipped' })).toHaveCount(0);
      equal(await own.db.agentSubscription.findMany()).toMatchObject([{ endReason: 'person' }]);
      equal(portal.faults).toEqual([]);

      const other = await client.call<{ id: string }>('POST', '/applications', { name: 'Without agents' });
      const empty = await visitPortal(other.body.id);
      const address = `/mcp/events/${own.environmentId}`;
      await expect(empty.part.getByText('No agent has subscribed yet.')).toBeVisible();
      await empty.part.getByRole('button', { name: 'Show how an agent connects' }).click();
      const login = empty.part.getByRole('region', { name: 'For ChatGPT and others where people log in' });
      await expect(login).toContainText(`You then log in at ${issuer.issuer}`);
      await expect(login.locator('pre')).toHaveText(new RegExp(`^http.*${address}$`));
      await expect(empty.part.getByRole('region', { name: 'For your own agent, with the AI SDK' })).toContainText(
        address,
      );
      equal((await shownConfiguration(empty.page)).headers).toEqual({ Authorization: 'Bearer pha_…' });
      equal(empty.faults).toEqual([]);
    } finally {
      await own.stop();
      await issuer.close();
    }
  });

  /** Stores a subscription as the API would: there is no callback here that echoes a challenge. */
  const subscribeAgent = async (own: Services, { endpoint, type }: { endpoint: string; type: string }) => {
    const where = { id: fromId('ep', endpoint) ?? '' };
    const { id: endpointId, ...place } = await own.db.endpoint.update({ where, data: { isTemporary: true } });
    const { workspaceId, environmentId, applicationId } = place;
    const lives = { url: 'https://agent.test/', dialect: 'sketch', expiresAt: new Date(Date.now() + 3_600_000) };
    const clientName = 'Shopping helper';
    await own.db.agentSubscription.create({
      data: {
        ...{ endpointId, workspaceId, environmentId, applicationId, clientName, ...lives },
        ...{ identity: `mcs_${'0'.repeat(26)}`, principal: 'key:1', arguments: { country: 'DE' } },
        ...{ eventTypeId: fromId('evt', type) ?? '', eventType: 'order.shipped' },
      },
    });
  };
});
