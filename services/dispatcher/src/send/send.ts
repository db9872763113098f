import type { ClientRequest, IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { AddressRules } from '@posthorn/egress/address-rules';
import { type EndpointUrl, parseEndpointUrl } from '@posthorn/egress/endpoint-url';
import type { Lookup } from '@posthorn/egress/lookup';
import type { Clock } from '@posthorn/runtime/clock';
import got, { type HandlerFunction, type Request } from 'got';
import { EgressAgent } from './egress-agent.ts';
import { createOpenExchanges, type OpenExchanges } from './open-exchanges.ts';
import { blockedAddress, describeSendError, MAX_HEADER_BYTES, type SendFailure } from './send-error.ts';

export type SendRequest = {
  url: string;
  headers: Record<string, string>;
  body: Buffer;
  /** For all of it: DNS, connection, TLS, the request and the whole answer. */
  timeoutMs: number;
  /** For DNS, connection and TLS, where a new connection is made. */
  connectTimeoutMs: number;
};

/** `body` holds the first 16 KiB at most, as they came, never inflated; `truncated` says that there was more. */
export type Answer = {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
  truncated: boolean;
};

/** Whole milliseconds. A phase that did not take place, as on a reused connection, is null. */
type Measures = {
  durationMs: number;
  timings: { dnsMs: number | null; connectMs: number | null; tlsMs: number | null; ttfbMs: number | null };
  remoteAddress: string | null;
};

/** An `error` carries the answer as far as it had come; an `aborted` request was ended by `abortAll`. */
export type SendResult =
  | ({ kind: 'response' } & Answer & Measures)
  | ({ kind: 'error'; response: Answer | null } & SendFailure & Measures)
  | { kind: 'aborted' };

export type Sender = {
  /** Never rejects: what an endpoint or the network does is a value. */
  send(request: SendRequest): Promise<SendResult>;
  /** Ends every open request as `aborted`, and every later one before it begins. */
  abortAll(): void;
  /** Closes all connections. */
  close(): void;
};

type SenderOptions = {
  rules: AddressRules;
  lookup: Lookup;
  clock: Clock;
  /** An authority (PEM) to trust beside the well-known ones. */
  ca?: string | undefined;
};

/**
 * Makes POSTs to endpoints, each exactly once: nothing is repeated, no redirect is followed, no proxy is used. A
 * connection is made to addresses that the rules allow only, and kept for the next request to the same host.
 */
export function createSender({ rules, lookup, clock, ca }: SenderOptions): Sender {
  const agent = new EgressAgent({ rules, lookup, ca });
  const client = got.extend({
    method: 'POST',
    decompress: false,
    followRedirect: false,
    throwHttpErrors: false,
    retry: { limit: 0 },
    handlers: [withLeanOptions],
    // Got would hand over some forty options, most of them unset, which Node copies again and again.
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

  const readUrl = createUrlReader(rules);
  const open = createOpenExchanges();
  return {
    send: async (request) => {
      if (open.isAborted()) return { kind: 'aborted' };
      const startedMs = clock.monotonicMs();
      const elapsedMs = () => Math.round(clock.monotonicMs() - startedMs);
      const target = readUrl(request.url);
      if (target.kind === 'refused') return refuse(target.reason, elapsedMs());
      const stream = client.stream(target.url, { headers: request.headers, body: request.body });
      return exchange(stream, { ...request, open, elapsedMs });
    },
    abortAll: open.abortAll,
    close: () => agent.destroy(),
  };
}

/**
 * What got makes for Node is not used here, but for the headers. Making it took 46 µs a request, and 10 KB that V8 kept
 * until its next full collection: a third of all that lasted so long.
 */
const withLeanOptions: HandlerFunction = (options, next) =>
  next(Object.assign(options, { createNativeRequestOptions: () => ({ headers: options.headers }) }));

/** Endpoints are few and get many requests: each URL is judged once. */
function createUrlReader(rules: AddressRules): (url: string) => EndpointUrl {
  const known = new Map<string, EndpointUrl>();
  return (url) => {
    const present = known.get(url);
    if (present !== undefined) return present;
    if (known.size >= 1_000) known.clear();
    const target = parseEndpointUrl(url, rules);
    known.set(url, target);
    return target;
  };
}

/** What has come of an exchange so far. */
type Progress = {
  stream: Request;
  elapsedMs: () => number;
  request?: ClientRequest;
  socket?: Socket;
  /** What had been read from the connection before this exchange. */
  bytesBefore: number;
  response?: IncomingMessage;
  /** Begins with the bytes kept; it is longer than those where an answer came in pieces. */
  body: Buffer;
  receivedBytes: number;
};

type Exchange = Pick<SendRequest, 'timeoutMs' | 'connectTimeoutMs'> & { open: OpenExchanges; elapsedMs: () => number };

/** Runs a request to its end: the whole answer, as much of it as is kept, an error, a deadline or an abort. */
function exchange(stream: Request, options: Exchange): Promise<SendResult> {
  const { timeoutMs, connectTimeoutMs, open, elapsedMs } = options;
  return new Promise((resolve) => {
    const progress: Progress = { stream, elapsedMs, body: Buffer.alloc(0), receivedBytes: 0, bytesBefore: 0 };
    let isOver = false;
    const end = (result: SendResult, connection: 'kept' | 'destroyed') => {
      if (isOver) return;
      isOver = true;
      clearTimeout(deadline);
      clearTimeout(connectDeadline);
      forget();
      if (connection === 'destroyed') stream.destroy();
      resolve(result);
    };
    const fail = (failure: SendFailure) => end(failed(failure, progress), 'destroyed');
    const answer = (response: IncomingMessage, connection: 'kept' | 'destroyed') =>
      end({ kind: 'response', ...readAnswer(response, progress), ...measure(progress) }, connection);

    const deadline = setTimeout(() => fail(timedOut('No complete answer', timeoutMs)), timeoutMs);
    let connectDeadline: NodeJS.Timeout | undefined;
    const limitConnecting = (socket: Socket) => {
      progress.socket = socket;
      progress.bytesBefore = socket.bytesRead;
      if (!socket.connecting) return;
      connectDeadline = setTimeout(() => fail(timedOut('No connection', connectTimeoutMs)), connectTimeoutMs);
      socket.once('secureConnect', () => clearTimeout(connectDeadline));
    };
    const forget = open.add(() => end({ kind: 'aborted' }, 'destroyed'));

    stream.once('request', (request) => {
      progress.request = request;
      limitInformational(request, () => fail(tooMuch('The answer begins with too many informational responses')));
      request.once('socket', limitConnecting);
      // Got hears an error once; Node may have another, and one that nobody hears would end the process.
      request.on('error', () => undefined);
      // Got listens, too, and so Node believes the connection to be in good hands.
      request.once('upgrade', () =>
        fail({ errorCode: 'protocol_error', message: 'The answer switches to another protocol' }),
      );
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
      // An answer may come before the request is written; what is left of the request would go on for ever.
      const isWritten = progress.request?.writableFinished === true;
      if (progress.response) answer(progress.response, isWritten ? 'kept' : 'destroyed');
    });
    stream.on('error', (error) => {
      // What follows a whole answer on its connection does not undo it.
      if (progress.response?.complete === true) answer(progress.response, 'destroyed');
      else fail(describeSendError(causeOf(error, progress.socket)));
    });
  });
}

/** A write to a socket that was just destroyed may fail first (Node 24): the socket knows why it was destroyed. */
function causeOf(error: Error, socket: Socket | undefined): Error {
  const isAfterwards = 'code' in error && error.code === 'ERR_SOCKET_CLOSED';
  return isAfterwards ? (socket?.errored ?? error) : error;
}

/** Of an answer's body, this much is kept. */
const MAX_BODY_BYTES = 16_384;
/** Headers, informational responses and the framing of chunks included. Each chunk may carry 16 KiB of extensions. */
const MAX_WIRE_BYTES = 512 * 1_024;
/** A server sends one or two; each takes the event loop as long as an answer. */
const MAX_INFORMATIONAL = 10;

function limitInformational(request: ClientRequest, onTooMany: () => void): void {
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

/** An endpoint may send each byte alone. Such pieces, kept as they come, would take hundreds of times their size. */
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
  const headers: Answer['headers'] = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers[name] = value;
  }
  return {
    status: response.statusCode ?? 0,
    headers,
    body: body.subarray(0, Math.min(receivedBytes, MAX_BODY_BYTES)),
    truncated: receivedBytes > MAX_BODY_BYTES,
  };
}

function measure({ stream, socket, elapsedMs }: Progress): Measures {
  const phases = stream.timings?.phases;
  // Got reports a reused connection's phases again.
  const connecting = stream.reusedSocket === true ? undefined : phases;
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

/** Got measures by the wall clock, which may be set back, and has no number where a phase never ended. */
function toMs(phase: number | undefined): number | null {
  return phase === undefined || Number.isNaN(phase) ? null : Math.max(0, phase);
}

function failed(failure: SendFailure, progress: Progress): SendResult {
  const response = progress.response === undefined ? null : readAnswer(progress.response, progress);
  const measures = measure(progress);
  // A forbidden address describes the operator's network.
  const remoteAddress = failure.errorCode === 'blocked_address' ? null : measures.remoteAddress;
  return { kind: 'error', ...failure, response, ...measures, remoteAddress };
}

/** Nothing was tried. */
function refuse(reason: 'invalid' | 'forbidden_address', durationMs: number): SendResult {
  const timings = { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: null };
  const failure: SendFailure =
    reason === 'forbidden_address'
      ? blockedAddress
      : { errorCode: 'internal', message: 'The URL of the endpoint cannot be requested' };
  return { kind: 'error', ...failure, response: null, durationMs, timings, remoteAddress: null };
}

function timedOut(what: string, afterMs: number): SendFailure {
  return { errorCode: 'timeout', message: `${what} within ${afterMs / 1_000} s` };
}
