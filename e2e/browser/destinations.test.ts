import { readFileSync } from 'node:fs';
import { afterAll, afterEach, expect as equal } from '@jest/globals';
import type { Browser, Page } from '@playwright/test';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { newAccount } from '@posthorn/testkit/pubsub';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { seedSession } from '@posthorn/testkit/session';
import { type Services, startServices } from '../services-in-process.ts';
import { beforeAll, closePages, expect, inBrowser, launchBrowser, openTab, test, visitPage } from './browser.ts';

/** What is typed for each type, by the labels of its form. `shown` is in the heading of the new endpoint's page. */
const FORMS: Record<string, { typed: Record<string, string>; shown: string; policy?: string }> = {
  webhook: { typed: {}, shown: 'https://' },
  playground: { typed: {}, shown: 'playground' },
  pull: { typed: {}, shown: 'Fetched by a program' },
  rabbitmq: {
    typed: { Host: '127.0.0.1', Port: '2', Exchange: 'events', User: 'posthorn', Password: 'secret-canary' },
    shown: 'RabbitMQ 127.0.0.1:2/, exchange events',
    policy: "'^$' '^events$' '^$'",
  },
  kafka: {
    typed: { Brokers: '127.0.0.1:2', Topic: 'events' },
    shown: '127.0.0.1:2',
    policy: 'kafka-acls',
  },
  nats: {
    typed: { Servers: '127.0.0.1:2', User: 'posthorn', Password: 'secret-canary' },
    shown: '127.0.0.1:2',
    policy: 'nats stream add',
  },
  sqs: aws({ 'Queue URL': 'https://127.0.0.1:2/1/events', Region: 'eu-central-1' }, 'SQS queue', 'sqs:SendMessage'),
  sns: aws(
    { 'Topic ARN': 'arn:aws:sns:eu-central-1:123456789012:events', Endpoint: 'https://127.0.0.1:2' },
    'arn:aws:sns:eu-central-1:123456789012:events',
    'sns:Publish',
  ),
  kinesis: aws(
    { Stream: 'events', Region: 'eu-central-1', Endpoint: 'https://127.0.0.1:2' },
    'events',
    'kinesis:PutRecord',
  ),
  eventbridge: aws(
    { 'Event bus': 'acme', Region: 'eu-central-1', Endpoint: 'https://127.0.0.1:2' },
    'acme',
    'events:PutEvents',
  ),
  pubsub: {
    typed: { Project: 'acme-prod', Topic: 'events', Endpoint: '127.0.0.1:2', 'Service account key': newAccount().json },
    shown: 'Pub/Sub projects/acme-prod/topics/events',
    policy: 'roles/pubsub.publisher',
  },
  s3: aws({ Bucket: 'acme', Region: 'eu-central-1', Endpoint: 'https://127.0.0.1:2' }, 'acme', 's3:PutObject'),
};

type Form = { type: string; label: string; typed: Record<string, string>; shown: string; policy?: string };

/** Every type that the interface has. */
function allTypes(): string[] {
  const document = JSON.parse(readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8'));
  return document.components.schemas.EndpointType.properties.type.enum;
}

function aws(typed: Record<string, string>, shown: string, policy: string) {
  const keys = { 'Access key ID': 'AKIA', 'Secret access key': 'secret-canary' };
  return { typed: { ...typed, ...keys }, shown, policy };
}

inBrowser('the forms of endpoint types', () => {
  let receiver: Receiver;
  let stack: Services;
  let client: ApiClient;
  let browser: Browser;
  let types: Form[];

  beforeAll(async () => {
    receiver = await startReceiver();
    stack = await startServices({ settings: { ENDPOINT_TYPES: allTypes().join() } });
    client = createApiClient({ ...stack, baseUrl: stack.api.url });
    const { body } = await client.call<{ type: string; label: string }[]>('GET', '/endpoint-types');
    types = body.map(({ type, label }) => ({ type, label, ...formOf(type) }));
    browser = await launchBrowser();
  });
  afterEach(() => closePages(browser));
  afterAll(async () => {
    await browser?.close();
    await stack?.stop();
    await receiver?.close();
  });

  function formOf(type: string) {
    const form = FORMS[type];
    if (form === undefined) throw new Error(`the form of ${type} is not in the table of this test`);
    return form;
  }

  /** Fills in the form of a new endpoint, and waits for its page. */
  async function add(page: Page, { label, typed, shown, policy }: Form, kindLabel: string) {
    await page.getByRole('button', { name: 'Add endpoint' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: kindLabel, exact: true }).click();
    await page.getByRole('option', { name: label, exact: true }).click();
    if (label === 'Webhook' || label === 'Sent to your server') {
      await dialog.getByRole('textbox', { name: /^(URL|Address)$/ }).fill(new URL('/hooks', receiver.url).href);
    }
    if (policy !== undefined) await expect(dialog.getByText(policy).first()).toBeVisible();
    for (const [field, value] of Object.entries(typed)) {
      await dialog.getByRole('textbox', { name: field, exact: true }).fill(value);
    }
    await dialog.getByRole('button', { name: 'Add endpoint' }).click();
    const copied = page.getByRole('button', { name: 'I have copied it' });
    const heading = page.getByRole('heading', { level: 1, name: shown });
    await expect(copied.or(heading)).toBeVisible();
    if (await copied.isVisible()) await copied.click();
    await expect(heading).toBeVisible();
  }

  /** Changes an endpoint of RabbitMQ by its form: a wrong value, a replaced password and a test. */
  async function edit(page: Page) {
    await openTab(page, 'Destination');
    const form = page.getByRole('region', { name: 'Destination' });
    await expect(form.getByRole('textbox', { name: 'Host', exact: true })).toHaveValue('127.0.0.1');
    await expect(form.getByLabel('Exchange')).toHaveValue('events');
    await expect(form.getByText('Stored, and never shown. Leave it empty to keep it.')).toHaveCount(2);
    await form.getByLabel('Routing key').fill('{{nobody}}');
    await form.getByRole('button', { name: 'Save destination' }).click();
    await expect(form.getByText(/has the unknown name "nobody"/i)).toHaveCount(1);
    await expect(form.getByLabel('Routing key')).toHaveAttribute('aria-invalid', 'true');
    await form.getByLabel('Routing key').fill('orders.{{eventType}}');
    await form.getByRole('textbox', { name: 'Password' }).fill('another-canary');
    await form.getByRole('button', { name: 'Save destination' }).click();
    await expect(form.getByText('Saved. It applies to every attempt from now on.')).toBeVisible();
    await expect(form.getByRole('textbox', { name: 'Password' })).toHaveValue('');
    await page.getByRole('button', { name: 'Send a test message' }).click();
    await expect(page.getByText(/^The connection was refused/)).toBeVisible();
    equal(await page.content()).not.toContain('canary');
  }

  test('create an endpoint of each type in the dashboard, and change one', async () => {
    const session = await seedSession(stack.db, { workspaceId: stack.workspaceId, role: 'owner' });
    const list = `${stack.api.url}/w/${stack.workspaceId}/production/endpoints`;
    const { page, faults } = await visitPage(browser, list, session);
    for (const form of types) {
      await page.goto(list);
      await add(page, form, 'Type');
      if (form.type === 'rabbitmq') await edit(page);
    }
    const { body } = await client.call<{ id: string; type: string }[]>('GET', '/endpoints');
    equal(body.map(({ type }) => type).sort()).toEqual(allTypes().sort());
    // Other pages name an endpoint by its target, too.
    const target = FORMS.rabbitmq?.shown ?? '';
    const sent = { endpointId: body.find(({ type }) => type === 'rabbitmq')?.id, data: {} };
    const event = await client.call<{ id: string }>('POST', '/events', sent);
    equal(event.status).toBe(202);
    await page.goto(`${stack.api.url}/w/${stack.workspaceId}/production/events/${event.body.id}`);
    await expect(page.getByRole('table').getByRole('link', { name: target })).toBeVisible();
    await page.goto(`${stack.api.url}/w/${stack.workspaceId}/production/operational-events`);
    await page.getByRole('combobox', { name: 'Send to' }).click();
    await expect(page.getByRole('option', { name: target })).toBeVisible();
    const live = await client.call<{ id: string }>('POST', '/environments', { name: 'Live', slug: 'live' });
    equal(live.status).toBe(201);
    const promoted = `from=${stack.environmentId}&to=${live.body.id}`;
    await page.goto(`${stack.api.url}/w/${stack.workspaceId}/production/promote?${promoted}`);
    await expect(page.getByRole('region', { name: /^Endpoint ep_/ }).getByText(target)).toBeVisible();
    const refused = faults.filter((fault) => !fault.includes('400'));
    equal(refused).toEqual([]);
  });

  test('create an endpoint of each type in the portal, and change one', async () => {
    const application = await client.call<{ id: string }>('POST', '/applications', { name: 'Bolts' });
    const path = `/applications/${application.body.id}/portal-sessions`;
    const words: Record<string, string> = { webhook: 'Sent to your server', pull: 'Fetched by a program' };
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, reducedMotion: 'reduce' });
    const page = await context.newPage();
    await page.goto((await client.call<{ url: string }>('POST', path, {})).body.url);
    const offered = types.map((form) => ({ ...form, label: words[form.type] ?? form.label }));
    for (const form of offered) {
      await page.getByRole('link', { name: 'Endpoints' }).click();
      await add(page, form, 'How it gets messages');
      if (form.type === 'rabbitmq') await edit(page);
    }
    equal(await page.evaluate('document.documentElement.scrollWidth <= 390')).toBe(true);
  });
});
