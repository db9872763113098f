import { createSecureContext } from 'node:tls';
import type { AddressRules } from '@posthorn/egress/address-rules';
import { CIPHERS } from '@posthorn/egress/ciphers';
import type { ResolveName } from '@posthorn/egress/resolve-name';
import type { Clock } from '@posthorn/runtime/clock';
import { type Check, createExaminationRecord, type DoctorCheckName, type Judgement, pass } from '../examination.ts';
import type { SendErrorCode, SendFailure } from '../failure.ts';
import type { Examination, Place, SendRequest, SendResult } from '../kind.ts';
import { examineConnection } from '../webhook/examine-connection.ts';
import type { Outcome } from './outcome.ts';

/** Advice for each failure code. */
export type Advice = Partial<Record<SendErrorCode, string>>;

type Deps = {
  rules: AddressRules;
  resolve: ResolveName;
  clock: Clock;
  allowPlaintext: boolean;
  greetsWithoutTls: boolean;
  advice: Advice;
  settingsOf(place: Place): { tls: boolean; ca?: string | undefined };
  certificateOf(credentials: Place['credentials']): { cert: string; key: string } | undefined;
  send(request: SendRequest): Promise<SendResult>;
  inspect(request: SendRequest): Promise<Outcome<string>>;
};

/** If less time than this is left, no further request is made. */
const LEAST_LEFT_MS = 500;
const TIME_IS_UP = 'the time of the examination was over';

/** Makes the checks of a broker kind: the connections to its servers, `target` and `publish`. */
export async function examine(examination: Examination, deps: Deps): Promise<void> {
  const { record } = examination;
  const { place } = examination.message();
  if (!(await examineServers(examination, deps, place))) return;
  const request = inTime(examination);
  if (request === undefined) return record.stop(TIME_IS_UP);
  const startedMs = performance.now();
  const found = await deps.inspect(request);
  if (found.kind === 'aborted') return record.stop(whyStopped(found));
  const target = found.kind === 'done' ? pass(found.result) : fail(found.failure, deps.advice);
  if (!record.add('target', performance.now() - startedMs, target)) return;
  const message = inTime(examination);
  if (message === undefined) return record.stop(TIME_IS_UP);
  const result = await deps.send(message);
  if (result.kind === 'aborted') return record.stop(whyStopped(result));
  if (result.kind === 'response') throw new Error('an answer over HTTP from a broker');
  const published = result.kind === 'error' ? fail(result, deps.advice) : pass('A test message was acknowledged');
  record.add('publish', result.durationMs, published);
}

const OF_SERVERS: readonly DoctorCheckName[] = ['dns', 'tcp', 'tls', 'certificate'];

/** Makes the checks of each server. If a server cannot be reached, a client tries the next one. */
async function examineServers(examination: Examination, deps: Deps, place: Place): Promise<boolean> {
  const [first, ...others] = place.kind.servers?.(place.settings) ?? [];
  if (first === undefined || others.length === 0)
    return examineServer(examination, deps, { place, url: first?.url ?? '' });
  let examined = await Promise.all(
    [first, ...others].map(async ({ url }) => {
      const record = createExaminationRecord(OF_SERVERS);
      await examineServer({ ...examination, record }, deps, { place, url });
      return { host: new URL(url).host, made: record.checks() };
    }),
  );
  for (const name of OF_SERVERS) {
    const checks = examined.flatMap(({ host, made }) =>
      made.filter((check) => check.name === name).map((check) => ({ ...check, host })),
    );
    const durationMs = Math.max(...checks.map((check) => check.durationMs));
    if (!examination.record.add(name, durationMs, judgeServers(checks))) return false;
    const failed = checks.filter(({ outcome }) => outcome === 'fail').map(({ host }) => host);
    examined = examined.filter(({ host }) => !failed.includes(host));
  }
  return true;
}

/**
 * Judges one check for several servers together. It fails only if it fails for every server, because one server is
 * enough for messages.
 */
function judgeServers(checks: readonly (Check & { host: string })[]): Judgement {
  const made = checks.filter(({ outcome }) => outcome !== 'skipped');
  if (made.length === 0) return { outcome: 'skipped', detail: checks[0]?.detail ?? '', advice: null };
  const detail = checks.map((check) => `${check.host}: ${check.detail}`).join('; ');
  if (checks.every(({ outcome }) => outcome === 'pass')) return pass(detail);
  const advice = [...new Set(checks.flatMap((check) => check.advice ?? []))].join(' ');
  return { outcome: made.every(({ outcome }) => outcome === 'fail') ? 'fail' : 'warn', detail, advice };
}

/** Makes the checks of one server that are possible before the client connects. */
function examineServer(examination: Examination, deps: Deps, { place, url }: { place: Place; url: string }) {
  const { tls, ca } = deps.settingsOf(place);
  return examineConnection({
    ...examination,
    ...{ rules: deps.rules, resolve: deps.resolve, clock: deps.clock },
    url: url.replace(/^http:/, 'https:'),
    secureContext:
      tls && !deps.greetsWithoutTls
        ? createSecureContext({
            ciphers: CIPHERS,
            ...(ca === undefined ? {} : { ca }),
            ...deps.certificateOf(place.credentials),
          })
        : null,
  });
}

function inTime(examination: Examination): SendRequest | undefined {
  const leftMs = examination.leftMs();
  if (leftMs < LEAST_LEFT_MS) return undefined;
  return { ...examination.message(), timeoutMs: Math.min(examination.timeoutMs, leftMs) };
}

function whyStopped({ isCrowded = false }: { isCrowded?: boolean }): string {
  return isCrowded ? 'the service has too many connections to brokers' : 'the service is being stopped';
}

function fail({ errorCode, message }: SendFailure, advice: Advice): Judgement {
  const common = { ...COMMON, ...advice };
  return { outcome: 'fail', detail: message, advice: common[errorCode] ?? OTHER };
}

const OTHER = 'Check the destination, and look at the log of the broker.';
const COMMON: Advice = {
  authentication_failed: 'Correct the credentials.',
  invalid_target: 'Change the template in the destination.',
  message_too_large: 'Raise the limit of the broker.',
  connection_reset: 'Let tls be true if the server requires TLS, and look at the log of the broker.',
  blocked_address: 'Name a server with a public address.',
  dns_failure: 'Check the spelling of the host.',
};
