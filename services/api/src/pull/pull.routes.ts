import { LIMITS } from '@posthorn/contract/limits';
import type { Db } from '@posthorn/db/client';
import { extendLeases } from '@posthorn/ledger/lease-deliveries';
import type { DeliveryTarget, EndpointCache } from '@posthorn/messages/endpoint-cache';
import type { Gate } from '@posthorn/runtime/gate';
import { type RequestHandler, type Response, Router } from 'express';
import type { z } from 'zod';
import { refuseMethod } from '../operation/mount.ts';
import { examineQuery, parseInput, refuseExamined } from '../operation/parse.ts';
import { answerJson } from '../transport/answer.ts';
import { createReadJson, readBehind } from '../transport/body.ts';
import type { TakeBodyRoom } from '../transport/body-room.ts';
import { ApiError } from '../transport/error.ts';
import { type Answer, type AnswerDeps, leaseOf, nameOf, takeAnswers } from './answers.ts';
import type { Consumer, createConsumerAuth } from './consumer.ts';
import type { Caller, createLease } from './lease.ts';
import { PULL_OPERATIONS } from './operations.ts';

export type PullRouterDeps = AnswerDeps & {
  db: Db;
  authenticate: ReturnType<typeof createConsumerAuth>;
  /** Takes a request from the limits of the key and the workspace. */
  spend: (response: Response, consumer: Consumer) => void;
  takeBodyRoom: TakeBodyRoom;
  lease: ReturnType<typeof createLease>;
  endpoints: Pick<EndpointCache, 'atRevision'>;
  turns: Gate;
};

/** Runs an operation with its parsed body. Its result is sent through the operation's schema. */
type Run = (consumer: Consumer, body: never, exchange: Exchange) => Promise<unknown>;

type Exchange = { response: Response; caller: Caller };

type Name = keyof typeof PULL_OPERATIONS;
type BodyOf<Operation extends Name> = z.output<(typeof PULL_OPERATIONS)[Operation]['body']>;

/** The interface of consumers (docs/interface.md, Pull). Their credential belongs to one endpoint, and not to a workspace. */
export function createPullRouter(deps: PullRouterDeps): Router {
  const readJson = createReadJson(LIMITS.pullBodyBytes);
  const router = Router({ caseSensitive: true, strict: true });
  for (const [name, run] of Object.entries(runsOf(deps)) as [Name, Run][]) {
    const path = `/api/pull/:endpointId/${name}`;
    router.post(path, handle(deps, { name, run }, readJson));
    router.all(path, refuseMethod(['POST']));
  }
  return router;
}

function runsOf(deps: PullRouterDeps): Record<Name, Run> {
  const answer = async (consumer: Consumer, answers: Answer[]) => {
    const target = await targetOf(deps, consumer);
    return { results: await deps.turns.run(consumer, () => takeAnswers(deps, target, answers)) };
  };
  return {
    async lease(consumer, body: BodyOf<'lease'>, { response, caller }) {
      const leased = await deps.lease(consumer, body, caller);
      // The caller may have gone already, or may go before the answer has been written.
      if (caller.isGone()) return leased.release();
      response.once('close', () => {
        if (!response.writableFinished) void leased.release().catch(() => undefined);
      });
      return leased.answer;
    },
    ack: (consumer, { messages }: BodyOf<'ack'>) =>
      answer(
        consumer,
        messages.map((message) => ({ kind: 'ack', ...message })),
      ),
    nack: (consumer, { messages }: BodyOf<'nack'>) =>
      answer(
        consumer,
        messages.map((message) => ({ kind: 'nack', ...message })),
      ),
    extend: (consumer, { messages }: BodyOf<'extend'>) => extend(deps, consumer, messages),
  };
}

async function extend(
  { db, turns }: PullRouterDeps,
  { endpointId, ...claimant }: Consumer,
  messages: BodyOf<'extend'>['messages'],
) {
  const leases = messages.flatMap(({ leaseSeconds, ...one }) => {
    const lease = leaseOf(one);
    return lease === undefined ? [] : [{ ...lease, leaseSeconds }];
  });
  const extended = await turns.run(claimant, () => extendLeases(db, endpointId, leases));
  const ends = new Map(extended.map((held) => [nameOf(held), held.leasedUntil]));
  const results = messages.map((one) => {
    const lease = leaseOf(one);
    const until = lease === undefined ? undefined : ends.get(nameOf(lease));
    const result = until === undefined ? 'lease_lost' : 'settled';
    return { deliveryId: one.deliveryId, result, leasedUntil: until?.toISOString() ?? null };
  });
  return { results };
}

function handle(
  { authenticate, clock, spend, takeBodyRoom }: PullRouterDeps,
  { name, run }: { name: Name; run: Run },
  readJson: ReturnType<typeof createReadJson>,
): RequestHandler {
  const { operationId, body: schema, response: answerSchema } = PULL_OPERATIONS[name];
  return async (request, response) => {
    response.locals.operation = operationId;
    response.set('Cache-Control', 'no-store');
    const { endpointId } = request.params;
    if (typeof endpointId !== 'string') throw new ApiError('not_found', 'Route not found');
    const first = await authenticate(request, endpointId);
    response.locals.actor = first.pullKeyId;
    response.locals.workspaceId = first.workspaceId;
    response.locals.claimant = first;
    spend(response, first);
    refuseExamined([examineQuery(undefined, request.query)]);
    const { caller: consumer, body } = await readBehind(first, {
      clock,
      read: () => readJson(request, response, (arriving) => takeBodyRoom(response, first, arriving)),
      authenticate: () => authenticate(request, endpointId),
    });
    // The body has been parsed with the schema of this operation.
    const parsed = parseInput<z.ZodType>(schema, body) as never;
    const answer = await run(consumer, parsed, { response, caller: callerOf(response) });
    if (answer !== undefined) answerJson(response, 200, answerSchema.parse(answer));
  };
}

/** The client's end is known once its connection is closed. */
function callerOf(response: Response): Caller {
  return {
    isGone: () => response.closed || response.destroyed,
    onGone: (run) => void response.once('close', run),
  };
}

async function targetOf({ endpoints }: PullRouterDeps, consumer: Consumer): Promise<DeliveryTarget> {
  const found = await endpoints.atRevision(consumer.endpointId, consumer.endpointRevision);
  if (found.kind === 'found') return found.target;
  throw new ApiError('unavailable', 'The endpoint cannot be read', { 'Retry-After': '10' });
}
