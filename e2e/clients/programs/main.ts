import createClient from 'openapi-fetch';
import type { paths } from './posthorn.js';

const { BASE_URL = '', TOKEN = '', WORKSPACE_ID = '', NAME = '', API_KEY = '', ENDPOINT_ID = '' } = process.env;
const say = (line: string) => process.stdout.write(`${line}\n`);
const client = createClient<paths>({ baseUrl: BASE_URL, headers: { Authorization: `Bearer ${TOKEN}` } });
const path = { workspaceId: WORKSPACE_ID };
const types = '/management/v1/workspaces/{workspaceId}/event-types';

const created = await client.POST(types, { params: { path }, body: { name: NAME } });
say(`created ${created.data?.name}`);
const listed = await client.GET(types, { params: { path, query: { limit: 100 } } });
say(`listed ${listed.data?.some(({ name }) => name === NAME)}`);
const missing = await client.GET(`${types}/{id}`, { params: { path: { ...path, id: 'evt_none' } } });
say(`refused ${missing.error?.error.code} ${missing.error?.error.message}`);

const sender = createClient<paths>({ baseUrl: BASE_URL, headers: { Authorization: `Bearer ${API_KEY}` } });
const sent = await sender.POST('/api/ingest/event/{eventType}', {
  params: { path: { eventType: NAME }, header: { 'Idempotency-Key': NAME } },
  body: { order: 1 },
});
say(`sent ${sent.data?.eventType}`);
const direct = await sender.POST('/api/ingest/{endpointId}', {
  params: { path: { endpointId: ENDPOINT_ID } },
  body: { order: 2 },
});
say(`sent directly ${direct.data?.deliveryId.slice(0, 4)}`);
