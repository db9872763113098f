import { type Api, field, strict, textField } from '../management-api.ts';
import { CUSTOMERS, type DemoEndpoint, ENDPOINTS, EVENT_TYPES } from './contents.ts';

export type SetUpOptions = {
  api: Api;
  /** The path of the workspace in the management interface. */
  root: string;
  environmentId: string;
  /** The address of the receivers. */
  receiverUrl: string;
};

/**
 * Makes the customers, event types, environments, endpoints and subscriptions of the demo that are missing. A repeated call makes
 * nothing twice; it only moves the endpoints to a new address of their receivers. An endpoint that its receiver or a
 * user has deactivated stays so.
 */
export async function setUp(options: SetUpOptions): Promise<void> {
  const eventTypeIds = await makeEventTypes(options);
  await makeStaging(options, [...eventTypeIds.values()]);
  await makeCustomers(options);
  const existing = asList((await strict(options.api)('GET', `${options.root}/endpoints`)).body);
  for (const endpoint of ENDPOINTS) {
    const found = existing.find((one) => field(field(one, 'metadata'), 'demo') === endpoint.key);
    const id =
      found === undefined ? await makeEndpoint(options, endpoint) : await moveEndpoint(options, endpoint, found);
    await strict(options.api)('POST', `${options.root}/endpoints/${id}/subscriptions`, {
      eventTypeIds: endpoint.eventTypes.map((name) => eventTypeIds.get(name)),
    });
  }
}

async function makeEventTypes(options: SetUpOptions): Promise<Map<string, string>> {
  const { api, root, environmentId } = options;
  const ids = new Map<string, string>();
  const existing = asList((await strict(api)('GET', `${root}/event-types`)).body);
  for (const eventType of EVENT_TYPES) {
    const found =
      existing.find((one) => field(one, 'name') === eventType.name) ??
      (await strict(api)('POST', `${root}/event-types`, eventType)).body;
    const id = textField(found, 'id');
    const visibility = `${root}/environments/${environmentId}/event-types/${id}/visibility`;
    await strict(api)('PUT', visibility, { published: true });
    ids.set(eventType.name, id);
  }
  return ids;
}

/** A second environment, in which the newest event types are not published yet. */
async function makeStaging({ api, root }: SetUpOptions, eventTypeIds: readonly string[]): Promise<void> {
  const environments = asList((await strict(api)('GET', `${root}/environments`)).body);
  if (environments.some((one) => field(one, 'slug') === 'staging')) return;
  const made = await api('POST', `${root}/environments`, { name: 'Staging', slug: 'staging' });
  if (made.status !== 201) return; // The workspace has as many environments as it may have.
  const visibilities = `${root}/environments/${textField(made.body, 'id')}/event-types`;
  for (const id of eventTypeIds.slice(0, -2)) {
    await strict(api)('PUT', `${visibilities}/${id}/visibility`, { published: true });
  }
}

async function makeCustomers({ api, root }: SetUpOptions): Promise<void> {
  for (const { externalId, name } of CUSTOMERS) {
    const found = await api('GET', `${root}/applications/ext:${externalId}`);
    if (found.status === 404) await strict(api)('POST', `${root}/applications`, { externalId, name });
  }
}

async function makeEndpoint(options: SetUpOptions, endpoint: DemoEndpoint): Promise<string> {
  const { api, root, environmentId, receiverUrl } = options;
  const { key, customer, description, config = {} } = endpoint;
  const parent = customer === undefined ? root : `${root}/applications/ext:${customer}`;
  const made = await strict(api)('POST', `${parent}/endpoints`, {
    url: `${receiverUrl}/${key}`,
    environmentId,
    description,
    config,
    metadata: { demo: key },
  });
  return textField(made.body, 'id');
}

async function moveEndpoint(options: SetUpOptions, { key }: DemoEndpoint, found: unknown): Promise<string> {
  const { api, root, receiverUrl } = options;
  const id = textField(found, 'id');
  const url = `${receiverUrl}/${key}`;
  if (field(found, 'url') !== url) await strict(api)('PATCH', `${root}/endpoints/${id}`, { url });
  return id;
}

function asList(body: unknown): unknown[] {
  return Array.isArray(body) ? body : [];
}
