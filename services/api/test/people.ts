import type { Capability, Role } from '@posthorn/contract/access';
import { CAPABILITIES } from '@posthorn/contract/access';
import { fromId, newUuid, toId } from '@posthorn/contract/ids';
import { digestToken, newToken } from '@posthorn/crypto/token';
import type { Db } from '@posthorn/db/client';
import { hashPassword } from '../src/auth/password.ts';
import { newSession } from '../src/auth/session-token.ts';

export type SeededPerson = { userId: string; email: string; sessionToken: string };

/**
 * Inserts a person with a session directly into the tables; a member of the workspace when a role is given. The person has proved
 * the address, unless `isProven` is false.
 */
export async function seedPerson(
  db: Db,
  options: { email?: string; password?: string; workspaceId?: string; role?: Role; isProven?: boolean } = {},
): Promise<SeededPerson> {
  const id = newUuid(new Date());
  const email = options.email ?? `${id}@example.com`;
  const passwordHash = options.password === undefined ? null : await hashOnce(options.password);
  const addressProvenAt = options.isProven === false ? null : new Date();
  await db.user.create({ data: { id, email, name: 'Test', passwordHash, addressProvenAt } });
  if (options.role !== undefined) {
    const workspaceId = uuidOf('ws', options.workspaceId ?? '');
    await db.member.create({ data: { workspaceId, userId: id, role: options.role } });
  }
  const { token, columns } = newSession(new Date());
  await db.session.create({ data: { id: newUuid(new Date()), userId: id, ...columns } });
  return { userId: toId('usr', id), email, sessionToken: token };
}

const hashes = new Map<string, Promise<string>>();

/** The tests choose the same few passwords, and each hash occupies a core for 10 ms. */
function hashOnce(password: string): Promise<string> {
  const known = hashes.get(password) ?? hashPassword(password);
  hashes.set(password, known);
  return known;
}

export type SeededPortal = { applicationId: string; portalSessionId: string; portalToken: string };

/** Inserts an application, and a portal session for it in the environment, directly into the tables. */
export async function seedPortal(
  db: Db,
  options: {
    workspaceId: string;
    environmentId: string;
    applicationId?: string;
    capabilities?: readonly Capability[];
    expiresAt?: Date;
  },
): Promise<SeededPortal> {
  const applicationId =
    options.applicationId === undefined ? newUuid(new Date()) : uuidOf('app', options.applicationId);
  if (options.applicationId === undefined) {
    const workspaceId = uuidOf('ws', options.workspaceId);
    await db.application.create({ data: { id: applicationId, workspaceId, name: 'Customer' } });
  }
  const id = newUuid(new Date());
  const portalToken = newToken('portal');
  await db.portalSession.create({
    data: {
      id,
      applicationId,
      environmentId: uuidOf('env', options.environmentId),
      digest: digestToken(portalToken),
      capabilities: [...(options.capabilities ?? CAPABILITIES)],
      expiresAt: options.expiresAt ?? new Date(Date.now() + 3_600_000),
    },
  });
  return { applicationId: toId('app', applicationId), portalSessionId: toId('prt', id), portalToken };
}

/** The key of a public id. */
export function uuidOf(prefix: Parameters<typeof fromId>[0], id: string): string {
  const uuid = fromId(prefix, id);
  if (uuid === undefined) throw new Error(`${id} is no ${prefix} id`);
  return uuid;
}
