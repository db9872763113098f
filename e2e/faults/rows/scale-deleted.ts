import { fromId } from '@posthorn/contract/ids';
import { quantile } from '../oracle.ts';
import type { Endpoint, Rig } from '../rig.ts';
import type { Outcome, Tools } from '../row.ts';
import { ask } from './ask.ts';
import { noServerErrors } from './marks.ts';
import { createBacklog } from './scale-backlog.ts';

const DELIVERIES = 1_000_000;
const ENDPOINTS = 10;
const PER_SECOND = 50;
/** A change takes effect for deliveries within a second after its response. */
const TAKES_HOLD_WITHIN_MS = 1_000;

/**
 * Deletes an environment while dispatchers work on its backlog. Measures events of another environment before and
 * after the deletion.
 */
export async function millionDeleted(rig: Rig, { scaled, say }: Tools): Promise<Outcome> {
  const { environmentId, endpoints } = await doomedEnvironment(rig);
  const backlog = createBacklog(rig, { environmentId, endpoints });
  const windowSeconds = Math.max(10, scaled(30));
  await backlog.fill(scaled(DELIVERIES));

  await backlog.begun();
  // Warm up: the first seconds of a process are not typical.
  await rig.load.steady(PER_SECOND, 5);
  const before = await firstAttempts(rig, windowSeconds);
  const url = `${rig.apis[0]?.url}/management/v1/workspaces/${rig.workspaceId}/environments/${environmentId}`;
  const after = firstAttempts(rig, windowSeconds);
  const deletion = await ask('DELETE', url, { token: rig.managementToken });
  const deletedAtMs = Date.now();
  say(
    `deleted with ${deletion.status} after ${deletion.afterMs.toFixed(0)} ms, ${backlog.arrived(0, deletedAtMs).count} had arrived`,
  );
  const other = await after;
  const claims = await claimsAfter(rig, { endpoints, afterMs: deletedAtMs });
  const requests = rig.receivers.receipts.filter(
    ({ endpoint, atMs }) => endpoint.startsWith('doomed') && atMs > deletedAtMs + TAKES_HOLD_WITHIN_MS,
  ).length;
  const ended = await rig.db.delivery.count({ where: { failureReason: 'endpoint_deleted' } });
  say(`${ended} ended since, ${await backlog.removeRest()} taken away`);
  await rig.drain();
  await backlog.account();
  return {
    duplicatesAtMost: 0,
    marks: [
      {
        what: 'answer',
        unit: 'ms',
        value: deletion.status === 204 ? deletion.afterMs : Number.POSITIVE_INFINITY,
        atMost: 500,
      },
      { what: 'last claim after', unit: 'ms', value: claims.lastAfterMs },
      { what: 'claims > 1 s after', value: claims.late, atMost: 0 },
      { what: 'requests > 1 s after', value: requests, atMost: 0 },
      { what: 'first attempts p99', unit: 'ms', value: other.p99Ms, atMost: 1.5 * before.p99Ms },
      { what: 'ingest p99', unit: 'ms', value: other.ingestP99Ms, atMost: 1.5 * before.ingestP99Ms },
      noServerErrors(rig),
    ],
  };
}

async function doomedEnvironment(rig: Rig): Promise<{ environmentId: string; endpoints: Endpoint[] }> {
  const made = await rig.client.call<{ id: string }>('POST', '/environments', { name: 'Doomed', slug: 'doomed' });
  const environmentId = made.body.id;
  const endpoints: Endpoint[] = [];
  for (let n = 0; n < ENDPOINTS; n += 1) {
    const name = `doomed-${n}`;
    const { body } = await rig.client.call<{ id: string }>('POST', '/endpoints', {
      url: rig.receivers.urlOf(name),
      environmentId,
    });
    endpoints.push({ name, id: body.id, uuid: fromId('ep', body.id) ?? '', eventType: 'load.backlog' });
  }
  // The rig must know the endpoints, so that their deliveries are judged by name.
  rig.endpoints.push(...endpoints);
  return { environmentId, endpoints };
}

/** Measures the times to the response and to the first request of the other environment's events, for some seconds. */
async function firstAttempts(rig: Rig, seconds: number): Promise<{ p99Ms: number; ingestP99Ms: number }> {
  const [eventsBefore, answersBefore] = [rig.load.sent.length, rig.load.answers.length];
  await rig.load.steady(PER_SECOND, seconds);
  const sent = rig.load.sent.slice(eventsBefore);
  const answers = rig.load.answers.slice(answersBefore);
  await rig.elapsed(2_000);
  const firsts = new Map<string, number>();
  for (const { eventId, endpoint, atMs } of rig.receivers.receipts) {
    const name = `${eventId} ${endpoint}`;
    if (!firsts.has(name)) firsts.set(name, atMs);
  }
  const waits = sent.flatMap(({ eventId, endpoints, acceptedAtMs = 0 }) =>
    endpoints.map((endpoint) => Math.max(0, (firsts.get(`${eventId} ${endpoint}`) ?? Date.now()) - acceptedAtMs)),
  );
  return {
    p99Ms: quantile(waits, 0.99),
    ingestP99Ms: quantile(
      answers.map(({ afterMs }) => afterMs),
      0.99,
    ),
  };
}

/** Counts claims after a moment. Postgres runs on this machine, so its moves have the same clock. */
async function claimsAfter(rig: Rig, { endpoints, afterMs }: { endpoints: readonly Endpoint[]; afterMs: number }) {
  const ids = endpoints.map((endpoint) => endpoint.uuid);
  const rows = await rig.db.$queryRaw<{ at_ms: number }[]>`
    select extract(epoch from at)::float8 * 1000 as at_ms from fault_move
    where endpoint_id = any(${ids}::uuid[]) and is_now = 'delivering'`;
  const late = rows.map((row) => row.at_ms - afterMs);
  return {
    lastAfterMs: late.reduce((most, one) => Math.max(most, one), 0),
    late: late.filter((one) => one > TAKES_HOLD_WITHIN_MS).length,
  };
}
