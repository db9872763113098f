import { CAPABILITIES } from '@posthorn/contract/access';
import { fromId, newUuid, toId } from '@posthorn/contract/ids';
import { type ApiClient, createApiClient } from '@posthorn/testkit/api-client';
import { type SeededWorkspace, seedWorkspace } from '@posthorn/testkit/seed';
import { seedSession } from '@posthorn/testkit/session';
import type { Rig } from '../rig.ts';
import { ask, field } from './ask.ts';
import type { Things } from './interface-operations.ts';

/** A workspace with one resource of each kind, and a live credential of each kind. */
export type Equipped = {
  seeded: SeededWorkspace;
  things: Things;
  client: ApiClient;
  /** The session token of an owner. */
  session: string;
  /** The portal token of the application in `things`. */
  portal: string;
  /** A client for paths below the workspace, with the session. */
  dashboard: (method: string, path: string, body?: object) => Promise<Record<string, unknown>>;
};

/** Makes one resource of each kind in the rig's own workspace. */
export function equipOwn(rig: Rig): Promise<Equipped> {
  return equip(rig, rig);
}

/** Makes the same resources in the workspace of another customer. */
export async function equipAnother(rig: Rig): Promise<Equipped> {
  return equip(rig, await seedWorkspace(rig.db));
}

async function equip(
  rig: Rig,
  { workspaceId, environmentId, managementToken, apiKey }: SeededWorkspace,
): Promise<Equipped> {
  const seeded = { workspaceId, environmentId, managementToken, apiKey };
  const baseUrl = rig.apis[0]?.url ?? '';
  const client = createApiClient({ ...seeded, baseUrl });
  const session = await seedSession(rig.db, { workspaceId, role: 'owner' });
  const dashboard: Equipped['dashboard'] = async (method, path, body) => {
    const reply = await ask(method, `${baseUrl}/api/workspaces/${workspaceId}${path}`, { token: session, body });
    if (reply.status >= 400) throw new Error(`${method} ${path} answered ${reply.status} ${reply.text}`);
    return reply.text === '' ? {} : JSON.parse(reply.text);
  };
  const make = async (path: string, body: object) => String((await dashboard('POST', path, body)).id);
  const eventType = 'matrix.type';
  const eventTypeId = await make('/event-types', { name: eventType, publishIn: [environmentId] });
  const applicationId = await make('/applications', { name: 'Matrix', externalId: 'matrix' });
  const endpointId = await make(`/applications/${applicationId}/endpoints`, {
    url: 'https://127.0.0.1/',
    environmentId,
  });
  const pullEndpointId = await make('/endpoints', { type: 'pull', environmentId });
  await dashboard('POST', `/endpoints/${endpointId}/subscriptions`, { eventTypeIds: [eventTypeId] });
  // The deliveries of an inactive endpoint end without a request.
  await dashboard('PATCH', `/endpoints/${endpointId}`, { isActive: false });
  const portal = await dashboard('POST', `/applications/${applicationId}/portal-sessions`, {
    capabilities: CAPABILITIES,
  });
  const member = await dashboard('POST', '/members', { email: `${eventTypeId}@example.com`, role: 'viewer' });
  const operation = await dashboard('POST', '/deliveries/retry', { filter: { endpoint_id: endpointId } });
  const delivery = await ask('POST', `${baseUrl}/api/ingest/${endpointId}`, { token: apiKey, body: {} });
  const sessions: object[] = JSON.parse((await ask('GET', `${baseUrl}/api/auth/sessions`, { token: session })).text);
  const passkeyId = newUuid(new Date());
  const owned = { workspaceId: fromId('ws', workspaceId) ?? '', role: 'owner' } as const;
  const owner = await rig.db.member.findFirstOrThrow({ where: owned });
  await rig.db.passkey.create({
    data: {
      id: passkeyId,
      userId: owner.userId,
      name: 'Matrix',
      credentialId: passkeyId,
      publicKey: new Uint8Array(),
      counter: 0,
    },
  });
  // A rule of the customer, which operators see too.
  const rule = await ask('POST', `${baseUrl}/api/portal/alert-rules`, {
    token: String(portal.token),
    body: { name: 'Matrix', channel: 'slack', target: 'https://127.0.0.1/', events: ['posthorn.endpoint.failing'] },
  });
  const identity = `mcs_${endpointId.slice(-26)}`;
  await rig.db.agentSubscription.create({
    data: {
      endpointId: uuidOf('ep', endpointId),
      workspaceId: owned.workspaceId,
      environmentId: uuidOf('env', environmentId),
      applicationId: uuidOf('app', applicationId),
      ...{ identity, principal: 'key:1', eventTypeId: uuidOf('evt', eventTypeId), eventType },
      ...{ arguments: {}, url: 'https://127.0.0.1/', dialect: 'sketch', expiresAt: new Date(Date.now() + 3_600_000) },
    },
  });
  const targetId = await make('/environments', { name: 'Target', slug: 'target' });
  const things: Things = {
    eventType,
    workspaces: workspaceId,
    environments: environmentId,
    diff: targetId,
    promote: targetId,
    'event-types': eventTypeId,
    subscriptions: eventTypeId,
    catalog: eventTypeId,
    endpoints: endpointId,
    deliveries: String(field(delivery, 'deliveryId')),
    events: String(field(delivery, 'id')),
    applications: applicationId,
    'pull-keys': await make(`/endpoints/${pullEndpointId}/pull-keys`, {}),
    'agent-keys': await make('/agent-keys', { name: 'Matrix', environmentId, applicationId }),
    'agent-subscriptions': identity,
    'api-keys': await make(`/environments/${environmentId}/api-keys`, { name: 'Matrix' }),
    'management-tokens': await make('/management-tokens', { name: 'Matrix' }),
    members: String(member.userId),
    sessions: String(field({ text: JSON.stringify(sessions[0]) }, 'id')),
    'portal-sessions': String(portal.id),
    operations: String(operation.id),
    passkeys: toId('psk', passkeyId),
    'alert-rules': String(field(rule, 'id')),
    sources: await make('/sources', {
      ...{ name: 'Matrix', environmentId, isActive: false },
      config: {
        brokers: ['127.0.0.1:9092'],
        saslMechanism: 'none',
        topics: ['matrix'],
        eventType: { fixed: eventType },
      },
    }),
  };
  return { seeded, things, client, session, portal: String(portal.token), dashboard };
}

/** The UUID of an id that must be well-formed. */
export function uuidOf(prefix: Parameters<typeof fromId>[0], id: string): string {
  const uuid = fromId(prefix, id);
  if (uuid === undefined) throw new Error(`${id} is no ${prefix} id`);
  return uuid;
}
