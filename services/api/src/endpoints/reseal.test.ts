import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { sealContext } from '@posthorn/crypto/contexts';
import { isSealedWithFirstKey, open, parseSealingKeys, seal } from '@posthorn/crypto/seal';
import request from 'supertest';
import { startApi } from '../../test/api-under-test.ts';
import { seedPerson, uuidOf } from '../../test/people.ts';
import { resealEndpoints } from './reseal.ts';

const api = await startApi();
afterAll(() => api.stop());

test('a new first key reseals secrets and passwords but not payloads, and a second run changes nothing', async () => {
  const created = await request(api.app)
    .post(`${api.base}/endpoints`)
    .set('authorization', `Bearer ${api.managementToken}`)
    .send({
      url: 'https://127.0.0.1/',
      authUsername: 'ann',
      authPassword: 'secret words',
      secretHeaders: { 'X-Token': 'hidden' },
      config: { signature: 'standard-ed25519' },
    });
  expect(created.status).toBe(201);
  const { id = '' } = (await api.db.endpoint.findFirst()) ?? {};
  const context = sealContext.endpointCredential(id, 'tlsClientKey');
  const tlsClientKey = seal(api.services.sealingKeys, Buffer.from('a key'), context).toString('base64');
  await api.db.endpoint.update({ where: { id }, data: { credentials: { tlsClientKey } } });
  const { userId } = await seedPerson(api.db);
  const authenticator = newUuid(new Date());
  const secretSealed = new Uint8Array(
    seal(api.services.sealingKeys, Buffer.from('a secret'), sealContext.authenticator(authenticator)),
  );
  await api.db.authenticator.create({ data: { id: authenticator, userId: uuidOf('usr', userId), secretSealed } });
  const searchKey = newUuid(new Date());
  const keySealed = seal(api.services.sealingKeys, randomBytes(32), sealContext.searchKey(searchKey));
  const ofWorkspace = { workspaceId: uuidOf('ws', api.workspaceId), sealed: new Uint8Array(keySealed) };
  await api.db.workspaceSearchKey.create({ data: { id: searchKey, ...ofWorkspace } });
  const { id: environment } = await api.db.environment.findFirstOrThrow({ select: { id: true } });
  const subjectsSealed = seal(api.services.sealingKeys, randomBytes(32), sealContext.agentSubjects(environment));
  await api.db.environment.update({
    where: { id: environment },
    data: { agentSubjectsSealed: new Uint8Array(subjectsSealed) },
  });
  const fresh = `new:${randomBytes(32).toString('base64')}`;
  const older = parseSealingKeys(fresh);
  const both = { ...older, byId: new Map([...older.byId, ...api.services.sealingKeys.byId]) };

  expect(await resealEndpoints(api.db, both)).toEqual({
    secrets: 1,
    privateKeys: 1,
    passwords: 1,
    headers: 1,
    credentials: 1,
    alertTargets: 0,
    authenticators: 1,
    searchKeys: 1,
    agentSubjects: 1,
    unreadable: 0,
  });
  const [secret] = await api.db.signingSecret.findMany();
  const [endpoint] = await api.db.endpoint.findMany();
  const opened = open(both, secret?.sealed ?? Buffer.alloc(0), sealContext.signingSecret(secret?.id ?? ''));
  expect(opened.kind === 'opened' && opened.plaintext.toString()).toBe(created.body.secret);
  expect(isSealedWithFirstKey(both, endpoint?.authPasswordSealed ?? Buffer.alloc(0))).toBe(true);
  expect(await resealEndpoints(api.db, both)).toEqual({
    secrets: 0,
    privateKeys: 0,
    passwords: 0,
    headers: 0,
    credentials: 0,
    alertTargets: 0,
    authenticators: 0,
    searchKeys: 0,
    agentSubjects: 0,
    unreadable: 0,
  });
});

test('a value that no configured key opens is counted and not changed', async () => {
  const foreign = parseSealingKeys(`other:${randomBytes(32).toString('base64')}`);
  const [secret] = await api.db.signingSecret.findMany();
  const id = secret?.id ?? '';
  const sealed = new Uint8Array(seal(foreign, Buffer.from('whsec_x'), sealContext.signingSecret(id)));
  await api.db.signingSecret.update({ where: { id }, data: { sealed } });
  expect(await resealEndpoints(api.db, api.services.sealingKeys)).toMatchObject({ unreadable: 8 });
  expect((await api.db.signingSecret.findUnique({ where: { id } }))?.sealed).toEqual(sealed);
});

test('headers are resealed although another change of their endpoint comes in between', async () => {
  const created = await request(api.app)
    .post(`${api.base}/endpoints`)
    .set('authorization', `Bearer ${api.managementToken}`)
    .send({ url: 'https://127.0.0.1/', secretHeaders: { 'X-Token': 'hidden' } });
  expect(created.status).toBe(201);
  const first = parseSealingKeys(`third:${randomBytes(32).toString('base64')}`);
  const keys = { ...first, byId: new Map([...first.byId, ...api.services.sealingKeys.byId]) };
  const changing = api.db.$extends({
    query: {
      endpoint: {
        async findMany({ args, query }) {
          const rows = await query(args);
          await api.db.endpoint.updateMany({ data: { version: { increment: 1 } } });
          return rows;
        },
      },
    },
  }) as unknown as typeof api.db;

  expect(await resealEndpoints(changing, keys)).toMatchObject({ headers: 1 });
  const endpoint = await api.db.endpoint.findFirst({ orderBy: { id: 'desc' } });
  const headers = endpoint?.secretHeaders as Record<string, string>;
  expect(Object.values(headers).map((sealed) => isSealedWithFirstKey(keys, Buffer.from(sealed, 'base64')))).toEqual([
    true,
  ]);
});
