import { createLookup, type Lookup } from '@posthorn/egress/lookup';
import { createResolveName } from '@posthorn/egress/resolve-name';
import { type SendFailure, timedOut } from '../failure.ts';
import type { Acknowledgement, Destination, Place, SendRequest, SendResult, Tools } from '../kind.ts';
import { createOpenExchanges } from '../open-exchanges.ts';
import { shownAcknowledgement } from '../shown.ts';
import { type Advice, examine } from './examine.ts';
import { NO_PLAINTEXT } from './failures.ts';
import { type Connection, createKeptConnections, type Lease } from './kept-connections.ts';
import type { Outcome } from './outcome.ts';

/**
 * The parts that differ between the broker kinds. `connect`, `publish` and `inspect` reject with errors of the kind's
 * client.
 */
export type BrokerKind<C extends BrokerConnection, Settings, Message> = {
  /**
   * Connects only to addresses that `lookup` allows, and signs in. It ends within `timeoutMs`, and leaves nothing open.
   */
  connect(at: BrokerPlace<Settings>, options: { lookup: Lookup; timeoutMs: number }): Promise<C>;
  /** The message of an attempt, or the reason why the broker would never take it. */
  messageOf(settings: Settings, request: SendRequest): Message | SendFailure;
  /** Resolves when the broker has stored the message as safely as it can for any producer. */
  publish(connection: C, message: Message): Promise<Acknowledgement>;
  /** Asks the broker about the target, and says in a sentence what it found. */
  inspect(connection: C, settings: Settings, message: Message): Promise<string>;
  /** Describes an error as the failure of an attempt. The text contains none of the credentials. */
  explain(error: unknown, credentials: Place['credentials']): SendFailure;
  /** What the customer can do about each failure that the doctor finds. */
  advice: Advice;
  /** The client's certificate and key (PEM), for a server that asks for them. */
  certificateOf?(credentials: Place['credentials']): { cert: string; key: string } | undefined;
  /** TLS begins only after the server's greeting, so the doctor does not check it separately. */
  greetsWithoutTls?: boolean;
};

export type BrokerPlace<Settings> = { settings: Settings; credentials: Place['credentials'] };

export type BrokerConnection = Connection & {
  /** The address of the server that the connection goes to; null if there is none, or more than one. */
  remoteAddress(): string | null;
  /** Why there is no acknowledgement yet, if the broker has said why. */
  whyLate(): SendFailure | undefined;
};

/** What one use of a connection measured. `ttfbMs` is the time from the message to its acknowledgement. */
type Used = { remoteAddress: string | null; ttfbMs: number | null };

const LOOKUP_BUDGET_MS = 4_000;
const CONNECT_BUDGET_MS = 10_000;

/** Opens a broker kind. An attempt succeeds when the broker has acknowledged its message. */
export function openBroker<C extends BrokerConnection, Settings extends { tls: boolean }, Message extends object>(
  { rules, clock, allowPlaintext = false }: Tools,
  kind: BrokerKind<C, Settings, Message>,
): Destination {
  const resolve = createResolveName({ budgetMs: LOOKUP_BUDGET_MS });
  const lookup = createLookup({ rules, resolve, clock });
  const checked = new WeakMap<Place, Settings>();
  const settingsOf = (place: Place): Settings => {
    // Adds the defaults. A place is one object for each revision of an endpoint.
    const settings = checked.get(place) ?? (place.kind.section?.schema.parse(place.settings) as unknown as Settings);
    checked.set(place, settings);
    return settings;
  };
  const kept = createKeptConnections<C>((place) =>
    kind.connect(
      { settings: settingsOf(place), credentials: place.credentials },
      { lookup, timeoutMs: CONNECT_BUDGET_MS },
    ),
  );
  const exchanges = createOpenExchanges();

  /** Works with the endpoint's connection until `timeoutMs` is over. */
  const use = async <Result>(
    { place, timeoutMs }: SendRequest,
    work: (connection: C) => Promise<Result>,
  ): Promise<Outcome<Result>> => {
    if (exchanges.isAborted()) return { kind: 'aborted' };
    if (!settingsOf(place).tls && !allowPlaintext) return { kind: 'failed', failure: NO_PLAINTEXT };
    const lease = kept.take(place);
    if (lease === undefined) return { kind: 'aborted', isCrowded: true };
    return new Promise((resolve) => {
      const end = (outcome: Outcome<Result>) => {
        clearTimeout(deadline);
        forget();
        resolve(outcome);
        lease.giveBack();
      };
      const forget = exchanges.add(() => end({ kind: 'aborted' }));
      const deadline = setTimeout(() => {
        // The connection may be half open, so the next attempt uses another one.
        lease.retire();
        end({ kind: 'failed', failure: whyLate(lease, timeoutMs) });
      }, timeoutMs);
      // Later results have no effect, because a promise settles only once.
      lease.connection.then(work).then(
        (result) => end({ kind: 'done', result }),
        (error: unknown) => {
          const failure = kind.explain(error, place.credentials);
          const isRefused = lease.opened() === undefined && !settingsOf(place).tls;
          end({ kind: 'failed', failure: isRefused ? withoutTls(failure) : failure });
        },
      );
    });
  };

  const withMessage = async <Result>(
    request: SendRequest,
    work: (connection: C, message: Message) => Promise<Result>,
  ): Promise<Outcome<Result>> => {
    const message = kind.messageOf(settingsOf(request.place), request);
    if ('errorCode' in message) return { kind: 'failed', failure: message };
    return use(request, (connection) => work(connection, message));
  };

  const send = async (request: SendRequest): Promise<SendResult> => {
    const startedMs = clock.monotonicMs();
    const used: Used = { remoteAddress: null, ttfbMs: null };
    const outcome = await withMessage(request, async (connection, message) => {
      const publishedMs = clock.monotonicMs();
      used.remoteAddress = connection.remoteAddress();
      const acknowledgement = await kind.publish(connection, message);
      used.remoteAddress = connection.remoteAddress();
      used.ttfbMs = Math.round(clock.monotonicMs() - publishedMs);
      return acknowledgement;
    });
    const measures = {
      durationMs: Math.round(clock.monotonicMs() - startedMs),
      // All attempts of an endpoint share its connection, so the phases of connecting belong to none of them.
      timings: { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: used.ttfbMs },
      remoteAddress: used.remoteAddress,
    };
    switch (outcome.kind) {
      case 'done':
        return {
          kind: 'acknowledged',
          acknowledgement: shownAcknowledgement(outcome.result, request.place.credentials),
          ...{ status: null, ...measures },
        };
      case 'failed':
        return { kind: 'error', ...outcome.failure, response: null, ...measures };
      case 'aborted':
        return outcome;
    }
  };

  return {
    send,
    examine: (examination) =>
      examine(examination, {
        ...{ rules, resolve, clock, allowPlaintext, advice: kind.advice, send, settingsOf },
        greetsWithoutTls: kind.greetsWithoutTls ?? false,
        certificateOf: (credentials) => kind.certificateOf?.(credentials),
        inspect: (request) =>
          withMessage(request, (connection, message) => kind.inspect(connection, settingsOf(request.place), message)),
      }),
    abortAll: exchanges.abortAll,
    close: kept.closeAll,
  };
}

/** A server that requires TLS closes a plain connection without an error. */
function withoutTls(failure: SendFailure): SendFailure {
  if (failure.errorCode !== 'connection_reset') return failure;
  return { ...failure, message: `${failure.message}. Servers that require TLS do so: then set tls to true` };
}

function whyLate<C extends BrokerConnection>(lease: Lease<C>, timeoutMs: number): SendFailure {
  const connection = lease.opened();
  if (connection === undefined) return timedOut('No connection', timeoutMs);
  return connection.whyLate() ?? timedOut('No acknowledgement', timeoutMs);
}
