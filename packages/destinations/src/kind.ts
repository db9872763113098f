import type { AddressRules } from '@posthorn/egress/address-rules';
import type { Clock } from '@posthorn/runtime/clock';
import type { z } from 'zod';
import type { DoctorCheckName, ExaminationRecord } from './examination.ts';
import type { SendFailure } from './failure.ts';
import type { EgressProxy } from './tunnel.ts';

/**
 * What the API says about a kind of endpoint, and the rules that it checks when an endpoint is saved. It must not load
 * a library of the kind, because every process loads all descriptions.
 */
export type Description = {
  /** The `type` of an endpoint. */
  type: string;
  label: string;
  /** One or two sentences about its purpose. */
  description: string;
  /** Markdown: what to create at the provider, with the fewest rights. The portal shows it. */
  setup: string;
  /**
   * One sentence each: what the status `delivered` means, which order deliveries have, and how a receiver finds
   * repetitions.
   */
  delivered: string;
  ordering: string;
  deduplication: string;
  /** The largest message, in bytes; null if only the service's own limit for events applies. */
  maxBytes: number | null;
  /** Whether the customer gives the endpoint's `url`. If not, the service sets `https://<type>.invalid/<id>`. */
  hasUrl: boolean;
  /** The part of `config` that only this kind has. It is `destination` for a broker. */
  section: { key: string; schema: z.ZodObject } | null;
  /**
   * The fault of settings that the schema accepts. It is called only when an endpoint is saved: stored settings stay,
   * and their messages fail.
   */
  faultOf?(settings: unknown): SettingsFault | undefined;
  /**
   * The schema of values that are sealed and never shown, as an object of strings. It is strict, and checks all of them
   * together.
   */
  credentials: z.ZodObject | null;
  /**
   * The server, account or region that the settings lead to. Stored credentials are never sent to another place, so an
   * endpoint that moves loses them. If this is absent, every change of the settings counts as a move.
   */
  placeOf?(settings: unknown): string;
  /** The settings that a promotion carries to an existing endpoint: the form of its messages, not their target. */
  carried?: readonly string[];
  /** The most endpoints of the kind in an environment; null if the kind has no limit of its own. */
  mostInEnvironment: number | null;
  /** Why an endpoint of the kind cannot be examined; null if it can. */
  whyNotExamined: string | null;
  /** Whether attempts store the beginning of the sent body, sealed. */
  keepsRequestBody: boolean;
  /**
   * Checks whether an endpoint with this config could use the credentials that it would have. Returns the first fault.
   */
  checkCredentials?(
    config: Pick<Place, 'oauth2' | 'tls'> & { destination?: unknown },
    credentials: Readonly<Record<string, string>>,
    now: Date,
    stored?: Pick<Place, 'tls'>,
  ): { field: string; message: string } | undefined;
  /** The form of every message, if the kind decides it; null if the endpoint's config does. */
  payloadFormat: 'raw' | 'cloudevents' | 'mcp' | null;
  /**
   * Statuses that end only the delivery, with the `failureReason` for each. If this is absent, 410 also deactivates the
   * endpoint.
   */
  finalStatuses?: Readonly<Record<number, 'gone' | 'message_too_large'>>;
  /** The doctor's checks, if they differ from those of a web server. */
  checks?: readonly DoctorCheckName[];
  /** The servers that the settings name. They are checked when an endpoint is saved. */
  servers?(settings: unknown): NamedServer[];
  /** A description for people of where the messages go, without credentials. */
  target(endpoint: { url: string; settings: unknown }): string;
};

/** A server's URL, and the settings key that names it: `servers[0]`. */
export type NamedServer = { url: string; field: string };

/** `field` is a key of the settings. `message` states the rule. */
type SettingsFault = { field: string; message: string };

/**
 * A kind of endpoint: its description, and how to load the rest, which the dispatcher does for the first endpoint of
 * the kind. `load` is null for a kind that nothing is sent to because its customer fetches the messages. Such an
 * endpoint needs no job and no slot.
 */
export type Kind = Description & { load: (() => Promise<{ open: OpenDestination }>) | null };

/** A placeholder in setup texts for the id of the application or the workspace that will own the endpoint. */
export const OWNER = '<owner>';

/** The services that the process gives to a kind. */
export type Tools = {
  /** The rules for every address, checked when its name is resolved and again on the connected socket. */
  rules: AddressRules;
  /** Whether kinds other than webhooks may connect without TLS: `EGRESS_ALLOW_PLAINTEXT`. */
  allowPlaintext?: boolean | undefined;
  clock: Clock;
  /** The proxy for requests over HTTP, if the operator has one. */
  proxy?: EgressProxy | undefined;
  /** Called after each token request (OAuth 2). */
  onTokenRequest?: ((result: TokenRequestResult) => void) | undefined;
};

/** `failed`: the token endpoint or the proxy gave no token. `aborted`: the process ended before an answer. */
export type TokenRequestResult = 'token' | 'failed' | 'aborted';

/** Opens the sender of a kind, once in a process. Each kind manages its own connections. */
export type OpenDestination = (tools: Tools) => Destination;

export type Destination = Sender & {
  /** Adds the kind's checks to `examination.record`, in the order of the contract. It ends within `leftMs`. */
  examine(examination: Examination): Promise<void>;
};

/** A running examination (docs/interface.md, Doctor). */
export type Examination = {
  /** Makes a signed test message with an id of its own, because some receivers drop repeated ids unchecked. */
  message(forged?: { signature?: 'wrong'; agoMs?: number }): SendRequest;
  /** Whether the signature covers the time. If not, a receiver cannot refuse an old request. */
  coversTime: boolean;
  /** The endpoint's time limit for an attempt. */
  timeoutMs: number;
  /** The time that is left for the examination. */
  leftMs(): number;
  /** Removes the secrets of the endpoint's requests, and `others`, from an answer. */
  withoutSecrets?(answer: Answer, others: readonly string[]): Answer;
  record: ExaminationRecord;
};

export type Sender = {
  /** Makes one attempt. Rejects only for a fault of the service: a failure of the other side is a result. */
  send(request: SendRequest): Promise<SendResult>;
  /** Ends every open attempt as `aborted`. Later ones end so before they begin. */
  abortAll(): void;
  /** Closes all connections. */
  close(): void;
};

/**
 * An endpoint, as its kind needs it. There is one object for each revision of an endpoint, so it can be the key of a
 * kept connection.
 */
export type Place = {
  kind: Kind;
  endpointId: string;
  /** The application, or else the workspace, that owns the endpoint: `app_…` or `ws_…`. */
  owner: string;
  /**
   * The account that created the workspace. All its workspaces have one share of a process's connections. Default:
   * `owner`.
   */
  accountId?: string | undefined;
  /** Changes with every change of the endpoint. A connection of another revision is not used again. */
  revision: string;
  url: string;
  /** `config[section.key]` as the kind's schema accepted it; `{}` if absent. */
  settings: unknown;
  /** The decrypted credentials, by name. */
  credentials: Readonly<Record<string, string>>;
  /** `config.oauth2`. */
  oauth2?: OAuth2 | undefined;
  /** `config.tls`. */
  tls?: EndpointTls | undefined;
};

/** How to get a token for an endpoint's requests. The secret or the private key is in the credentials. */
export type OAuth2 = {
  tokenUrl: string;
  clientId: string;
  scopes?: string[] | undefined;
  audience?: string | undefined;
  /** `basic` if absent. */
  authMethod?: 'basic' | 'post' | 'private_key_jwt' | undefined;
  extraParams?: Record<string, string> | undefined;
};

/** An endpoint's own TLS settings, in PEM. The client's key is in the credentials. */
export type EndpointTls = {
  /** The authorities to trust instead of the well-known ones. */
  ca?: string | undefined;
  clientCertificate?: string | undefined;
  /** The name for SNI and the check of the certificate, instead of the URL's host. */
  serverName?: string | undefined;
};

/** The ids and origin of a message, for kinds with their own fields for them. Ids have the form of the database. */
export type Message = {
  deliveryId: string;
  eventId: string;
  eventType: string | null;
  orderingKey: string | null;
  attemptNumber: number;
  /** How often a person or an operation has asked for another send. */
  manualRetries?: number;
  /** Whether a person asked for this message as a test of the endpoint. */
  isTest?: boolean;
  /** The payload as ingested, before it is formatted. If it is absent, `body` is the payload. */
  payload?: Buffer;
};

export type SendRequest = {
  place: Place;
  message: Message;
  url: string;
  /** The headers of a webhook, signed. A kind without HTTP sends those that its messages can carry. */
  headers: Record<string, string>;
  body: Buffer;
  /** The time limit of the whole attempt: connection, request and complete answer. */
  timeoutMs: number;
};

/** The most bytes that are kept of an answer's body. */
export const MAX_BODY_BYTES = 16_384;

/** An HTTP answer. `body` has at most the first 16 KiB. `truncated`: there was more. */
export type Answer = {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
  truncated: boolean;
};

/** Whole milliseconds. A phase that did not happen, as on a reused connection, is null. */
export type Measures = {
  durationMs: number;
  timings: { dnsMs: number | null; connectMs: number | null; tlsMs: number | null; ttfbMs: number | null };
  remoteAddress: string | null;
  /**
   * Set if the kept connection ended before the first byte of the answer, so that the attempt continued over a new one.
   */
  reconnected?: boolean;
};

/** Credentials that the sender itself added or sent. They must never show, even if the other side repeats them. */
export type SentCredentials = { authorization?: string; secrets: readonly string[] };

/**
 * How an attempt ended. A `response` is judged by its status. An `error` has the part of the answer that arrived. An
 * `aborted` attempt does not count: `abortAll` ended it, or it never began because too many connections to brokers are
 * in use.
 */
export type SendResult =
  | ({ kind: 'response'; sent?: SentCredentials } & Answer & Measures)
  | ({ kind: 'acknowledged'; status: number | null; acknowledgement: Acknowledgement } & Measures)
  | ({ kind: 'error'; response: Answer | null; status?: number | null; sent?: SentCredentials } & SendFailure &
      Measures)
  | { kind: 'aborted'; isCrowded?: true };

/**
 * What the other side said about the stored message, such as `{messageId}`. `duplicate: true`: it already had the
 * message.
 */
export type Acknowledgement = Readonly<Record<string, string | number | boolean>>;

/** The result of a sender that speaks HTTP. */
export type WebResult = Exclude<SendResult, { kind: 'acknowledged' }>;
