import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Receiver, startReceiver } from '@posthorn/testkit/receiver';
import { waitFor } from '@posthorn/testkit/wait-for';
import { codeOf, type Service, startService, unique, type Workspace } from './service.ts';

let service: Service;
let receiver: Receiver;
let workspace: Workspace;
beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService({ dispatchers: 1 });
  ({ workspace } = service);
}, 60_000);
afterAll(async () => {
  await service.stop();
  await receiver.close();
}, 60_000);

/** Opens a chat that records the texts that it gets. */
function openChat() {
  const path = `/${unique('chat-')}`;
  const texts = () =>
    receiver.requests.filter(({ url }) => url === path).map(({ body }) => String(JSON.parse(body.toString()).text));
  const told = (count: number) =>
    waitFor(() => texts().length >= count && texts(), { what: `${count} messages: ${JSON.stringify(texts())}` });
  return { target: new URL(path, receiver.url).href, texts, told };
}

describe('alert rules', () => {
  test('docs/interface.md, Alert rules: people are told in plain words, once for all endpoints, without an event type', async () => {
    const chat = openChat();
    const applicationId = await workspace.make('/applications', { name: 'Acme' });
    const events = ['posthorn.delivery.dead_letter'];
    await workspace.make('/alert-rules', { name: 'On call', channel: 'slack', target: chat.target, events });
    const playground = { type: 'playground', config: { playground: { status: 500 }, retrySchedule: [] } };
    const broken = [
      await workspace.make(`/applications/${applicationId}/endpoints`, playground),
      await workspace.make('/endpoints', playground),
    ];
    for (const endpointId of [...broken, ...broken]) await workspace.ingest(endpointId, { n: 1 });
    const [text = ''] = await chat.told(1);
    expect(text).toContain('Deliveries were given up');
    expect(text).toMatch(
      /2 deliveries to endpoint https:\/\/playground\.invalid\/\S+ of Acme were given up: it answered 500\./,
    );
    expect(text.match(/playground\.invalid/g)).toHaveLength(2);
    await workspace.ingest(broken[0] ?? '', { n: 2 });
    expect((await workspace.manage('GET', '/operational-events')).status).toBe(200);
    expect(chat.texts()).toHaveLength(1);
  });

  test('docs/interface.md, Alert rules: a test goes out, and the rule says what became of it', async () => {
    const chat = openChat();
    const events = ['posthorn.endpoint.failing'];
    const id = await workspace.make('/alert-rules', { name: 'Tested', channel: 'slack', target: chat.target, events });
    expect((await workspace.manage('POST', `/alert-rules/${id}/test`)).status).toBe(202);
    expect(await chat.told(1)).toEqual([expect.stringContaining('Test of the alert rule “Tested”')]);
    const rule = async () => (await workspace.manage('GET', `/alert-rules/${id}`)).body;
    await waitFor(async () => (await rule()).lastSentAt !== null, { what: 'the rule to say so' });
    expect(await rule()).toMatchObject({ lastError: null, lastErrorCode: null, target: expect.stringContaining('…') });
    const email = { name: 'x', channel: 'email', target: 'a@example.com', events };
    expect(codeOf(await workspace.manage('POST', '/alert-rules', email))).toBe('validation_error');
  });
});
