import { type Plan, SCOPES } from '@posthorn/contract/access';
import { newUuid, toId } from '@posthorn/contract/ids';
import { digestToken, newToken, tokenPreview } from '@posthorn/crypto/token';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import { uniqueViolation } from '@posthorn/db/violations';
import type { Clock } from '@posthorn/runtime/clock';
import { writeEntry } from '../audit/change.ts';
import { newSetPasswordToken } from '../auth/set-password-token.ts';
import { insertWorkspace, type NewWorkspace } from './new-workspace.ts';

export type NewFoundation = {
  name: string;
  slug: string;
  plan: Plan;
  /** Of its owner, in lower case. */
  email: string;
  /** Null where the owner is to set one by the token, or has a user already. */
  passwordHash: string | null;
  clock: Pick<Clock, 'now'>;
};

/**
 * A workspace with all that is needed to use it: its owner, a management token with every scope and an API key, each
 * shown here only. An owner who is new and has no password gets a token to set one; one who has a user already keeps
 * theirs. Throws when the slug is taken, or when a password is given for somebody who has a user.
 */
export async function foundWorkspace(db: Db, { email, passwordHash, clock, ...workspace }: NewFoundation) {
  const managementToken = newToken('management');
  const apiKey = newToken('apiKey');
  const invitation = passwordHash === null ? newSetPasswordToken(clock.now()) : undefined;
  const owner = { email, passwordHash, invitation };
  return inTransaction(db, async (transaction) => {
    const founding = { by: 'posthorn-admin', clock, workspace, owner, managementToken, apiKey } as const;
    const { isNewUser, userId, ...ids } = await insertFounding(transaction, founding);
    return {
      ...ids,
      userId,
      managementToken,
      apiKey,
      setPasswordToken: isNewUser ? (invitation?.token ?? null) : null,
    };
  }).catch((error: unknown) => {
    if (uniqueViolation(error)?.includes('slug')) throw new Error(`the slug ${workspace.slug} is taken`);
    throw error;
  });
}

export type Founding = {
  /** What made it, as the audit log names it. */
  by: 'bootstrap' | 'posthorn-admin';
  clock: Pick<Clock, 'now'>;
  workspace: NewWorkspace;
  owner: Owner | undefined;
  managementToken: string | undefined;
  apiKey: string | undefined;
};

/** Their email is in lower case. */
export type Owner = {
  email: string;
  passwordHash: string | null;
  invitation: ReturnType<typeof newSetPasswordToken> | undefined;
};

/** Inserts a workspace with what it is given, and its audit entry by `system`; answers the public ids. */
export async function insertFounding(transaction: DbTransaction, founding: Founding) {
  const { by, clock, owner, managementToken, apiKey } = founding;
  const { workspace, environment } = await insertWorkspace(transaction, clock, founding.workspace);
  const user = owner && (await insertOwner(transaction, clock, { workspaceId: workspace.id, ...owner }));
  if (managementToken !== undefined) {
    await transaction.managementToken.create({
      data: { ...credential(clock, managementToken), workspaceId: workspace.id, scopes: [...SCOPES] },
    });
  }
  if (apiKey !== undefined) {
    await transaction.apiKey.create({ data: { ...credential(clock, apiKey), environmentId: environment.id } });
  }
  const workspaceId = toId('ws', workspace.id);
  const { name, slug, plan } = founding.workspace;
  const changes = { name: { from: null, to: name }, slug: { from: null, to: slug }, plan: { from: null, to: plan } };
  const actor = { type: 'system', id: by, label: by } as const;
  const origin = { ip: null, userAgent: null, requestId: newUuid(clock.now()) };
  const note = { resourceId: workspaceId, changes };
  await writeEntry(transaction, { workspaceId: workspace.id, actor, origin, clock }, 'workspace.created', note);
  return {
    workspaceId,
    environmentId: toId('env', environment.id),
    userId: user && toId('usr', user.id),
    isNewUser: user?.isNew ?? false,
  };
}

async function insertOwner(
  transaction: DbTransaction,
  clock: Pick<Clock, 'now'>,
  { workspaceId, email, passwordHash, invitation }: Owner & { workspaceId: string },
): Promise<{ id: string; isNew: boolean }> {
  const name = email.slice(0, email.indexOf('@'));
  const { count: newUsers } = await transaction.user.createMany({
    data: [{ id: newUuid(clock.now()), email, name, passwordHash, ...invitation?.columns }],
    skipDuplicates: true,
  });
  if (newUsers === 0 && passwordHash !== null) {
    throw new Error('this email has a user already, whose password stays: leave --password-stdin out');
  }
  const { id } = await transaction.user.findUniqueOrThrow({ where: { email }, select: { id: true } });
  await transaction.member.create({ data: { workspaceId, userId: id, role: 'owner' } });
  return { id, isNew: newUsers > 0 };
}

function credential(clock: Pick<Clock, 'now'>, token: string) {
  return { id: newUuid(clock.now()), name: 'First', digest: digestToken(token), preview: tokenPreview(token) };
}
