import { fromId, uuidTime } from '@posthorn/contract/ids';
import type { ackBody, nackBody } from '@posthorn/contract/pull';
import { sealContext } from '@posthorn/crypto/contexts';
import { type SealingKeys, seal } from '@posthorn/crypto/seal';
import type { Db } from '@posthorn/db/client';
import { afterLease, attemptIdOf, type LeaseOutcome } from '@posthorn/ledger/lease-outcome';
import {
  type HeldDelivery,
  heldDeliveries,
  type LeaseAttempt,
  type LeaseSettlement,
  settleLeases,
  storedAttempts,
} from '@posthorn/ledger/settle-leases';
import type { DeliveryTarget } from '@posthorn/messages/endpoint-cache';
import { retryDelaySeconds } from '@posthorn/messages/retry-schedule';
import type { LivePublisher } from '@posthorn/queue/live';
import type { Clock } from '@posthorn/runtime/clock';
import { bytesOfAttempt } from '@posthorn/stats/attempt-bytes';
import type { Gatherer } from '@posthorn/stats/gather';
import type { z } from 'zod';
import type { ApiMetrics } from '../metrics.ts';

export type AnswerDeps = {
  db: Db;
  keys: SealingKeys;
  clock: Clock;
  random: () => number;
  stats: Pick<Gatherer, 'countAttempt' | 'countAttemptBytes' | 'countEnded'>;
  live: Pick<LivePublisher, 'deliveryChanged'>;
  metrics: Pick<ApiMetrics, 'pulled'>;
  wakeConsumers: (endpointIds: Iterable<string>) => void;
  retentionDays: number;
  retrySchedule: readonly number[];
};

type Acked = z.output<typeof ackBody>['messages'][number];
type Nacked = z.output<typeof nackBody>['messages'][number];
export type Answer = ({ kind: 'ack' } & Acked) | ({ kind: 'nack' } & Nacked);

export type AnswerResult = { deliveryId: string; result: 'settled' | 'lease_lost' };

/** How often to try. If a delivery changes between the read and the write, both are repeated. */
const TRIES = 3;

/**
 * Settles the answers of consumers to their messages. A success counts as long as nobody else has leased the delivery
 * since, and a repeated answer has the first result.
 */
export async function takeAnswers(
  deps: AnswerDeps,
  target: DeliveryTarget,
  answers: readonly Answer[],
): Promise<AnswerResult[]> {
  const { endpointId } = target;
  const open = new Map<string, Settling>();
  for (const answer of answers) {
    const lease = leaseOf(answer);
    if (lease !== undefined && !open.has(nameOf(lease))) open.set(nameOf(lease), { ...lease, answer });
  }
  const settled = new Set<string>();
  for (let tries = 0; tries < TRIES && open.size > 0; tries += 1) {
    const held = await heldDeliveries(deps.db, endpointId, [...open.values()]);
    const settlements = [...open.values()].flatMap((settling) => {
      const one = held.get(settling.deliveryId);
      return one === undefined || one.leaseToken !== settling.leaseToken || !counts(settling.answer, one)
        ? []
        : [settlementOf(deps, target, { held: one, answer: settling.answer })];
    });
    if (settlements.length === 0) break;
    const changed = await settleLeases(deps.db, settlements);
    for (const settlement of settlements) {
      if (!changed.has(settlement.held.deliveryId)) continue;
      settled.add(nameOf(settlement.held));
      open.delete(nameOf(settlement.held));
      countAnswer(deps, settlement);
    }
  }
  const repeated = await storedAttempts(deps.db, [...open.values()].map(attemptOf));
  for (const settling of open.values()) if (repeated.has(attemptOf(settling).id)) settled.add(nameOf(settling));
  deps.wakeConsumers([endpointId]);
  return answers.map((answer) => {
    const lease = leaseOf(answer);
    const isSettled = lease !== undefined && settled.has(nameOf(lease));
    return { deliveryId: answer.deliveryId, result: isSettled ? 'settled' : 'lease_lost' };
  });
}

type LeaseName = { deliveryId: string; leaseToken: string };
type Settling = LeaseName & { answer: Answer };

/** The lease with the delivery's id as the database has it; undefined if the id or the token is malformed. */
export function leaseOf(given: LeaseName): LeaseName | undefined {
  const deliveryId = fromId('dlv', given.deliveryId);
  return deliveryId === undefined || !LEASE_TOKEN.test(given.leaseToken)
    ? undefined
    : { deliveryId, leaseToken: given.leaseToken };
}

const LEASE_TOKEN = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

export function nameOf({ deliveryId, leaseToken }: LeaseName): string {
  return `${deliveryId} ${leaseToken}`;
}

/** The end of a lease was an attempt. After it, only a success says something new. */
function counts({ kind }: Answer, { isHeld }: HeldDelivery): boolean {
  return kind === 'ack' || isHeld;
}

function attemptOf(settling: Settling) {
  const { deliveryId, answer } = settling;
  return { deliveryId, id: attemptIdOf(settling, 'answered'), succeeded: answer.kind === 'ack' };
}

type Given = { held: HeldDelivery; answer: Answer };

function settlementOf(deps: AnswerDeps, target: DeliveryTarget, { held, answer }: Given): LeaseSettlement {
  const outcome: LeaseOutcome =
    answer.kind === 'ack' ? { kind: 'acked' } : { kind: 'nacked', delaySeconds: answer.delaySeconds };
  const after = afterLease(outcome, held, waitsOf(deps, target, held));
  return { held, after, attempt: attemptRecord(deps, target, { held, answer }), mayStillAnswer: false };
}

type ScheduleDeps = Pick<AnswerDeps, 'random' | 'retentionDays' | 'retrySchedule' | 'clock'>;

function waitsOf({ retrySchedule, random, retentionDays }: ScheduleDeps, target: DeliveryTarget, held: HeldDelivery) {
  return {
    retryDelaySeconds: retryDelaySeconds({
      schedule: target.retrySchedule ?? retrySchedule,
      step: held.scheduleStep,
      retryAfterSeconds: undefined,
      random: random(),
    }),
    secondsLeft: retentionDays * 86_400 - held.eventAgeSeconds,
  };
}

/** The end of a lease when the endpoint's transformation made no message: a failed attempt. */
export function untransformedLease(
  deps: ScheduleDeps,
  target: DeliveryTarget,
  { held, message }: { held: HeldDelivery; message: string },
): LeaseSettlement {
  const startedAt = uuidTime(held.leaseToken);
  const attempt = {
    ...{ id: attemptIdOf(held, 'answered'), succeeded: false, startedAt, url: target.url },
    durationMs: Math.max(0, deps.clock.now().getTime() - startedAt.getTime()),
    ...{ responseStatus: null, responseHeadersSealed: null, responseBodySealed: null },
    ...{ errorCode: 'transformation_failed', errorMessage: message },
  };
  const after = afterLease({ kind: 'nacked', delaySeconds: undefined }, held, waitsOf(deps, target, held));
  return { held, after, attempt, mayStillAnswer: false };
}

function attemptRecord({ clock, keys }: AnswerDeps, { url }: DeliveryTarget, { held, answer }: Given): LeaseAttempt {
  const startedAt = uuidTime(held.leaseToken);
  const { responseBody } = answer;
  const succeeded = answer.kind === 'ack';
  const id = attemptIdOf(held, 'answered');
  return {
    id,
    succeeded,
    startedAt,
    durationMs: Math.max(0, clock.now().getTime() - startedAt.getTime()),
    url,
    responseStatus: answer.responseStatus ?? (succeeded ? 200 : null),
    ...sealedAnswer(keys, id, responseBody),
    ...(succeeded ? { errorCode: null, errorMessage: null } : failureOf(answer)),
  };
}

/** Sealed, because it may repeat the payload. */
function sealedAnswer(keys: SealingKeys, id: string, body: string | undefined) {
  if (body === undefined) return { responseHeadersSealed: null, responseBodySealed: null };
  return {
    responseHeadersSealed: seal(keys, Buffer.from('{}'), sealContext.responseHeaders(id)),
    responseBodySealed: seal(keys, Buffer.from(body, 'utf8'), sealContext.responseBody(id)),
  };
}

function failureOf(answer: Answer) {
  const { responseStatus } = answer;
  const reason = answer.kind === 'nack' ? answer.reason : undefined;
  return responseStatus === undefined
    ? { errorCode: 'nacked', errorMessage: reason ?? 'The consumer gave the message back' }
    : { errorCode: 'http_status', errorMessage: reason ?? `The consumer answered with status ${responseStatus}` };
}

/** Tells live streams, metrics and statistics how a lease ended. Call it once for each settlement that was written. */
export function countAnswer(
  { stats, live, metrics }: Pick<AnswerDeps, 'stats' | 'live' | 'metrics'>,
  { held, after, attempt }: LeaseSettlement,
): void {
  const { status } = after.next;
  live.deliveryChanged(held);
  metrics.pulled.inc({ result: status === 'delivered' ? 'delivered' : 'given_back' });
  if (attempt === null) return;
  stats.countAttemptBytes(held.workspaceId, bytesOfAttempt(attempt));
  if (held.isTest) return;
  const ended = status === 'delivered' || status === 'dead_letter' ? status : undefined;
  const { succeeded, durationMs } = attempt;
  stats.countAttempt(held, { succeeded, durationMs, delayMs: null }, ended);
}
