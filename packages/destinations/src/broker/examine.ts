import { createSecureContext } from 'node:tls';
import type { AddressRules } from '@posthorn/egress/address-rules';
import { CIPHERS } from '@posthorn/egress/ciphers';
import type { ResolveName } from '@posthorn/egress/resolve-name';
import type { Clock } from '@posthorn/runtime/clock';
import { type Judgement, pass } from '../examination.ts';
import type { SendErrorCode, SendFailure } from '../failure.ts';
import type { Examination, Place, SendRequest, SendResult } from '../kind.ts';
import { examineConnection } from '../webhook/examine-connection.ts';
import type { Outcome } from './outcome.ts';

/** By the code of the failure. */
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

/** The checks of a kind of broker: the connection to the first server, `target` and `publish`. */
export async function examine(examination: Examination, deps: Deps): Promise<void> {
  const { record } = examination;
  const { place } = examination.message();
  if (!(await examineServer(examination, deps, place))) return;
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

/** The checks `dns`, `tcp`, `tls` and `certificate`, as far as they can be made before the client connects. */
async function examineServer(examination: Examination, deps: Deps, place: Place): Promise<boolean> {
  const { tls, ca } = deps.settingsOf(place);
  const [server] = place.kind.servers?.(place.settings) ?? [];
  return examineConnection({
    ...examination,
    ...{ rules: deps.rules, resolve: deps.resolve, clock: deps.clock },
    url: (server?.url ?? '').replace(/^http:/, 'https:'),
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
