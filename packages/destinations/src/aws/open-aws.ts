import { createLookup } from '@posthorn/egress/lookup';
import { createResolveName } from '@posthorn/egress/resolve-name';
import { LRUCache } from 'lru-cache';
import { type SendFailure, timedOut } from '../failure.ts';
import type { Acknowledgement, Destination, Measures, Place, SendRequest, SendResult, Tools } from '../kind.ts';
import { createOpenExchanges } from '../open-exchanges.ts';
import { shownAcknowledgement } from '../shown.ts';
import { createTunnels } from '../tunnel.ts';
import { CONNECT_TIMEOUT_MS } from '../webhook/send.ts';
import { describeSendError } from '../webhook/send-error.ts';
import { createAgents } from './agents.ts';
import { describeAwsError } from './describe-aws-error.ts';
import { examine } from './examine.ts';
import { createIdentities, type Identities } from './identity.ts';
import { createTransport, type Trace, type Transport } from './transport.ts';

/** The options of every AWS SDK client. */
export type ClientConfig = {
  region: string;
  endpoint?: string;
  credentials: ReturnType<Identities['of']>;
  /** The endpoint's retry schedule decides about repetitions, not the SDK. */
  maxAttempts: 1;
  requestHandler: Transport['requestHandler'];
  customUserAgent: string;
};

/**
 * The result of a publish. A `failure` here is one that the service did not report as an error, such as a wrong
 * checksum.
 */
export type Published =
  | { kind: 'acknowledged'; acknowledgement: Acknowledgement }
  | { kind: 'failed'; failure: SendFailure };

/** The parts that differ between the AWS kinds. `publish` and `inspect` reject with errors of the SDK. */
export type AwsKind<Client, Settings> = {
  /** The region, and the server if it is not the region's own. */
  where(settings: Settings): { region: string; endpoint?: string | undefined };
  createClient(config: ClientConfig): Client;
  publish(client: Client, settings: Settings, request: SendRequest, options: Options): Promise<Published>;
  /** Asks the service about the target, and says in a sentence what it found. */
  inspect(client: Client, settings: Settings, options: Options): Promise<string>;
};

type Options = {
  abortSignal: AbortSignal;
  /** The secrets that must not show in any text. */
  secrets(): Place['credentials'];
};

type Kept<Client, Settings> = { place: Place; client: Client; settings: Settings; isTunnelled: boolean };
type Closable = { destroy(): void };

/** The most clients that a process keeps. Without its connections, a client takes a few KiB. */
const MOST_CLIENTS = 200;
/** A client is dropped this long after its last use. */
const IDLE_MS = 60_000;
const LOOKUP_BUDGET_MS = 4_000;

/** Opens an AWS kind: a client for each revision of an endpoint, and connections that all clients share. */
export function openAws<Client extends Closable, Settings>(tools: Tools, kind: AwsKind<Client, Settings>): Destination {
  const { rules, clock, allowPlaintext = false, proxy } = tools;
  const lookup = createLookup({ rules, resolve: createResolveName({ budgetMs: LOOKUP_BUDGET_MS }), clock });
  const { monotonicMs } = clock;
  const tunnels = proxy && createTunnels(proxy, clock);
  const through = tunnels && { tunnels, timeoutMs: CONNECT_TIMEOUT_MS, monotonicMs };
  const transport = createTransport({ agents: createAgents({ rules, lookup, allowPlaintext, through }), monotonicMs });
  const identities = createIdentities();
  const clients = new LRUCache<string, Kept<Client, Settings>>({
    max: MOST_CLIENTS,
    ttl: IDLE_MS,
    updateAgeOnGet: true,
    dispose: ({ client }) => client.destroy(),
  });
  const openAt = (place: Place): Kept<Client, Settings> => {
    const kept = clients.get(place.revision);
    if (kept !== undefined) return kept;
    // Adds the defaults.
    const settings = place.kind.section?.schema.parse(place.settings) as Settings;
    const { region, endpoint } = kind.where(settings);
    const client = kind.createClient({
      region,
      ...(endpoint === undefined ? {} : { endpoint }),
      credentials: identities.of(place, region),
      maxAttempts: 1,
      requestHandler: transport.requestHandler,
      customUserAgent: 'posthorn',
    });
    const isTunnelled = proxy !== undefined && endpoint?.startsWith('http:') !== true;
    const made = { place, client, settings, isTunnelled };
    clients.set(place.revision, made);
    return made;
  };
  // The client of a revision takes its role with the credentials of the place that it was made for.
  const secretsOf = (place: Place) => identities.secretsOf(clients.peek(place.revision)?.place ?? place);
  const open = createOpenExchanges();
  /** Why an attempt has no answer when its time is over. If a proxy has not answered, the proxy is at fault. */
  const whyLate = ({ place, timeoutMs }: SendRequest, { status }: Trace, startedMs: number): SendFailure => {
    const late = timedOut('No complete answer', timeoutMs);
    const isTunnelled = clients.peek(place.revision)?.isTunnelled === true;
    if (tunnels === undefined || !isTunnelled || status !== null || !tunnels.isOpening()) return late;
    const blamed = describeSendError(tunnels.blameForSilence(startedMs));
    return blamed.errorCode === 'proxy_error' ? blamed : late;
  };

  const send = (request: SendRequest): Promise<SendResult> => {
    if (open.isAborted()) return Promise.resolve({ kind: 'aborted' });
    const startedMs = clock.monotonicMs();
    const stop = new AbortController();
    const trace = transport.trace(stop.signal);
    const measures = () => measure(trace, Math.round(clock.monotonicMs() - startedMs));
    const fail = (failure: SendFailure): SendResult => ({
      kind: 'error',
      ...failure,
      response: null,
      status: trace.status,
      ...measures(),
    });
    return new Promise((resolve) => {
      const end = (result: SendResult) => {
        clearTimeout(deadline);
        forget();
        resolve(result);
        stop.abort();
      };
      const forget = open.add(() => end({ kind: 'aborted' }));
      const deadline = setTimeout(() => end(fail(whyLate(request, trace, startedMs))), request.timeoutMs);
      // Errors after the end have no effect, because a promise settles only once.
      const { place } = request;
      const secrets = () => secretsOf(place);
      publish(() => {
        const { client, settings } = openAt(place);
        return kind.publish(client, settings, request, { abortSignal: stop.signal, secrets });
      }).then(
        (published) =>
          end(
            published.kind === 'failed'
              ? fail(published.failure)
              : {
                  kind: 'acknowledged',
                  acknowledgement: shownAcknowledgement(published.acknowledgement, secrets()),
                  ...{ status: trace.status, ...measures() },
                },
          ),
        (error: unknown) => end(fail(describeAwsError(error, secrets()))),
      );
    });
  };
  const inspect = async ({ place, timeoutMs }: SendRequest) => {
    const abortSignal = AbortSignal.timeout(timeoutMs);
    const { client, settings } = openAt(place);
    return kind.inspect(client, settings, { abortSignal, secrets: () => secretsOf(place) });
  };
  return {
    send,
    examine: (examination) => examine(examination, { send, inspect, secretsOf }),
    abortAll: open.abortAll,
    close() {
      clients.clear();
      identities.close();
      tunnels?.close();
      transport.close();
    },
  };
}

/** Turns an error that a client throws at once into a rejection. */
async function publish(work: () => Promise<Published>): Promise<Published> {
  return work();
}

function measure({ remoteAddress, ttfbMs }: Trace, durationMs: number): Measures {
  return { durationMs, timings: { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs }, remoteAddress };
}
