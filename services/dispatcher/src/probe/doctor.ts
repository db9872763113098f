import { randomBytes } from 'node:crypto';
import type { SecureContext } from 'node:tls';
import { newUuid, toId } from '@posthorn/contract/ids';
import { DOCTOR_CHECKS, type DoctorCheck, type DoctorCheckName, type DoctorReport } from '@posthorn/contract/probes';
import type { Db } from '@posthorn/db/client';
import type { AddressRules } from '@posthorn/egress/address-rules';
import { parseEndpointUrl } from '@posthorn/egress/endpoint-url';
import type { ResolveName } from '@posthorn/egress/resolve-name';
import type { Clock } from '@posthorn/runtime/clock';
import { buildRequest } from '../deliver/build-request.ts';
import type { EndedResult } from '../deliver/classify.ts';
import type { DeliveryTarget, EndpointCache } from '../deliver/endpoint-cache.ts';
import type { DeliverySender } from '../send/playground.ts';
import { CONNECT_TIMEOUT_MS } from '../send/send.ts';
import { findHost, reach, shakeHands } from './inspect.ts';
import {
  type Forgery,
  judgeBody,
  judgeForgery,
  judgeHttp,
  judgeLatency,
  judgeRedirect,
  OLD_TIMESTAMP,
  WRONG_SIGNATURE,
} from './judge-answer.ts';
import { type Judgement, judgeCertificate, judgeHandshake, judgeHost, judgeReached } from './judge-connection.ts';

export type ExamineDeps = {
  db: Db;
  endpoints: Pick<EndpointCache, 'atRevision'>;
  sender: Pick<DeliverySender, 'send'>;
  rules: AddressRules;
  resolve: ResolveName;
  /** The certificate authorities that deliveries trust. */
  secureContext: SecureContext;
  clock: Clock;
  settings: { timeoutSeconds: number };
};

export type Examination = { endpointId: string; workspaceId: string; endsByMs: number };

/** The most addresses of a name that are connected to. */
const MAX_ADDRESSES = 8;
/** If less time than this is left, no further request is made. */
const LEAST_LEFT_MS = 500;
const HOUR_MS = 3_600_000;

/**
 * Examines an endpoint check by check (docs/interface.md, Doctor). It stores nothing, and ends by the given time. A
 * check that an earlier one makes impossible is skipped. Undefined when there is no such endpoint, or when its secrets
 * cannot be decrypted.
 */
export async function examineEndpoint(deps: ExamineDeps, asked: Examination): Promise<DoctorReport | undefined> {
  const target = await findTarget(deps, asked);
  if (target === undefined) return undefined;
  const startedAt = deps.clock.now();
  const startedMs = deps.clock.monotonicMs();
  const record = createRecord();
  await examine({ ...deps, target, record, leftMs: () => asked.endsByMs - deps.clock.now().getTime() });
  const checks = record.checks();
  return {
    endpointId: toId('ep', asked.endpointId),
    verdict: verdictOf(checks),
    checks,
    startedAt: startedAt.toISOString(),
    durationMs: Math.round(deps.clock.monotonicMs() - startedMs),
  };
}

async function findTarget({ db, endpoints }: ExamineDeps, { endpointId, workspaceId }: Examination) {
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

type Examining = ExamineDeps & { target: DeliveryTarget; record: Recorder; leftMs: () => number };
type Recorder = ReturnType<typeof createRecord>;

/** Collects the checks. The checks that were not made are skipped, with the reason that ended the examination. */
function createRecord() {
  const made = new Map<DoctorCheckName, DoctorCheck>();
  let whySkipped = '';
  return {
    /** Returns whether the next check can be made. */
    add(name: DoctorCheckName, durationMs: number, judgement: Judgement): boolean {
      made.set(name, { name, ...judgement, durationMs: Math.round(durationMs) });
      if (judgement.outcome === 'fail' && whySkipped === '') whySkipped = `Not tried, because the check ${name} failed`;
      return judgement.outcome !== 'fail';
    },
    stop(why: string): void {
      whySkipped = `Not tried: ${why}`;
    },
    checks: (): DoctorCheck[] =>
      DOCTOR_CHECKS.map(
        (name) => made.get(name) ?? { name, outcome: 'skipped', detail: whySkipped, advice: null, durationMs: 0 },
      ),
  };
}

async function examine(examining: Examining): Promise<void> {
  const address = await examineHost(examining);
  if (address === undefined) return;
  if (!(await examineTls(examining, address))) return;
  if (!(await examineAnswer(examining))) return;
  const { target } = examining;
  const stranger = { ...target, secrets: [{ key: randomBytes(32), privateKey: null, expiresAt: null }] };
  await examineForgery(examining, 'signature', WRONG_SIGNATURE, { target: stranger });
  await examineForgery(examining, 'replay', OLD_TIMESTAMP, { agoMs: HOUR_MS });
}

type Place = { host: string; address: string; port: number };

/** The checks `dns` and `tcp`. Returns the first address that accepts a connection. */
async function examineHost(examining: Examining): Promise<Place | undefined> {
  const { target, rules, record } = examining;
  const parsed = parseEndpointUrl(target.url, rules);
  if (parsed.kind === 'refused' && parsed.reason === 'invalid') {
    record.add('dns', 0, { outcome: 'fail', detail: parsed.message, advice: 'Change the url of the endpoint.' });
    return undefined;
  }
  const { hostname, port: given } = new URL(target.url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const port = Number(given || 443);
  const found = await timed(examining, () => findHost(host, examining));
  if (!record.add('dns', found.durationMs, judgeHost(host, found.result))) return undefined;
  if (parsed.kind === 'refused') {
    record.add('tcp', 0, { outcome: 'fail', detail: parsed.message, advice: 'Change the url of the endpoint.' });
    return undefined;
  }
  const addresses = found.result.kind === 'found' ? found.result.addresses.slice(0, MAX_ADDRESSES) : [];
  const options = { ...examining.clock, port, rules, timeoutMs: timeoutIn(examining) };
  const reached = await timed(examining, () => Promise.all(addresses.map(({ address }) => reach(address, options))));
  record.add('tcp', reached.durationMs, judgeReached(port, reached.result));
  const first = reached.result.find(({ kind }) => kind === 'connected');
  return first === undefined ? undefined : { host, port, address: first.address };
}

/** The checks `tls` and `certificate`. */
async function examineTls(examining: Examining, { host, port, address }: Place): Promise<boolean> {
  const { record, rules, secureContext, clock } = examining;
  const options = { ...clock, host, port, rules, secureContext, timeoutMs: timeoutIn(examining) };
  const { result, durationMs } = await timed(examining, () => shakeHands(address, options));
  record.add('tls', durationMs, judgeHandshake(result));
  if (result.kind === 'failed') return false;
  return record.add('certificate', 0, judgeCertificate(host, result.certificate, clock.now()));
}

/** The checks `http`, `redirect`, `latency` and `body`, with one request. */
async function examineAnswer(examining: Examining): Promise<boolean> {
  const { record } = examining;
  const { result, durationMs } = await timed(examining, () => send(examining));
  if (result === undefined) return false;
  const isAccepted = record.add('http', durationMs, judgeHttp(result));
  if (result.kind === 'error') return false;
  record.add('redirect', 0, judgeRedirect(result));
  record.add('latency', 0, judgeLatency(result, timeoutOf(examining)));
  record.add('body', 0, judgeBody(result));
  return isAccepted;
}

async function examineForgery(
  examining: Examining,
  name: 'signature' | 'replay',
  forgery: Forgery,
  forged: Forged,
): Promise<void> {
  const { result, durationMs } = await timed(examining, () => send(examining, forged));
  if (result !== undefined) examining.record.add(name, durationMs, judgeForgery(forgery, result));
}

type Forged = { target?: DeliveryTarget; agoMs?: number };

/**
 * Sends a test request with an id of its own, because some receivers drop repeated ids unchecked. Undefined when the
 * examination must end; the record then has the reason.
 */
async function send(
  examining: Examining,
  { target = examining.target, agoMs = 0 }: Forged = {},
): Promise<EndedResult | undefined> {
  const { clock, sender, record } = examining;
  const leftMs = examining.leftMs();
  if (leftMs < LEAST_LEFT_MS) return void record.stop(TIME_IS_UP);
  const now = clock.now();
  const request = buildRequest({
    delivery: { deliveryId: newUuid(now), eventId: newUuid(now), attemptNumber: 1 },
    event: { eventType: null, idempotencyKey: null, contentType: 'application/json' },
    target,
    body: Buffer.from(JSON.stringify({ type: 'posthorn.test', timestamp: now.toISOString() })),
    now: new Date(now.getTime() - agoMs),
  });
  const timeoutMs = Math.min(timeoutOf(examining), leftMs);
  const result = await sender.send({ ...request, timeoutMs });
  if (result.kind === 'aborted') return void record.stop('the service is being stopped');
  const isCut = result.kind === 'error' && result.errorCode === 'timeout' && timeoutMs < timeoutOf(examining);
  return isCut ? void record.stop(TIME_IS_UP) : result;
}

const TIME_IS_UP = 'the time of the examination was over';

function timeoutOf({ target, settings }: Examining): number {
  return 1_000 * (target.timeoutSeconds ?? settings.timeoutSeconds);
}

/** The time limit for one step of a connection. */
function timeoutIn({ leftMs }: Examining): number {
  return Math.max(1, Math.min(CONNECT_TIMEOUT_MS, leftMs()));
}

async function timed<Result>({ clock }: Pick<Examining, 'clock'>, work: () => Promise<Result>) {
  const startedMs = clock.monotonicMs();
  const result = await work();
  return { result, durationMs: clock.monotonicMs() - startedMs };
}
