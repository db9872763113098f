import { seedSession } from '@posthorn/testkit/session';
import { waitFor } from '@posthorn/testkit/wait-for';
import type { Rig } from '../rig.ts';
import type { Outcome, Tools } from '../row.ts';
import { ask, codeOf, type Reply } from './ask.ts';
import { askEach } from './ask-each.ts';
import { fill, type Operation, readOperations, type Scheme } from './interface-operations.ts';
import { type Equipped, equipAnother, equipOwn, uuidOf } from './interface-things.ts';

/** A credential in one of its states. Only a live one is accepted. */
type Credential = {
  what: string;
  token: string | undefined;
  opens?: Scheme;
  disabled?: true;
  workspace: 'own' | 'another';
};

const UNAUTHORIZED = '{"error":{"code":"unauthorized","message":"Missing or invalid authorization header: ';

/** Calls every operation with every kind of credential in every state, at both API processes. */
export async function credentials(rig: Rig, { random, scaled, say }: Tools): Promise<Outcome> {
  const own = await equipOwn(rig);
  const another = await equipAnother(rig);
  const kinds = await makeCredentials(rig, { own, another });
  const operations = await readOperations(rig.apis[0]?.url ?? '');
  const whole = operations.flatMap((operation) => kinds.map((credential) => ({ operation, credential })));
  // A revocation takes effect within a second after its response, so the row first waits for the last one.
  const settled = () => ask('GET', `${rig.apis[1]?.url}/api/auth/me`, { token: kinds.at(-1)?.token });
  await waitFor(async () => (await settled()).status === 401, { what: 'the last credential to end' });
  const cases = random.sample(whole, scaled(whole.length));
  say(`${cases.length} of ${whole.length} pairs of ${operations.length} operations and ${kinds.length} credentials`);
  const wrong = await askEach(rig, { cases, say, what: 'wrong answers' }, async ({ operation, credential }, n) => {
    const live = opens(operation, credential);
    // The contract tests cover accepted changes. Here they would alter the data of the other cases.
    if (live && (operation.method !== 'GET' || operation.path.includes('ingest'))) return undefined;
    const url = `${rig.apis[n % rig.apis.length]?.url}${fill(operation.path, own.things)}`;
    const body = operation.body === undefined ? undefined : {};
    const reply = await ask(operation.method, url, { token: credential.token, body });
    const fault = judge(operation, { credential, reply, live });
    return fault === undefined ? undefined : `${operation.id} with ${credential.what}: ${fault}`;
  });
  return { duplicatesAtMost: 0, marks: [{ what: 'pairs', value: cases.length }, ...wrong] };
}

function opens({ scheme }: Operation, credential: Credential): boolean {
  return credential.opens === scheme && credential.disabled === undefined;
}

/** Describes a wrong response. Undefined if it is right. */
function judge(
  operation: Operation,
  given: { credential: Credential; reply: Reply; live: boolean },
): string | undefined {
  const { credential, reply, live } = given;
  const got = `${reply.status} ${reply.text.slice(0, 120)}`;
  if (!live && credential.disabled === true && credential.opens === operation.scheme) {
    return reply.status === 403 && codeOf(reply) === 'token_disabled' ? undefined : got;
  }
  if (!live) return reply.status === 401 && reply.text.startsWith(UNAUTHORIZED) ? undefined : got;
  const foreign = credential.workspace === 'another' && operation.path.includes('{workspaces}');
  if (foreign) return reply.status === 404 && codeOf(reply) === 'not_found' ? undefined : got;
  // The other workspace's portal token is valid, but finds none of our resources.
  if (credential.workspace === 'another') return reply.status < 500 && reply.status !== 401 ? undefined : got;
  return reply.status === 200 ? undefined : got;
}

type Both = { own: Equipped; another: Equipped };

async function makeCredentials(rig: Rig, { own, another }: Both): Promise<Credential[]> {
  const live = ({ seeded, session, portal }: Equipped, workspace: Credential['workspace']): Credential[] => [
    { what: `${workspace} API key`, token: seeded.apiKey, opens: 'apiKey', workspace },
    { what: `${workspace} management token`, token: seeded.managementToken, opens: 'managementToken', workspace },
    { what: `${workspace} session`, token: session, opens: 'sessionToken', workspace },
    { what: `${workspace} portal token`, token: portal, opens: 'portalToken', workspace },
  ];
  const alive = [...live(own, 'own'), ...live(another, 'another')];
  const dead = [
    { what: 'none', token: undefined },
    { what: 'nonsense', token: 'nonsense' },
    ...alive.slice(0, 4).flatMap(({ what, token = '' }) => [
      { what: `${what} with another last character`, token: token.slice(0, -1) + (token.endsWith('A') ? 'B' : 'A') },
      { what: `${what} cut short`, token: token.slice(0, -1) },
      { what: `${what} in other letters`, token: swapCase(token) },
    ]),
    ...(await endedKeys(rig, own)),
    ...(await endedTokens(rig, own)),
    ...(await endedPortals(rig, own)),
    ...(await endedSessions(rig, own)),
  ];
  return [...alive, ...dead.map((one) => ({ workspace: 'own' as const, ...one }))];
}

async function endedKeys({ db }: Rig, { things, dashboard }: Equipped) {
  const at = `/environments/${things.environments}/api-keys`;
  const make = async (name: string) => {
    const { id, key } = await dashboard('POST', at, { name });
    return { id: String(id), uuid: uuidOf('key', String(id)), token: String(key) };
  };
  const [expired, revoked, deleted] = [await make('expired'), await make('revoked'), await make('deleted')];
  await db.$executeRaw`update api_key set expires_at = now() - interval '1 second' where id = ${expired.uuid}::uuid`;
  await db.$executeRaw`update api_key set revoked_at = now() - interval '1 second' where id = ${revoked.uuid}::uuid`;
  await dashboard('DELETE', `${at}/${deleted.id}`);
  const environment = await dashboard('POST', '/environments', { name: 'Gone', slug: 'gone' });
  const gone = await dashboard('POST', `/environments/${String(environment.id)}/api-keys`, { name: 'gone' });
  await dashboard('DELETE', `/environments/${String(environment.id)}`);
  return [
    { what: 'an expired API key', token: expired.token },
    { what: 'a revoked API key', token: revoked.token },
    { what: 'a deleted API key', token: deleted.token },
    { what: 'the API key of a deleted environment', token: String(gone.key) },
  ];
}

async function endedTokens({ db }: Rig, { dashboard }: Equipped) {
  const make = async (name: string) => {
    const { id, token } = await dashboard('POST', '/management-tokens', { name });
    return { id: String(id), uuid: uuidOf('tok', String(id)), token: String(token) };
  };
  const [expired, disabled, deleted] = [await make('expired'), await make('disabled'), await make('deleted')];
  const both = await make('both');
  const ended = [expired.uuid, both.uuid];
  await db.$executeRaw`
    update management_token set expires_at = now() - interval '1 second' where id = any(${ended}::uuid[])`;
  for (const { id } of [disabled, both]) await dashboard('PATCH', `/management-tokens/${id}`, { isDisabled: true });
  await dashboard('DELETE', `/management-tokens/${deleted.id}`);
  return [
    { what: 'an expired management token', token: expired.token },
    {
      what: 'a disabled management token',
      token: disabled.token,
      opens: 'managementToken' as const,
      disabled: true as const,
    },
    { what: 'a deleted management token', token: deleted.token },
  ];
}

async function endedPortals({ db }: Rig, { dashboard, things }: Equipped) {
  const make = async (applicationId: string) => {
    const { id, token } = await dashboard('POST', `/applications/${applicationId}/portal-sessions`, {});
    return { id: String(id), uuid: uuidOf('prt', String(id)), token: String(token) };
  };
  const [expired, deleted] = [await make(things.applications), await make(things.applications)];
  await db.$executeRaw`update portal_session set expires_at = now() - interval '1 second' where id = ${expired.uuid}::uuid`;
  await dashboard('DELETE', `/applications/${things.applications}/portal-sessions/${deleted.id}`);
  const application = String((await dashboard('POST', '/applications', { name: 'Gone' })).id);
  const gone = await make(application);
  await dashboard('DELETE', `/applications/${application}`);
  return [
    { what: 'an expired portal token', token: expired.token },
    { what: 'a deleted portal token', token: deleted.token },
    { what: 'the portal token of a deleted application', token: gone.token },
  ];
}

async function endedSessions(rig: Rig, { seeded }: Equipped) {
  const make = async () => {
    const token = await seedSession(rig.db, { workspaceId: seeded.workspaceId, role: 'owner' });
    const { id } = await rig.db.session.findFirstOrThrow({ orderBy: { id: 'desc' } });
    return { id, token };
  };
  const [expired, ended, out] = [await make(), await make(), await make()];
  await rig.db.$executeRaw`update session set expires_at = now() - interval '1 second' where id = ${expired.id}::uuid`;
  await rig.db.$executeRaw`update session set ends_at = now() - interval '1 second' where id = ${ended.id}::uuid`;
  await ask('POST', `${rig.apis[0]?.url}/api/auth/logout`, { token: out.token });
  return [
    { what: 'an expired session', token: expired.token },
    { what: 'a session past its end', token: ended.token },
    { what: 'a session that was logged out', token: out.token },
  ];
}

function swapCase(text: string): string {
  return [...text].map((one) => (one === one.toLowerCase() ? one.toUpperCase() : one.toLowerCase())).join('');
}
