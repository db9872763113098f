import { fromId, newUuid } from '@posthorn/contract/ids';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { Rig } from '../rig.ts';
import type { Outcome, Row, Tools } from '../row.ts';
import { ask } from './ask.ts';
import { noServerErrors } from './marks.ts';

/** The largest workspace: 500 endpoints of an application, each with 990 event types. */
const ENDPOINTS = 500;
const TYPES = 990;

export const deleteWide: Row = {
  name: 'delete-wide',
  fault: 'an application with 495,000 subscriptions is deleted during other changes and events',
  pass: '204 ≤ 1 s, other changes ≤ 1 s, no 5xx, nothing of its subscriptions and secrets left',
  run: deleteApplication,
};

async function deleteApplication(rig: Rig, { scaled, say }: Tools): Promise<Outcome> {
  const { applicationId, subscriptions } = await fill(rig, { endpoints: scaled(ENDPOINTS), types: scaled(TYPES) });
  const base = `${rig.apis[0]?.url}/management/v1/workspaces/${rig.workspaceId}`;
  const token = rig.managementToken;
  const load = rig.load.steady(20, 10);
  const deletion = ask('DELETE', `${base}/applications/${applicationId}`, { token });
  const others: { status: number; afterMs: number }[] = [];
  for (let n = 0; n < 10; n += 1) {
    // Not an event type, because the workspace has as many as it may have.
    others.push(await ask('POST', `${base}/applications`, { token, body: { name: `Other ${n}` } }));
  }
  const { status, afterMs } = await deletion;
  await load;
  const uuid = fromId('app', applicationId) ?? '';
  const left = () => rig.db.subscription.count({ where: { endpoint: { applicationId: uuid } } });
  const deletedAtMs = Date.now();
  await waitFor(async () => (await left()) === 0, { what: 'the end of the subscriptions', timeoutMs: 300_000 });
  const secrets = await rig.db.signingSecret.count({ where: { endpoint: { applicationId: uuid } } });
  say(
    `${subscriptions} subscriptions: ${status} after ${afterMs.toFixed(0)} ms, all deleted ${Date.now() - deletedAtMs} ms later`,
  );
  return {
    duplicatesAtMost: 0,
    marks: [
      { what: 'answer', unit: 'ms', value: status === 204 ? afterMs : Number.POSITIVE_INFINITY, atMost: 1_000 },
      { what: 'slowest other change', unit: 'ms', value: Math.max(...others.map((one) => one.afterMs)), atMost: 1_000 },
      { what: 'other changes refused', value: others.filter((one) => one.status !== 201).length, atMost: 0 },
      { what: 'secrets left', value: secrets, atMost: 0 },
      noServerErrors(rig),
    ],
  };
}

/** Inserts the rows directly: half a million requests would take hours. */
async function fill(rig: Rig, { endpoints, types }: { endpoints: number; types: number }) {
  const [workspaceId, environmentId] = [fromId('ws', rig.workspaceId) ?? '', fromId('env', rig.environmentId) ?? ''];
  const made = await rig.client.call<{ id: string }>('POST', '/applications', { name: 'Wide' });
  const applicationId = fromId('app', made.body.id) ?? '';
  const rows = Array.from({ length: endpoints }, () => ({
    id: newUuid(new Date()),
    workspaceId,
    environmentId,
    applicationId,
  }));
  await rig.db.endpoint.createMany({ data: rows.map((row) => ({ ...row, url: 'https://127.0.0.1/' })) });
  const secrets = rows.map(({ id }) => ({ id: newUuid(new Date()), endpointId: id, sealed: Buffer.from('sealed') }));
  await rig.db.signingSecret.createMany({ data: secrets });
  const wide = Array.from({ length: types }, (_, n) => ({ id: newUuid(new Date()), workspaceId, name: `wide.n${n}` }));
  await rig.db.eventType.createMany({ data: wide });
  const subscriptions = await rig.db.$executeRaw`insert into subscription (id, endpoint_id, event_type_id)
    select gen_random_uuid(), e.id, t.id from endpoint e cross join event_type t
    where e.application_id = ${applicationId}::uuid and t.name like 'wide.%'`;
  await rig.db.$executeRaw`analyze subscription`;
  return { applicationId: made.body.id, subscriptions };
}
