import type { Clock } from '@posthorn/runtime/clock';
import type { DemoReceiver } from './demo-receiver.ts';
import { type Api, createApi, field, strict, textField } from './management-api.ts';
import { waitUntil } from './wait-until.ts';

const DEMO_EVENT_TYPE = 'demo.order_created';

export type DemoOptions = {
  address: string;
  workspaceId: string;
  environmentId: string;
  managementToken: string;
  apiKey: string;
  /** Identifies the endpoint by its metadata, so that the next start of this home finds it again. */
  homeId: string;
  receiver: DemoReceiver;
  clock: Clock;
  signal: AbortSignal;
};

const ARRIVES_WITHIN_MS = 15_000;

/** Makes the demo's event type and publishes it, unless that was done before. */
export async function publishDemoEventType(options: DemoOptions): Promise<string> {
  const { managed, root } = management(options);
  const types = await managed('GET', `${root}/event-types`);
  const existing = asList(types.body).find((type) => field(type, 'name') === DEMO_EVENT_TYPE);
  const description = 'Sent by the launcher to its own receiver.';
  const type = existing ?? (await managed('POST', `${root}/event-types`, { name: DEMO_EVENT_TYPE, description })).body;
  const id = textField(type, 'id');
  const visibility = `${root}/environments/${options.environmentId}/event-types/${id}/visibility`;
  await managed('PUT', visibility, { published: true });
  return id;
}

/**
 * Sends one event to the launcher's own receiver, only through the public interface, and returns the outcome in words.
 * Rejects when a step fails.
 */
export async function runDemo(options: DemoOptions, eventTypeId: string): Promise<{ ok: boolean; words: string }> {
  const { receiver, clock, signal } = options;
  const { managed, root } = management(options);
  const endpointId = await prepareEndpoint(options);
  await managed('POST', `${root}/endpoints/${endpointId}/subscriptions`, { eventTypeIds: [eventTypeId] });
  receiver.setSecretSource(async () =>
    textField((await managed('GET', `${root}/endpoints/${endpointId}`)).body, 'secret'),
  );

  const beganMs = clock.monotonicMs();
  const ingest = strict(createApi(options.address, options.apiKey, signal));
  const order = { id: 'order_1001', total: 4200, currency: 'EUR', customer: 'ada@example.com' };
  // `*` stands for all customers. The receiver belongs to none, and the environment may require an application.
  const events = [{ eventType: DEMO_EVENT_TYPE, applicationId: '*', data: order }];
  const [event] = asList(field((await ingest('POST', '/api/ingest/batch', { events })).body, 'results'));
  const messageId = textField(event, 'id');
  const receipt = await waitUntil(async () => receiver.find(messageId), {
    clock,
    signal,
    timeoutMs: ARRIVES_WITHIN_MS,
    everyMs: 10,
  });
  if (receipt === undefined) {
    return { ok: false, words: `${messageId} did not arrive within ${ARRIVES_WITHIN_MS / 1000} s` };
  }
  const took = Math.round(clock.monotonicMs() - beganMs);
  return receipt.verified
    ? { ok: true, words: `${messageId} arrived at ${receiver.url} after ${took} ms, and its signature verified` }
    : { ok: false, words: `${messageId} arrived at ${receiver.url}, but its signature did not verify` };
}

async function prepareEndpoint(options: DemoOptions): Promise<string> {
  const { managed, root } = management(options);
  const listed = await managed('GET', `${root}/endpoints?environment_id=${options.environmentId}`);
  const existing = asList(listed.body).find(
    (endpoint) => field(field(endpoint, 'metadata'), 'demoReceiver') === options.homeId,
  );
  const { url } = options.receiver;
  if (existing === undefined) {
    const made = await managed('POST', `${root}/endpoints`, {
      url,
      environmentId: options.environmentId,
      description: 'The demo receiver of npm start',
      metadata: { demoReceiver: options.homeId },
    });
    return textField(made.body, 'id');
  }
  const id = textField(existing, 'id');
  // The port may have changed, or a user may have deactivated the endpoint.
  if (field(existing, 'url') !== url || field(existing, 'isActive') !== true) {
    await managed('PATCH', `${root}/endpoints/${id}`, { url, isActive: true });
  }
  return id;
}

function management(options: DemoOptions): { managed: Api; root: string } {
  const managed = strict(createApi(options.address, options.managementToken, options.signal));
  return { managed, root: `/management/v1/workspaces/${options.workspaceId}` };
}

function asList(body: unknown): unknown[] {
  return Array.isArray(body) ? body : [];
}
