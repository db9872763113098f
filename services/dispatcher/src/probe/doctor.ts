import { randomBytes } from 'node:crypto';
import { newUuid, toId } from '@posthorn/contract/ids';
import type { DoctorCheck, DoctorReport } from '@posthorn/contract/probes';
import { coversTime } from '@posthorn/contract/signature';
import type { Db } from '@posthorn/db/client';
import { createExaminationRecord } from '@posthorn/destinations/examination';
import type { Examination } from '@posthorn/destinations/kind';
import type { Destinations } from '@posthorn/destinations/open-destinations';
import { buildRequest } from '@posthorn/messages/build-request';
import type { DeliveryTarget, EndpointCache } from '@posthorn/messages/endpoint-cache';
import type { Clock } from '@posthorn/runtime/clock';
import { redactResponse } from '../deliver/redact-response.ts';

export type ExamineDeps = {
  db: Db;
  endpoints: Pick<EndpointCache, 'atRevision'>;
  destinations: Pick<Destinations, 'examine'>;
  clock: Clock;
  settings: { timeoutSeconds: number };
};

export type Asked = { endpointId: string; workspaceId: string; endsByMs: number };

/**
 * Examines an endpoint check by check, as its kind defines (docs/interface.md, Doctor). Stores nothing, and ends by the
 * given time. A check that an earlier one makes impossible is skipped. Undefined if there is no such endpoint, or its
 * secrets cannot be decrypted.
 */
export async function examineEndpoint(deps: ExamineDeps, asked: Asked): Promise<DoctorReport | undefined> {
  const target = await findTarget(deps, asked);
  if (target === undefined) return undefined;
  const { clock, destinations, settings } = deps;
  const startedAt = clock.now();
  const startedMs = clock.monotonicMs();
  const timeoutMs = 1_000 * (target.timeoutSeconds ?? settings.timeoutSeconds);
  const record = createExaminationRecord(target.place.kind.checks);
  await destinations.examine(target.place.kind, {
    record,
    coversTime: coversTime(target.signature),
    timeoutMs,
    leftMs: () => asked.endsByMs - clock.now().getTime(),
    withoutSecrets: (answer, others) => ({
      ...answer,
      ...redactResponse(testMessage(target, clock.now()), answer, others),
    }),
    message: (forged) => ({ ...testMessage(target, clock.now(), forged), timeoutMs }),
  });
  const checks = record.checks();
  return {
    endpointId: toId('ep', asked.endpointId),
    verdict: verdictOf(checks),
    checks,
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(clock.monotonicMs() - startedMs),
  };
}

async function findTarget({ db, endpoints }: ExamineDeps, { endpointId, workspaceId }: Asked) {
  const where = { id: endpointId, workspaceId, deletedAt: null };
  const row = await db.endpoint.findFirst({ where, select: { revision: true } });
  if (row === null) return undefined;
  const found = await endpoints.atRevision(endpointId, row.revision);
  return found.kind === 'found' ? found.target : undefined;
}

function verdictOf(checks: readonly DoctorCheck[]): DoctorReport['verdict'] {
  if (checks.some(({ outcome }) => outcome === 'fail')) return 'broken';
  return checks.some(({ outcome }) => outcome === 'warn') ? 'warning' : 'healthy';
}

function testMessage(
  target: DeliveryTarget,
  now: Date,
  { signature, agoMs = 0 }: NonNullable<Parameters<Examination['message']>[0]> = {},
) {
  const key = randomBytes(32);
  const strange = { secrets: [{ key, text: key, privateKey: null, expiresAt: null }] };
  return buildRequest({
    delivery: { deliveryId: newUuid(now), eventId: newUuid(now), attemptNumber: 1 },
    event: { eventType: null, idempotencyKey: null, orderingKey: null, contentType: 'application/json' },
    target: signature === 'wrong' ? { ...target, ...strange } : target,
    body: Buffer.from(JSON.stringify({ type: 'posthorn.test', timestamp: now.toISOString() })),
    now: new Date(now.getTime() - agoMs),
    isTest: true,
  });
}
