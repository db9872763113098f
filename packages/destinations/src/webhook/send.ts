import { isUtf8 } from 'node:buffer';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { AddressRules } from '@posthorn/egress/address-rules';
import { type EndpointUrl, parseEndpointUrl } from '@posthorn/egress/endpoint-url';
import type { Lookup } from '@posthorn/egress/lookup';
import type { Clock } from '@posthorn/runtime/clock';
import got, { type Got, type HandlerFunction, type Request } from 'got';
import { LRUCache } from 'lru-cache';
import { type SendFailure, timedOut } from '../failure.ts';
import { type Answer, MAX_BODY_BYTES, type Measures, type Sender, type SendRequest, type WebResult } from '../kind.ts';
import { createOpenExchanges, type OpenExchanges } from '../open-exchanges.ts';
import type { Tunnels } from '../tunnel.ts';
import { decodeBody } from './decode-body.ts';
import { EgressAgent, tunnelledOf } from './egress-agent.ts';
import { readIrregular } from './irregular-answer.ts';
import type { OwnTls } from './own-tls.ts';
import { blockedAddress, describeSendError, MAX_HEADER_BYTES } from './send-error.ts';

/** The time limit for DNS, connection and TLS of a new connection. */
export const CONNECT_TIMEOUT_MS = 5_000;

/** The part of a request that this sender needs. */
export type WebRequest = Pick<SendRequest, 'url' | 'headers' | 'body' | 'timeoutMs'> & {
  /** Uses no kept connection, and keeps none. */
  isAlone?: boolean;
};

export type WebSender = Omit<Sender, 'send'> & { send(request: WebRequest): Promise<WebResult> };

type SenderOptions = {
  rules: AddressRules;
  lookup: Lookup;
  clock: Clock;
  /** A certificate authority (PEM) to trust in addition to the well-known ones. */
  ca?: string | undefined;
  /** Replaces `CONNECT_TIMEOUT_MS`. */
  connectTimeoutMs?: number | undefined;
  /** Connects through a proxy if set. */
  tunnels?: Tunnels | undefined;
  /** Set for an endpoint with its own TLS settings. */
  tls?: OwnTls | undefined;
};

/**
 * Sends each POST to an endpoint without redirects, and exactly once, with one exception. Many servers close a kept
 * connection without notice. If a kept connection ends before the first byte of the answer, and within a second after
 * the request began, the request is sent again over a new connection, once (`reconnected`). After more than a second,
 * the server has probably worked on it. The sender connects only to addresses that the egress rules allow, and keeps
 * connections for later requests to the same host.
 */
export function createSender({ rules, lookup, clock, ca, connectTimeoutMs, tunnels, tls }: SenderOptions): WebSender {
  const { monotonicMs } = clock;
  const through = tunnels && { tunnels, timeoutMs: connectTimeoutMs ?? CONNECT_TIMEOUT_MS, monotonicMs };
  const keeping = new EgressAgent({ rules, lookup, ca, through, tls });
  const client = createClient(keeping);
  // Makes a new connection for each request.
  const alone = new EgressAgent({ rules, lookup, ca, keepsConnections: false, through, tls });
  const clientAlone = createClient(alone);

  // Caches the checks of URLs: a few endpoints get many of the requests.
  const urls = new LRUCache<string, EndpointUrl>({ max: 1_000, memoMethod: (url) => parseEndpointUrl(url, rules) });
  const open = createOpenExchanges();
  return {
    send: async (request) => {
      if (open.isAborted()) return { kind: 'aborted' };
      const startedMs = clock.monotonicMs();
      const elapsedMs = () => Math.round(clock.monotonicMs() - startedMs);
      const target = urls.memo(request.url);
      if (target.kind === 'refused') return refuse(target.reason, elapsedMs());
      const { headers, body, timeoutMs } = request;
      const attempt = (by: Got) =>
        exchange(by.stream(target.url, { headers, body }), {
          // The deadline of the whole attempt. It may have passed already.
          ...{ timeoutMs: Math.max(1, timeoutMs - elapsedMs()), limitMs: timeoutMs },
          ...{ connectTimeoutMs, open, elapsedMs, tunnels, startedMs },
        });
      const first = await attempt(request.isAlone === true ? clientAlone : client);
      if (first.kind !== 'lost') return first;
      if (open.isAborted()) return { kind: 'aborted' };
      const second = await attempt(clientAlone);
      if (second.kind === 'lost') throw new Error('a new connection counted as a kept one');
      return second.kind === 'aborted' ? second : { ...second, reconnected: true };
    },
    abortAll: open.abortAll,
    close() {
      keeping.destroy();
      alone.destroy();
    },
  };
}

function createClient(agent: EgressAgent): Got {
  return got.extend({
    method: 'POST',
    decompress: false,
    followRedirect: false,
    throwHttpErrors: false,
    retry: { limit: 0 },
    handlers: [withLeanOptions],
    // Pass only the needed options. Got passes about forty, most of them unset, and Node copies them several times.
    request: (url, { headers = {} }) =>
      httpsRequest({
        agent,
        method: 'POST',
        hostname: url.hostname.replace(/^\[|\]$/g, ''),
        port: url.port,
        path: url.pathname + url.search,
        headers,
        maxHeaderSize: MAX_HEADER_BYTES,
      }),
  });
}

/**
 * Keeps only the headers of the options that got makes for Node. The others took 46 µs and 10 KB for each request,
 * which V8 kept until its next full garbage collection.
 */
const withLeanOptions: HandlerFunction = (options, next) =>
  next(Object.assign(options, { createNativeRequestOptions: () => ({ headers: options.headers }) }));

/** The state of an exchange. */
type Progress = {
  stream: Request;
  elapsedMs: () => number;
  request?: ClientRequest;
  socket?: Socket;
  /** Set while a reused connection has received nothing for this request. */
  isUnanswered: boolean;
  /** The bytes that had been read from the connection before this exchange. */
  bytesBefore: number;
  response?: IncomingMessage;
  /** The first error of the request. */
  fault?: Error;
  /** A buffer that begins with the kept bytes. It is longer than they are if the answer came in pieces. */
  body: Buffer;
  receivedBytes: number;
};

/** `timeoutMs` is the time that is left of `limitMs`, the attempt's time limit. */
type Exchange = Pick<WebRequest, 'timeoutMs'> & { limitMs: number } & Pick<
    SenderOptions,
    'connectTimeoutMs' | 'tunnels'
  > & {
    open: OpenExchanges;
    elapsedMs: () => number;
    startedMs: number;
  };

/** If the server had closed a kept connection, it ends this soon after a request begins. */
const CLOSED_WITHIN_MS = 1_000;

/** The kept connection ended before the first byte of the answer. */
type Lost = { kind: 'lost' };

/**
 * Runs a request until the whole answer has arrived, or the part of it that is kept, or until an error, a deadline or
 * an abort.
 */
function exchange(stream: Request, options: Exchange): Promise<WebResult | Lost> {
  const { timeoutMs, limitMs, connectTimeoutMs = CONNECT_TIMEOUT_MS, open, elapsedMs, tunnels, startedMs } = options;
  return new Promise((resolve) => {
    const progress: Progress = {
      ...{ stream, elapsedMs, isUnanswered: false },
      ...{ body: Buffer.alloc(0), receivedBytes: 0, bytesBefore: 0 },
    };
    let isOver = false;
    const end = (result: WebResult | Lost, connection: 'kept' | 'destroyed') => {
      if (isOver) return;
      isOver = true;
      clearTimeout(deadline);
      clearTimeout(connectDeadline);
      forget();
      if (connection === 'destroyed') stream.destroy();
      resolve(result.kind === 'response' ? decoded(result) : result);
    };
    const fail = (failure: SendFailure) => end(failed(failure, progress), 'destroyed');
    const answer = (response: IncomingMessage, connection: 'kept' | 'destroyed') =>
      end({ kind: 'response', ...readAnswer(response, progress), ...measure(progress) }, connection);

    const deadline = setTimeout(() => {
      const failure = timedOut('No complete answer', limitMs);
      const isTunnelling = tunnels !== undefined && progress.socket === undefined;
      const blamed = isTunnelling ? describeSendError(tunnels.blameForSilence(startedMs)) : failure;
      fail(blamed.errorCode === 'proxy_error' ? blamed : failure);
    }, timeoutMs);
    let connectDeadline: NodeJS.Timeout | undefined;
    const limitConnecting = (socket: Socket) => {
      progress.socket = socket;
      progress.bytesBefore = socket.bytesRead;
      watchForAnswer(progress, socket);
      if (!socket.connecting) return;
      connectDeadline = setTimeout(() => fail(timedOut('No connection', connectTimeoutMs)), connectTimeoutMs);
      socket.once('secureConnect', () => clearTimeout(connectDeadline));
    };
    const forget = open.add(() => end({ kind: 'aborted' }, 'destroyed'));

    stream.once('request', (request) => {
      progress.request = request;
      limitInformational(request, () => fail(tooMuch('The answer begins with too many informational responses')));
      request.once('socket', limitConnecting);
      // Got listens for one error only. Node may emit another, and without a listener that would end the process.
      request.on('error', (error: Error) => {
        progress.fault ??= error;
      });
      // Got also listens for `upgrade`, so Node hands the connection over, and the request no longer owns it.
      request.once('upgrade', (_response: IncomingMessage, socket: Socket) => {
        socket.destroy();
        fail({ errorCode: 'protocol_error', message: 'The answer switches to another protocol' });
      });
    });
    stream.once('response', (response: IncomingMessage) => {
      progress.response = response;
    });
    stream.on('data', (chunk: Buffer) => {
      receive(progress, chunk);
      if (progress.response && progress.receivedBytes > MAX_BODY_BYTES) answer(progress.response, 'destroyed');
      else if (bytesOnTheWire(progress) > MAX_WIRE_BYTES) fail(tooMuch('The answer has too much around its body'));
    });
    stream.once('end', () => {
      const { request, response } = progress;
      if (response === undefined) return;
      // An answer may come before the request is fully written. The rest of the request might then never be read.
      const isWritten = () => request?.writableFinished === true;
      if (isWritten()) answer(response, 'kept');
      // Node tells the end of a write over TLS in the next turn of the event loop, and a quick answer may come before.
      else setImmediate(() => answer(response, isWritten() ? 'kept' : 'destroyed'));
    });
    stream.on('error', (error) => {
      // A later event on the connection does not change a complete answer.
      if (progress.response?.complete === true) answer(progress.response, 'destroyed');
      else {
        const failure = describeSendError(causeOf(error, progress.socket));
        const read = failure.errorCode === 'protocol_error' ? irregularAnswer(progress) : undefined;
        if (read !== undefined) end({ kind: 'response', ...read, ...measure(progress) }, 'destroyed');
        else if (isClosedBefore(progress) && failure.errorCode === 'connection_reset')
          end({ kind: 'lost' }, 'destroyed');
        else fail(failure);
      }
    });
  });
}

/** Whether the server may have closed the connection before it read the request. */
function isClosedBefore({ isUnanswered, elapsedMs }: Progress): boolean {
  return isUnanswered && elapsedMs() <= CLOSED_WITHIN_MS;
}

async function decoded(result: Extract<WebResult, { kind: 'response' }>): Promise<WebResult> {
  return { ...result, ...(await decodeBody(result, MAX_BODY_BYTES)) };
}

/** Reads an answer that Node's parser refused. Node keeps its packet in the error, and has closed the connection. */
function irregularAnswer({ fault }: Progress): Answer | undefined {
  const packet = fault !== undefined && 'rawPacket' in fault ? fault.rawPacket : undefined;
  return Buffer.isBuffer(packet) ? readIrregular(packet, MAX_BODY_BYTES) : undefined;
}

/** Counts only an answer's bytes. TLS bytes do not count, because a server that closes properly sends some. */
function watchForAnswer(progress: Progress, socket: Socket): void {
  if (progress.request?.reusedSocket !== true) return;
  progress.isUnanswered = true;
  socket.once('data', () => {
    progress.isUnanswered = false;
  });
}

/**
 * The cause of an error. In Node 24, a write to a socket that was just destroyed may fail first. The socket has the
 * error that destroyed it.
 */
function causeOf(error: Error, socket: Socket | undefined): Error {
  const isAfterwards = 'code' in error && error.code === 'ERR_SOCKET_CLOSED';
  return isAfterwards ? (socket?.errored ?? error) : error;
}

/** The most bytes of headers, informational responses and chunk framing. Each chunk may have 16 KiB of extensions. */
const MAX_WIRE_BYTES = 512 * 1_024;
/** The most informational responses. A server usually sends one or two, and each costs as much CPU as an answer. */
const MAX_INFORMATIONAL = 10;

/** Calls `onTooMany` for each informational response after the tenth. */
export function limitInformational(request: ClientRequest, onTooMany: () => void): void {
  let received = 0;
  request.on('information', () => {
    received += 1;
    if (received > MAX_INFORMATIONAL) onTooMany();
  });
}

function bytesOnTheWire({ socket, bytesBefore }: Progress): number {
  return socket === undefined ? 0 : socket.bytesRead - bytesBefore;
}

function tooMuch(message: string): SendFailure {
  return { errorCode: 'protocol_error', message };
}

/**
 * Copies chunks into one buffer. An endpoint may send single bytes, which would take hundreds of times their size if
 * they were kept separately.
 */
function receive(progress: Progress, chunk: Buffer): void {
  const { body, receivedBytes } = progress;
  progress.receivedBytes += chunk.length;
  if (receivedBytes === 0) {
    progress.body = chunk;
    return;
  }
  if (body.length < MAX_BODY_BYTES) {
    progress.body = Buffer.allocUnsafe(MAX_BODY_BYTES);
    body.copy(progress.body);
  }
  chunk.copy(progress.body, receivedBytes);
}

function readAnswer(response: IncomingMessage, { body, receivedBytes }: Progress): Answer {
  return {
    status: response.statusCode ?? 0,
    headers: readHeaders(response),
    body: body.subarray(0, Math.min(receivedBytes, MAX_BODY_BYTES)),
    truncated: receivedBytes > MAX_BODY_BYTES,
  };
}

/**
 * The headers by lower-case name, each value as sent. A header that was sent more than once is an array: Node would
 * join most of these values, or drop all but the first. Node reads bytes as Latin-1, but most servers send UTF-8.
 */
function readHeaders({ rawHeaders }: IncomingMessage): Answer['headers'] {
  const headers = new Map<string, string | string[]>();
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const value = asText(rawHeaders[index + 1] ?? '');
    const before = headers.get(name);
    if (Array.isArray(before)) before.push(value);
    else headers.set(name, before === undefined ? value : [before, value]);
  }
  return Object.fromEntries(headers);
}

function asText(latin1: string): string {
  // If there are as many bytes as characters, the text is ASCII.
  if (Buffer.byteLength(latin1) === latin1.length) return latin1;
  const bytes = Buffer.from(latin1, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : latin1;
}

function measure({ stream, socket, elapsedMs }: Progress): Measures {
  const phases = stream.timings?.phases;
  // Got repeats the phases of the first request on a reused connection.
  const connecting = stream.reusedSocket === true ? undefined : phases;
  const tunnelled = socket && tunnelledOf(socket);
  if (tunnelled !== undefined) {
    const { remoteAddress, ...steps } = tunnelled;
    const isNew = connecting !== undefined;
    const timings = { ...(isNew ? steps : NO_STEPS), ttfbMs: toMs(phases?.firstByte) };
    return { durationMs: elapsedMs(), timings, remoteAddress };
  }
  return {
    durationMs: elapsedMs(),
    timings: {
      dnsMs: toMs(connecting?.dns),
      connectMs: toMs(connecting?.tcp),
      tlsMs: toMs(connecting?.tls),
      ttfbMs: toMs(phases?.firstByte),
    },
    remoteAddress: socket?.remoteAddress ?? null,
  };
}

const NO_STEPS = { dnsMs: null, connectMs: null, tlsMs: null };

/** Got uses the wall clock, which may be set back. A phase that never ended is not a number. */
function toMs(phase: number | undefined): number | null {
  return phase === undefined || Number.isNaN(phase) ? null : Math.max(0, phase);
}

function failed(failure: SendFailure, progress: Progress): WebResult {
  const response = progress.response === undefined ? null : readAnswer(progress.response, progress);
  const measures = measure(progress);
  // A forbidden address would reveal the operator's network.
  const remoteAddress = failure.errorCode === 'blocked_address' ? null : measures.remoteAddress;
  return { kind: 'error', ...failure, response, ...measures, remoteAddress };
}

/** The result of a request that was not sent. */
function refuse(reason: 'invalid' | 'forbidden_address', durationMs: number): WebResult {
  const timings = { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: null };
  const failure: SendFailure =
    reason === 'forbidden_address'
      ? blockedAddress
      : { errorCode: 'internal', message: 'The URL of the endpoint cannot be requested' };
  return { kind: 'error', ...failure, response: null, durationMs, timings, remoteAddress: null };
}
