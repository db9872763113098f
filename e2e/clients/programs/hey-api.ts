import { createClient } from './posthorn/client';
import { createEventType, getEventType, ingestDirectEvent, ingestEvent, listEventTypes } from './posthorn/sdk.gen';

const { BASE_URL = '', TOKEN = '', WORKSPACE_ID = '', NAME = '', API_KEY = '', ENDPOINT_ID = '' } = process.env;
const say = (line: string) => process.stdout.write(`${line}\n`);
const client = createClient({ baseUrl: BASE_URL, auth: TOKEN });
const path = { workspaceId: WORKSPACE_ID };

const created = await createEventType({ client, path, body: { name: NAME } });
say(`created ${created.data?.name}`);
const listed = await listEventTypes({ client, path, query: { limit: 100 } });
say(`listed ${listed.data?.some(({ name }) => name === NAME)}`);
const missing = await getEventType({ client, path: { ...path, id: 'evt_none' } });
say(`refused ${missing.error?.error.code} ${missing.error?.error.message}`);

const sender = createClient({ baseUrl: BASE_URL, auth: API_KEY });
const sent = await ingestEvent({
  client: sender,
  path: { eventType: NAME },
  headers: { 'Idempotency-Key': NAME },
  body: { order: 1 },
});
say(`sent ${sent.data?.eventType}`);
const direct = await ingestDirectEvent({ client: sender, path: { endpointId: ENDPOINT_ID }, body: { order: 2 } });
say(`sent directly ${direct.data?.deliveryId.slice(0, 4)}`);
