import { randomUUID } from 'node:crypto';
import type { SealingKeys } from '@posthorn/crypto/seal';
import { accountMailsInTurns, chosenInTurns } from '@posthorn/db/chosen-in-turns';
import type { Db } from '@posthorn/db/client';
import type { Prisma } from '@posthorn/db/generated/client';
import { openMail } from '@posthorn/mail/outgoing-mail';
import type { Clock } from '@posthorn/runtime/clock';
import { errorFields, type Logger } from '@posthorn/runtime/logger';
import type { ApiMetrics } from '../metrics.ts';
import type { SendMail } from './smtp.ts';

export type MailRoundDeps = {
  db: Db;
  keys: SealingKeys;
  clock: Clock;
  /** Undefined without a mail server: mails that wait since it was taken away are given up after a day. */
  send: SendMail | undefined;
  metrics: Pick<ApiMetrics, 'mails' | 'oldestMailSeconds'>;
  logger: Pick<Logger, 'warn'>;
};

/**
 * Mails that this process sends at once. Each owner of workspaces may use only a few of these places, because its
 * recipients may all be slow. Mails about an account, such as password resets, have places of their own, so that they
 * wait behind no other mail, and accounts take turns.
 */
const AT_ONCE = 8;
const OF_OWNER_AT_ONCE = 3;
const OF_ACCOUNTS_AT_ONCE = 4;
const OF_ACCOUNT_AT_ONCE = 2;
/** How long a mail stays claimed. This is longer than any send, whose time is limited (`smtp.ts`). */
const CLAIM_MINUTES = 10;
const DAY_MS = 86_400_000;
const IDLE_MS = 1_000;
/** While every place is taken, a round looks again after this time. */
const FULL_MS = 50;
const DELETED_AT_ONCE = 500;

/** Minutes to the next attempt; the last one repeats. Greylisting servers accept a mail after some minutes. */
const RETRY_MINUTES = [1, 2, 5, 10, 20, 30, 60];

/** When to try a mail again that could not be sent; undefined when its day is over. */
export function nextTry(attempts: number, { createdAt, now }: { createdAt: Date; now: Date }): Date | undefined {
  const minutes = RETRY_MINUTES[Math.min(attempts, RETRY_MINUTES.length) - 1] ?? 1;
  const at = new Date(now.getTime() + minutes * 60_000);
  return at.getTime() - createdAt.getTime() <= DAY_MS ? at : undefined;
}

type Claimed = { id: string; kind: string; content: Uint8Array | null; createdAt: Date; attempts: number };

/**
 * Creates the round that begins to send the mails that are due. Each is claimed first, so that several processes never send the
 * same one, unless one of them ends between the server's answer and its own note. A round waits for no mail that it has begun to
 * send, so a slow recipient delays no other. `drain` waits for those under way.
 */
export function createMailRound(deps: MailRoundDeps) {
  const underWay = { accounts: new Set<Promise<void>>(), others: new Set<Promise<void>>() };
  const begin = (lane: Set<Promise<void>>, claim: string, mail: Claimed) => {
    const sent: Promise<void> = sendOne(deps, claim, mail)
      .catch((error: unknown) => deps.logger.warn('a mail could not be sent yet', errorFields(error)))
      .finally(() => lane.delete(sent));
    lane.add(sent);
  };
  return {
    /** Returns the milliseconds until the next round. */
    async round(): Promise<number> {
      await giveUpOld(deps);
      await deleteEnded(deps.db);
      await measureOldest(deps);
      if (deps.send === undefined) return 60 * IDLE_MS;
      const claim = randomUUID();
      const { accounts, others } = underWay;
      const free = OF_ACCOUNTS_AT_ONCE - accounts.size;
      const inTurnsOfAccounts = accountMailsInTurns({ ofOwner: OF_ACCOUNT_AT_ONCE, most: free });
      const ofAccounts = free === 0 ? [] : await claimDue(deps.db, claim, inTurnsOfAccounts);
      for (const mail of ofAccounts) begin(accounts, claim, mail);
      const most = AT_ONCE - others.size;
      const inTurns = chosenInTurns('outgoing_mail', { ofOwner: OF_OWNER_AT_ONCE, most });
      const ofOthers = most === 0 ? [] : await claimDue(deps.db, claim, inTurns);
      for (const mail of ofOthers) begin(others, claim, mail);
      const isFull = accounts.size === OF_ACCOUNTS_AT_ONCE || ofOthers.length > 0 || others.size === AT_ONCE;
      return isFull ? FULL_MS : IDLE_MS;
    },
    drain: async () => void (await Promise.all([...underWay.accounts, ...underWay.others])),
  };
}

/** `chosen`: the parts of a `with recursive` that end in the ids. */
function claimDue(db: Db, claim: string, chosen: Prisma.Sql): Promise<Claimed[]> {
  return db.$queryRaw<Claimed[]>`
    with recursive ${chosen}
    update outgoing_mail m set claim = ${claim}::uuid, attempts = m.attempts + 1,
      claimed_until = now() + make_interval(mins => ${CLAIM_MINUTES}::int)
    from chosen c where m.id = c.id
    returning m.id, m.kind, m.content, m.created_at as "createdAt", m.attempts`;
}

async function sendOne(deps: MailRoundDeps, claim: string, mail: Claimed): Promise<void> {
  const { db, keys, clock, send, metrics, logger } = deps;
  const opened = mail.content === null ? undefined : openMail(keys, mail.id, mail.content);
  const outcome =
    opened === undefined || send === undefined
      ? ({ kind: 'refused', reason: 'its sealing key is gone' } as const)
      : await send({ ...opened, id: mail.id, createdAt: mail.createdAt });
  const next = outcome.kind === 'later' ? nextTry(mail.attempts, { ...mail, now: clock.now() }) : undefined;
  const ended = next === undefined ? { content: null } : {};
  await db.outgoingMail.updateMany({
    // A mail that was ended meanwhile stays ended.
    where: { id: mail.id, claim, dueAt: { not: null } },
    data: { claim: null, claimedUntil: null, dueAt: next ?? null, ...ended },
  });
  metrics.mails.inc({
    kind: mail.kind,
    result: outcome.kind === 'later' && next === undefined ? 'expired' : outcome.kind,
  });
  if (outcome.kind !== 'sent') {
    const message = next === undefined ? 'a mail was given up' : 'a mail could not be sent yet';
    logger.warn(message, { mailId: mail.id, kind: mail.kind, reason: outcome.reason, attempts: mail.attempts });
  }
}

/** Gives up mails whose day ended while no process could send. */
async function giveUpOld({ db, metrics, logger }: MailRoundDeps): Promise<void> {
  const old = await db.$queryRaw<{ kind: string; count: bigint }[]>`
    with old as (
      select id from outgoing_mail where due_at is not null and created_at < now() - interval '25 hours'
        and (claimed_until is null or claimed_until < now())
      order by due_at limit ${DELETED_AT_ONCE}::int for update skip locked
    ), ended as (
      update outgoing_mail m set due_at = null, content = null, claim = null, claimed_until = null
      from old where m.id = old.id returning m.kind
    ) select kind, count(*) as count from ended group by kind`;
  for (const { kind, count } of old) {
    metrics.mails.inc({ kind, result: 'expired' }, Number(count));
    logger.warn('mails were given up: none could be sent for a day', { kind, count: Number(count) });
  }
}

/**
 * Deletes ended mails. It keeps those of the last day, because the limit on the mails of 24 hours counts them
 * (`requireMailRoom`).
 */
async function deleteEnded(db: Db): Promise<void> {
  await db.$executeRaw`
    delete from outgoing_mail where id in (
      select id from outgoing_mail where due_at is null and created_at < now() - interval '2 days'
      limit ${DELETED_AT_ONCE}::int for update skip locked)`;
}

async function measureOldest({ db, metrics }: MailRoundDeps): Promise<void> {
  const [oldest] = await db.$queryRaw<{ seconds: number | null }[]>`
    select extract(epoch from now() - min(created_at))::float8 as seconds from outgoing_mail where due_at is not null`;
  metrics.oldestMailSeconds.set(Math.max(0, oldest?.seconds ?? 0));
}
