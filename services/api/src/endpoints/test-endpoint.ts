import { setTimeout as delay } from 'node:timers/promises';
import { newUuid, toId } from '@posthorn/contract/ids';
import { LIMITS } from '@posthorn/contract/limits';
import type { testEndpointBody } from '@posthorn/contract/probes';
import { sealContext } from '@posthorn/crypto/contexts';
import { seal } from '@posthorn/crypto/seal';
import { deliveryIdFor } from '@posthorn/ledger/delivery-id';
import { cancelTestDelivery, createTestDelivery } from '@posthorn/ledger/test-deliveries';
import type { AdmittedProbe } from '@posthorn/queue/probes';
import type { z } from 'zod';
import { createReadBodies } from '../deliveries/attempt-bodies.ts';
import { enterView } from '../deliveries/enter-view.ts';
import { presentAttempts, showsPayload } from '../deliveries/present-attempt.ts';
import { requireEventType, visibleTypes } from '../event-types/event-types.ts';
import type { WorkspaceContext } from '../operation/context.ts';
import { ApiError } from '../transport/error.ts';
import { lockEndpoint, requireEndpointKey } from './endpoints.ts';
import { admitted, askDispatcher, noDispatcher } from './probe-endpoint.ts';
import { givenPayload, testPayload } from './test-payload.ts';

/** The time to load the endpoint and to settle, beside the endpoint's timeout. */
const MARGIN_MS = 10_000;
/** The longest timeout that an endpoint, or a dispatcher as its default, may have. */
const LONGEST_TIMEOUT_SECONDS = 30;

/**
 * Sends a test to an endpoint by a dispatcher, now and once, and returns its attempt (docs/interface.md, Test).
 * `given` are the bytes of the request's body: a payload in it is sent as it was written.
 */
export async function testEndpoint(
  ctx: WorkspaceContext,
  id: string,
  { body, given }: { body: z.output<typeof testEndpointBody>; given: Buffer },
) {
  const endpointId = await requireEndpointKey(ctx, id);
  const { eventTypeId } = body;
  const eventType =
    eventTypeId === undefined ? null : await requireEventType(ctx, ctx.db, eventTypeId, visibleTypes(ctx));
  const payload = givenPayload(ctx, given) ?? testPayload(ctx, eventType?.example);
  const limits = { kind: 'test', mostOfEndpoint: LIMITS.testsAtOncePerEndpoint, pauseMs: 0, endpointId } as const;
  return admitted(ctx, limits, async (probe) => {
    const test = await storeTest(ctx, id, { eventType: eventType?.name ?? null, payload });
    ctx.live.eventAccepted({ workspaceId: ctx.workspace.id, eventId: test.eventId });
    ctx.live.deliveryChanged({ workspaceId: ctx.workspace.id, ...test });
    return sendAndRead(ctx, probe, test);
  });
}

type Test = {
  eventId: string;
  deliveryId: string;
  endpointId: string;
  timeoutSeconds: number | null;
  isPulled: boolean;
};

/** Stores the sealed event and its delivery before a dispatcher is asked: a job holds only ids. */
function storeTest(
  ctx: WorkspaceContext,
  id: string,
  { eventType, payload }: { eventType: string | null; payload: Buffer },
) {
  return ctx.change('endpoint.tested', async (transaction) => {
    const endpoint = await lockEndpoint(ctx, transaction, id);
    const { id: endpointId, environmentId, applicationId, timeoutSeconds, isPulled } = endpoint;
    if (isPulled && !endpoint.isActive) {
      throw new ApiError('endpoint_inactive', 'The endpoint is not active: no consumer can fetch the test');
    }
    const eventId = newUuid(ctx.clock.now());
    const place = { workspaceId: ctx.workspace.id, environmentId };
    await transaction.event.create({
      data: {
        ...place,
        id: eventId,
        endpointId,
        isTest: true,
        eventType,
        contentType: 'application/json',
        payload: new Uint8Array(seal(ctx.sealingKeys, payload, sealContext.payload(eventId))),
        payloadSize: payload.length,
        published: true,
      },
    });
    const deliveryId = deliveryIdFor(eventId, endpointId);
    await createTestDelivery(transaction, { ...place, deliveryId, eventId, endpointId, eventType, isPulled });
    const changes = { deliveryId: { from: null, to: toId('dlv', deliveryId) } };
    const entry = { resourceId: toId('ep', endpointId), changes, applicationId, environmentId };
    return { result: { eventId, deliveryId, endpointId, timeoutSeconds, isPulled }, entry };
  });
}

function send(ctx: WorkspaceContext, probe: AdmittedProbe, { timeoutSeconds, isPulled: _sent, ...ids }: Test) {
  const timeoutMs = 1_000 * (timeoutSeconds ?? LONGEST_TIMEOUT_SECONDS);
  const endsWithinMs = ctx.timing.probeBeginsWithinMs + timeoutMs + MARGIN_MS;
  return askDispatcher(ctx, probe, { kind: 'test', ...ids, workspaceId: ctx.workspace.id, endsWithinMs });
}

async function sendAndRead(ctx: WorkspaceContext, probe: AdmittedProbe, test: Test) {
  const { probeBeginsWithinMs } = ctx.timing;
  const outcome = test.isPulled ? await awaitConsumer(ctx, test) : await send(ctx, probe, test);
  // The rows decide, even when a message was lost: a test that is cancelled here can no longer be begun.
  if (await cancelTestDelivery(ctx.db, test.deliveryId)) {
    ctx.live.deliveryChanged({ workspaceId: ctx.workspace.id, ...test });
    const seconds = probeBeginsWithinMs / 1_000;
    if (test.isPulled) throw noDispatcher(`No consumer has leased the test within ${seconds} seconds`);
    const late = `No dispatcher has begun the test within ${seconds} seconds`;
    throw noDispatcher(outcome === undefined ? 'No dispatcher can be reached' : late);
  }
  const row = await ctx.db.attempt.findFirst({ where: { deliveryId: test.deliveryId } });
  if (row === null) {
    const delivery = toId('dlv', test.deliveryId);
    throw new ApiError('unavailable', `The test has no result: see delivery ${delivery}`, { 'Retry-After': '5' });
  }
  const stored = { ...row, responseBody: row.responseBodySealed ?? row.responseBody };
  const [attempt] = presentAttempts([stored], createReadBodies(ctx));
  if (attempt !== undefined && showsPayload(attempt)) await enterView(ctx, toId('dlv', test.deliveryId));
  return attempt;
}

const LOOKS_EVERY_MS = 200;
/** How long a consumer that has leased the test may take. The receiver of a webhook has at most as long. */
const ANSWERS_WITHIN_MS = 30_000;

/** Waits until a consumer has answered the test, or has not leased it in time, or a stop. The rows then show which. */
async function awaitConsumer(
  { db, clock, timing, probes, wakeConsumers }: WorkspaceContext,
  { deliveryId, endpointId }: { deliveryId: string; endpointId: string },
): Promise<void> {
  const beganMs = clock.monotonicMs();
  wakeConsumers([endpointId]);
  for (;;) {
    await delay(LOOKS_EVERY_MS);
    if (probes.hasEnded()) return;
    const row = await db.delivery.findUnique({ where: { id: deliveryId }, select: { status: true } });
    const waitedMs = clock.monotonicMs() - beganMs;
    if (row?.status === 'pending' && waitedMs < timing.probeBeginsWithinMs) continue;
    if (row?.status === 'delivering' && waitedMs < timing.probeBeginsWithinMs + ANSWERS_WITHIN_MS) continue;
    return;
  }
}
