import { type Plan, SCOPES } from '@posthorn/contract/access';
import { newUuid, toId } from '@posthorn/contract/ids';
import { digestToken, newToken, tokenPreview } from '@posthorn/crypto/token';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import { uniqueViolation } from '@posthorn/db/violations';
import { writeEntry } from '../audit/change.ts';
import { newSetPasswordToken } from '../auth/set-password-token.ts';
import { insertWorkspace } from './new-workspace.ts';

export type Founding = {
  name: string;
  slug: string;
  plan: Plan;
  /** Of its owner, in lower case. */
  email: string;
  /** Null where the owner is to set one by the token, or has a user already. */
  passwordHash: string | null;
  now: Date;
};

/**
 * A workspace with all that is needed to use it: its owner, a management token with every scope and an API key, each
 * shown here only. An owner who is new and has no password gets a token to set one; one who has a user already keeps
 * theirs. Throws when the slug is taken, or when a password is given for somebody who has a user.
 */
export async function foundWorkspace(db: Db, founding: Founding) {
  const { name, slug, plan } = founding;
  return inTransaction(db, async (transaction) => {
    const { workspace, environment } = await insertWorkspace(transaction, { name, slug, plan });
    const { userId, setPasswordToken } = await requireOwner(transaction, founding);
    await transaction.member.create({ data: { workspaceId: workspace.id, userId, role: 'owner' } });
    const managementToken = newToken('management');
    await transaction.managementToken.create({
      data: { ...credential(managementToken), workspaceId: workspace.id, scopes: [...SCOPES] },
    });
    const apiKey = newToken('apiKey');
    await transaction.apiKey.create({ data: { ...credential(apiKey), environmentId: environment.id } });
    const by = { type: 'system', id: 'posthorn-admin', label: 'posthorn-admin' } as const;
    const origin = { ip: null, userAgent: null, requestId: newUuid() };
    const workspaceId = toId('ws', workspace.id);
    const changes = { name: { from: null, to: name }, slug: { from: null, to: slug }, plan: { from: null, to: plan } };
    const note = { resourceId: workspaceId, changes };
    await writeEntry(transaction, { workspaceId: workspace.id, actor: by, origin }, 'workspace.created', note);
    return {
      workspaceId,
      environmentId: toId('env', environment.id),
      userId: toId('usr', userId),
      managementToken,
      apiKey,
      setPasswordToken,
    };
  }).catch((error: unknown) => {
    if (uniqueViolation(error)?.includes('slug')) throw new Error(`the slug ${slug} is taken`);
    throw error;
  });
}

async function requireOwner(transaction: DbTransaction, { email, passwordHash, now }: Founding) {
  const invitation = passwordHash === null ? newSetPasswordToken(now) : undefined;
  const name = email.slice(0, email.indexOf('@'));
  const { count: newUsers } = await transaction.user.createMany({
    data: [{ id: newUuid(), email, name, passwordHash, ...invitation?.columns }],
    skipDuplicates: true,
  });
  if (newUsers === 0 && passwordHash !== null) {
    throw new Error('this email has a user already, whose password stays: leave --password-stdin out');
  }
  const { id: userId } = await transaction.user.findUniqueOrThrow({ where: { email }, select: { id: true } });
  return { userId, setPasswordToken: newUsers > 0 ? (invitation?.token ?? null) : null };
}

function credential(token: string) {
  return { id: newUuid(), name: 'First', digest: digestToken(token), preview: tokenPreview(token) };
}
