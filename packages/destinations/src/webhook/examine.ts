import type { SecureContext } from 'node:tls';
import type { AddressRules } from '@posthorn/egress/address-rules';
import type { ResolveName } from '@posthorn/egress/resolve-name';
import type { Clock } from '@posthorn/runtime/clock';
import type { Judgement } from '../examination.ts';
import type { Examination, SendRequest, WebResult } from '../kind.ts';
import type { Tunnels } from '../tunnel.ts';
import type { AuthorisedRequest } from './authorised.ts';
import { examineConnection, timed } from './examine-connection.ts';
import {
  type Forgery,
  judgeBody,
  judgeForgery,
  judgeHttp,
  judgeLatency,
  judgeRedirect,
  judgeToken,
  OLD_TIMESTAMP,
  WRONG_SIGNATURE,
} from './judge-answer.ts';
import type { TokenResult } from './oauth2.ts';

export type ExamineDeps = {
  rules: AddressRules;
  resolve: ResolveName;
  clock: Clock;
  send(request: SendRequest & Pick<AuthorisedRequest, 'isAlone' | 'isForged'>): Promise<WebResult>;
  /** The certificate authorities that deliveries trust. */
  secureContext: SecureContext;
  /** Connects through a proxy if set. */
  tunnels?: Tunnels | undefined;
  /** The name that the server's certificate must have, if it is not the URL's host. */
  serverName?: string | undefined;
  /** Gets the token for an endpoint with OAuth 2. */
  askForToken?: (() => Promise<TokenResult>) | undefined;
};

type Examining = ExamineDeps & Examination & { url: string };

/** If less time than this is left, no further request is made. */
const LEAST_LEFT_MS = 500;
const HOUR_MS = 3_600_000;

/** Examines a webhook's server step by step, with at most three requests. */
export async function examine(examination: Examination, deps: ExamineDeps): Promise<void> {
  const examining = { ...deps, ...examination, url: examination.message().url };
  if (!(await examineConnection(examining))) return;
  if (!(await examineToken(examining))) return;
  if (!(await examineAnswer(examining))) return;
  await examineForgery(examining, 'signature', WRONG_SIGNATURE, { signature: 'wrong' });
  if (examining.coversTime) await examineForgery(examining, 'replay', OLD_TIMESTAMP, { agoMs: HOUR_MS });
  else examining.record.add('replay', 0, NO_TIME);
}

const NO_TIME: Judgement = {
  outcome: 'skipped',
  detail: 'Not tried: the signature of this endpoint does not cover the time of the request',
  advice: null,
};

/** Makes the check `oauth2`, which only an endpoint with OAuth 2 has. */
async function examineToken(examining: Examining): Promise<boolean> {
  const { record, askForToken } = examining;
  if (askForToken === undefined) return true;
  const { result, durationMs } = await timed(examining, askForToken);
  if (result.kind !== 'aborted') return record.add('oauth2', durationMs, judgeToken(result));
  record.stop('the service is being stopped');
  return false;
}

/** Makes the checks `http`, `redirect`, `latency` and `body`, with one request. */
async function examineAnswer(examining: Examining): Promise<boolean> {
  const { record, timeoutMs } = examining;
  const { result, durationMs } = await timed(examining, () => send(examining));
  if (result === undefined) return false;
  const isAccepted = record.add('http', durationMs, judgeHttp(result));
  if (result.kind === 'error') return false;
  // The receiver may repeat a credential in the redirect's target.
  const shown = examining.withoutSecrets?.(result, result.sent?.secrets ?? []) ?? result;
  record.add('redirect', 0, judgeRedirect(shown));
  record.add('latency', 0, judgeLatency(result, timeoutMs));
  record.add('body', 0, judgeBody(result));
  return isAccepted;
}

async function examineForgery(
  examining: Examining,
  name: 'signature' | 'replay',
  forgery: Forgery,
  forged: Parameters<Examination['message']>[0],
): Promise<void> {
  const { result, durationMs } = await timed(examining, () => send(examining, forged));
  if (result !== undefined) examining.record.add(name, durationMs, judgeForgery(forgery, result));
}

/** Undefined if the examination must end. The record then has the reason. */
async function send(
  examining: Examining,
  forged?: Parameters<Examination['message']>[0],
): Promise<Exclude<WebResult, { kind: 'aborted' }> | undefined> {
  const { record } = examining;
  const leftMs = examining.leftMs();
  if (leftMs < LEAST_LEFT_MS) return void record.stop(TIME_IS_UP);
  const timeoutMs = Math.min(examining.timeoutMs, leftMs);
  // Use a new connection: a server that closes kept connections may still answer correctly.
  const request = { ...examining.message(forged), timeoutMs, isAlone: true, isForged: forged !== undefined };
  const result = await examining.send(request);
  if (result.kind === 'aborted') return void record.stop('the service is being stopped');
  const isCut = result.kind === 'error' && result.errorCode === 'timeout' && timeoutMs < examining.timeoutMs;
  return isCut ? void record.stop(TIME_IS_UP) : result;
}

const TIME_IS_UP = 'the time of the examination was over';
