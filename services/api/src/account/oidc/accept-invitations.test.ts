import { afterAll, expect, test } from '@jest/globals';
import { newUuid } from '@posthorn/contract/ids';
import { inTransaction } from '@posthorn/db/transaction';
import { waitFor } from '@posthorn/testkit/wait-for';
import { startApi } from '../../../test/api-under-test.ts';
import { seedPerson, uuidOf } from '../../../test/people.ts';
import { lockWorkspace } from '../../workspaces/lock.ts';
import type { AccountContext } from '../account-route.ts';
import { acceptInvitations } from './accept-invitations.ts';

const api = await startApi();
afterAll(() => api.stop());

test('an invitation whose role is changed while it is accepted gives the new role', async () => {
  const { email, userId } = await seedPerson(api.db, {});
  const user = await api.db.user.findUniqueOrThrow({ where: { id: uuidOf('usr', userId) } });
  const workspaceId = uuidOf('ws', api.workspaceId);
  const tokenEndsAt = new Date(Date.now() + 60_000);
  const invited = { id: newUuid(new Date()), workspaceId, email, name: 'Ada', digest: new Uint8Array(1), tokenEndsAt };
  await api.db.invitation.create({ data: { ...invited, role: 'owner' } });
  const ctx = { ...api.services, origin: { ip: null, userAgent: null, requestId: 'x' } } as unknown as AccountContext;
  const isWaiting = async () => {
    const rows = await api.db.$queryRaw<unknown[]>`
      select pid from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`;
    return rows.length > 0;
  };
  const { accepted } = await inTransaction(api.db, async (changing) => {
    await lockWorkspace(changing, workspaceId);
    const accepting = inTransaction(api.db, (transaction) => acceptInvitations(ctx, transaction, { user, email }));
    await waitFor(isWaiting, { what: 'the acceptance to wait for the change' });
    await changing.invitation.update({ where: { id: invited.id }, data: { role: 'viewer' } });
    // An object, so that the change is committed before the acceptance is awaited.
    return { accepted: accepting };
  });
  await accepted;
  const member = await api.db.member.findFirstOrThrow({ where: { workspaceId, userId: user.id } });
  expect(member.role).toBe('viewer');
});

test('an invitation as an owner waits while the person owns as many workspaces as are allowed', async () => {
  const elsewhere = await api.seedAnother();
  const { email, userId } = await seedPerson(api.db, { workspaceId: elsewhere.workspaceId, role: 'owner' });
  const user = await api.db.user.findUniqueOrThrow({ where: { id: uuidOf('usr', userId) } });
  const workspaceId = uuidOf('ws', api.workspaceId);
  const tokenEndsAt = new Date(Date.now() + 60_000);
  const invited = { id: newUuid(new Date()), workspaceId, email, name: 'Ada', digest: new Uint8Array(2), tokenEndsAt };
  await api.db.invitation.create({ data: { ...invited, role: 'owner' } });
  const origin = { ip: null, userAgent: null, requestId: 'x' };
  const settings = { ...api.services.settings, maxWorkspacesPerUser: 1 };
  const ctx = { ...api.services, origin, settings } as unknown as AccountContext;
  const accept = () => inTransaction(api.db, (transaction) => acceptInvitations(ctx, transaction, { user, email }));
  await accept();
  expect(await api.db.invitation.count({ where: { id: invited.id } })).toBe(1);
  await api.db.member.deleteMany({ where: { userId: user.id } });
  await accept();
  const member = await api.db.member.findFirstOrThrow({ where: { workspaceId, userId: user.id } });
  expect(member.role).toBe('owner');
});
