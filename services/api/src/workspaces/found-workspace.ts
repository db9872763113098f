import { type Plan, SCOPES } from '@posthorn/contract/access';
import { newUuid, toId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import { digestToken, newToken, tokenPreview } from '@posthorn/crypto/token';
import type { Db, DbTransaction } from '@posthorn/db/client';
import { inTransaction } from '@posthorn/db/transaction';
import { uniqueViolation } from '@posthorn/db/violations';
import type { Clock } from '@posthorn/runtime/clock';
import { writeEntry } from '../audit/change.ts';
import { createInvitation } from '../members/invitations.ts';
import { insertWorkspace, type NewWorkspace } from './new-workspace.ts';

export type NewFoundation = {
  name: string;
  slug: string;
  plan: Plan;
  /** The owner's email, in lower case. */
  email: string;
  /** Null when the owner is to be invited. */
  passwordHash: string | null;
  clock: Clock;
};

/**
 * Creates a workspace with everything that is needed to use it: its owner, a management token with every scope and an
 * API key. Token and key are shown only here. Without a password the owner is invited, and becomes the owner by
 * accepting with the token. Throws when the slug is taken, or when a password is given for an address that has an
 * account.
 */
export async function foundWorkspace(db: Db, { email, passwordHash, clock, ...workspace }: NewFoundation) {
  const managementToken = newToken('management');
  const apiKey = newToken('apiKey');
  return inTransaction(db, async (transaction) => {
    const founding = {
      by: 'posthorn-admin',
      clock,
      workspace,
      owner: { email, passwordHash },
      managementToken,
      apiKey,
    } as const;
    const { setPasswordToken, ...ids } = await insertFounding(transaction, founding);
    return { ...ids, managementToken, apiKey, setPasswordToken };
  }).catch((error: unknown) => {
    if (uniqueViolation(error)?.includes('slug')) throw new Error(`the slug ${workspace.slug} is taken`);
    throw error;
  });
}

export type Founding = {
  /** The name of the creator in the audit log. */
  by: 'bootstrap' | 'posthorn-admin';
  clock: Clock;
  workspace: NewWorkspace;
  owner: Owner | undefined;
  managementToken: string | undefined;
  apiKey: string | undefined;
};

/** The email is in lower case; without a password the owner is invited. */
export type Owner = { email: string; passwordHash: string | null };

/** Inserts a workspace with the given credentials, and its audit entry by `system`; returns the public ids. */
export async function insertFounding(transaction: DbTransaction, founding: Founding) {
  const { by, clock, owner, managementToken, apiKey } = founding;
  const { workspace, environment } = await insertWorkspace(transaction, clock, founding.workspace);
  const user = owner && (await insertOwner(transaction, clock, { workspaceId: workspace.id, ...owner }));
  if (managementToken !== undefined) {
    await transaction.managementToken.create({
      data: {
        ...credential(clock, managementToken, 'First management token'),
        workspaceId: workspace.id,
        scopes: [...SCOPES],
      },
    });
  }
  if (apiKey !== undefined) {
    const data = { ...credential(clock, apiKey, 'First API key'), environmentId: environment.id };
    await transaction.apiKey.create({ data });
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
    setPasswordToken: user?.setPasswordToken ?? null,
  };
}

async function insertOwner(
  transaction: DbTransaction,
  clock: Clock,
  { workspaceId, email, passwordHash }: Owner & { workspaceId: string },
) {
  const name = email.slice(0, email.indexOf('@')).slice(0, LIMITS.nameCharacters);
  if (passwordHash === null) {
    const offer = { workspaceId, email, name, role: 'owner', now: clock.now(), isMailed: false } as const;
    const { row, setPasswordToken } = await createInvitation(transaction, offer);
    return { id: row.id, setPasswordToken };
  }
  const id = newUuid(clock.now());
  const data = [{ id, email, name, passwordHash, isByOperator: true }];
  const { count } = await transaction.user.createMany({ data, skipDuplicates: true });
  if (count === 0)
    throw new Error('this email has an account already, whose password stays: leave --password-stdin out');
  await transaction.member.create({ data: { workspaceId, userId: id, role: 'owner' } });
  return { id, setPasswordToken: null };
}

function credential(clock: Clock, token: string, name: string) {
  return {
    id: newUuid(clock.now()),
    name,
    digest: digestToken(token),
    preview: tokenPreview(token),
  };
}
