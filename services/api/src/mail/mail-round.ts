import { randomUUID } from 'node:crypto';
import type { SealingKeys } from '@posthorn/crypto/seal';
import { chosenInTurns } from '@posthorn/db/chosen-in-turns';
import type { Db } from '@posthorn/db/client';
import { openMail } from '@posthorn/mail/outgoing-mail';
import type { Clock } from '@posthorn/runtime/clock';
import type { Logger } from '@posthorn/runtime/logger';
import type { ApiMetrics } from '../metrics.ts';
import type { SendMail } from './smtp.ts';

export type MailRoundDeps = {
  db: Db;
  keys: SealingKeys;
  clock: Pick<Clock, 'now'>;
  /** Undefined without a mail server: mails that wait since it was taken away are given up after a day. */
  send: SendMail | undefined;
  metrics: Pick<ApiMetrics, 'mails' | 'oldestMailSeconds'>;
  logger: Pick<Logger, 'warn'>;
};

/** Mails of a round, which are sent at the same time. A workspace with many leaves room for others. */
const AT_ONCE = 10;
const OF_WORKSPACE_AT_ONCE = 3;
/** Longer than any send: each of its steps is bounded by timeouts. */
const CLAIM_MINUTES = 10;
const DAY_MS = 86_400_000;
const IDLE_MS = 1_000;
const DELETED_AT_ONCE = 500;

/** Minutes to the next attempt; the last one repeats. Greylisting servers accept a mail after some minutes. */
const RETRY_MINUTES = [1, 2, 5, 10, 20, 30, 60];

/** When a mail that could not be sent is tried again; undefined when its day is over. */
export function nextTry(attempts: number, { createdAt, now }: { createdAt: Date; now: Date }): Date | undefined {
  const minutes = RETRY_MINUTES[Math.min(attempts, RETRY_MINUTES.length) - 1] ?? 1;
  const at = new Date(now.getTime() + minutes * 60_000);
  return at.getTime() - createdAt.getTime() <= DAY_MS ? at : undefined;
}

type Claimed = { id: string; kind: string; content: Uint8Array | null; createdAt: Date; attempts: number };

/**
 * Sends the mails that are due, and returns the milliseconds until the next round. Each is claimed first, so that several
 * processes never send the same one, unless one of them ends between the server's answer and its own note.
 */
export async function sendDueMails(deps: MailRoundDeps): Promise<number> {
  await giveUpOld(deps);
  await deleteEnded(deps.db);
  await measureOldest(deps);
  if (deps.send === undefined) return 60 * IDLE_MS;
  const claim = randomUUID();
  const mails = await claimDue(deps.db, claim);
  await Promise.all(mails.map((mail) => sendOne(deps, claim, mail)));
  return mails.length === AT_ONCE ? 0 : IDLE_MS;
}

async function claimDue(db: Db, claim: string): Promise<Claimed[]> {
  return db.$queryRaw<Claimed[]>`
    with recursive ${chosenInTurns('outgoing_mail', { ofWorkspace: OF_WORKSPACE_AT_ONCE, most: AT_ONCE })}
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
  metrics.mails.inc({
    kind: mail.kind,
    result: outcome.kind === 'later' && next === undefined ? 'expired' : outcome.kind,
  });
  if (outcome.kind !== 'sent') {
    const message = next === undefined ? 'a mail was given up' : 'a mail could not be sent yet';
    logger.warn(message, { mailId: mail.id, kind: mail.kind, reason: outcome.reason, attempts: mail.attempts });
  }
  const ended = next === undefined ? { content: null } : {};
  await db.outgoingMail.updateMany({
    // One that was ended meanwhile stays so.
    where: { id: mail.id, claim, dueAt: { not: null } },
    data: { claim: null, claimedUntil: null, dueAt: next ?? null, ...ended },
  });
}

/** Mails whose day ended while no process could send. */
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

/** Not within a day: the limit on the mails of 24 hours counts these rows (`requireMailRoom`). */
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
