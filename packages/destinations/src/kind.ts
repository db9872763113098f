import type { AddressRules } from '@posthorn/egress/address-rules';
import type { Clock } from '@posthorn/runtime/clock';
import type { z } from 'zod';
import type { DoctorCheckName, ExaminationRecord } from './examination.ts';
import type { SendFailure } from './failure.ts';
import type { EgressProxy } from './tunnel.ts';

/**
 * What the API tells about a kind of endpoint, and the rules that it checks when one is saved. It must load no library
 * of the kind: every process loads all descriptions.
 */
export type Description = {
  /** The endpoint's `type`. */
  type: string;
  label: string;
  /** One or two sentences: what it is for. */
  description: string;
  /** Markdown: what to create at the provider, with the least rights. The portal shows it. */
  setup: string;
  /** One sentence each: what the status `delivered` means, which order holds, and how a receiver finds repetitions. */
  delivered: string;
  ordering: string;
  deduplication: string;
  /** The largest message; null if only the service's limit for events applies. */
  maxBytes: number | null;
  /** Whether the customer gives the endpoint's `url`. Without one, the service gives `https://<type>.invalid/<id>`. */
  hasUrl: boolean;
  /** The part of `config` that only this kind has. For a broker it is `destination`. */
  section: { key: string; schema: z.ZodObject } | null;
  /**
   * What is wrong with settings that the schema accepts. It is asked when an endpoint is saved: stored settings stay, and
   * their messages fail.
   */
  faultOf?(settings: unknown): SettingsFault | undefined;
  /** Values that are sealed and never shown: strings by name. The schema is strict, and sees all of them together. */
  credentials: z.ZodObject | null;
  /**
   * Which server, account or region the settings lead to. Stored credentials are not sent anywhere else, so an endpoint
   * that moves loses them. Without it, every change of the settings is a move.
   */
  placeOf?(settings: unknown): string;
  /** The settings that a promotion carries to an endpoint that exists: how messages look there, not where they go. */
  carried?: readonly string[];
  /** The most endpoints of the kind in an environment; null without a limit of its own. */
  mostInEnvironment: number | null;
  /** Why an endpoint of the kind cannot be examined; null when it can. */
  whyNotExamined: string | null;
  /** Whether attempts keep the beginning of the sent body, sealed. */
  keepsRequestBody: boolean;
  /** Whether an endpoint with this config can use the credentials that it would have; the first fault if it cannot. */
  checkCredentials?(
    config: Pick<Place, 'oauth2' | 'tls'> & { destination?: unknown },
    credentials: Readonly<Record<string, string>>,
    now: Date,
    stored?: Pick<Place, 'tls'>,
  ): { field: string; message: string } | undefined;
  /** The form of every message, where the kind decides it; null where the endpoint's config does. */
  payloadFormat: 'raw' | 'cloudevents' | 'mcp' | null;
  /**
   * Statuses of an answer that end the delivery and nothing else, and its `failureReason`. Without it, 410 also deactivates
   * the endpoint.
   */
  finalStatuses?: Readonly<Record<number, 'gone' | 'message_too_large'>>;
  /** The checks of the doctor, where they differ from the checks of a web server. */
  checks?: readonly DoctorCheckName[];
  /** The servers that the settings name, to be checked when an endpoint is saved. */
  servers?(settings: unknown): NamedServer[];
  /** In words for people, where the messages go, without credentials. */
  target(endpoint: { url: string; settings: unknown }): string;
};

/** The URL of a server, and the key of the settings that names it: `servers[0]`. */
export type NamedServer = { url: string; field: string };

/** `field` is a key of the settings. `message` says the rule. */
type SettingsFault = { field: string; message: string };

/**
 * A kind of endpoint: its description, and how the dispatcher loads the rest when the first endpoint of the kind is
 * used. `load` is null for a kind that is never sent to, because its customer fetches the messages: such an endpoint
 * needs no job and no slot.
 */
export type Kind = Description & { load: (() => Promise<{ open: OpenDestination }>) | null };

/** Stands in a setup text for the id of the application or the workspace: the owner of the endpoint to create. */
export const OWNER = '<owner>';

/** What a kind gets from the process. */
export type Tools = {
  /** Every address is checked by these rules: when its name is resolved, and on the connected socket. */
  rules: AddressRules;
  /** Whether kinds other than webhooks may connect without TLS: `EGRESS_ALLOW_PLAINTEXT`. */
  allowPlaintext?: boolean | undefined;
  clock: Clock;
  /** The proxy that requests over HTTP go through, if the operator has one. */
  proxy?: EgressProxy | undefined;
  /** Is told of each request for a token (OAuth 2). */
  onTokenRequest?: ((result: TokenRequestResult) => void) | undefined;
};

/** `failed`: the token endpoint, or the proxy, gave no token. `aborted`: the process ended meanwhile. */
export type TokenRequestResult = 'token' | 'failed' | 'aborted';

/** Opens the sender of a kind, once in a process. Connections are the kind's own affair. */
export type OpenDestination = (tools: Tools) => Destination;

export type Destination = Sender & {
  /** Adds the checks of the kind to `examination.record`, in the order of the contract. It ends by `leftMs`. */
  examine(examination: Examination): Promise<void>;
};

/** An examination under way (docs/interface.md, Doctor). */
export type Examination = {
  /** A signed test message with an id of its own, because some receivers drop repeated ids unchecked. */
  message(forged?: { signature?: 'wrong'; agoMs?: number }): SendRequest;
  /** Whether the signature covers the time. Otherwise a receiver cannot refuse an old request. */
  coversTime: boolean;
  /** The time limit of an attempt at the endpoint. */
  timeoutMs: number;
  /** The time until the examination must have ended. */
  leftMs(): number;
  /** The answer without the secrets of the endpoint's requests, and without `others`. */
  withoutSecrets?(answer: Answer, others: readonly string[]): Answer;
  record: ExaminationRecord;
};

export type Sender = {
  /** Makes one attempt. It rejects only for a fault of the service: failures of the other side are values. */
  send(request: SendRequest): Promise<SendResult>;
  /** Ends every open attempt as `aborted`, and every later one before it begins. */
  abortAll(): void;
  /** Closes all connections. */
  close(): void;
};

/** An endpoint, as its kind needs it. One object for each revision of the endpoint: a key for connections that are kept. */
export type Place = {
  kind: Kind;
  endpointId: string;
  /** The application, or else the workspace, to which the endpoint belongs: `app_…` or `ws_…`. */
  owner: string;
  /** The account that created the workspace: its workspaces have one share of what a process has. Default: `owner`. */
  accountId?: string | undefined;
  /** Another one after every change of the endpoint. A connection of another revision is not used again. */
  revision: string;
  url: string;
  /** `config[section.key]`, as the kind's schema accepted it; `{}` if it is absent. */
  settings: unknown;
  /** The opened credentials by name. */
  credentials: Readonly<Record<string, string>>;
  /** `config.oauth2`. */
  oauth2?: OAuth2 | undefined;
  /** `config.tls`. */
  tls?: EndpointTls | undefined;
};

/** How to get a token for an endpoint's requests. The secret or the private key is among the credentials. */
export type OAuth2 = {
  tokenUrl: string;
  clientId: string;
  scopes?: string[] | undefined;
  audience?: string | undefined;
  /** `basic` if it is absent. */
  authMethod?: 'basic' | 'post' | 'private_key_jwt' | undefined;
  extraParams?: Record<string, string> | undefined;
};

/** TLS of an endpoint's own, in PEM. The client's key is among the credentials. */
export type EndpointTls = {
  /** Replaces the well-known authorities. */
  ca?: string | undefined;
  clientCertificate?: string | undefined;
  /** Instead of the URL's host, for SNI and the check of the certificate. */
  serverName?: string | undefined;
};

/** What a message is, for a kind that has fields of its own for it. Ids are as in the database. */
export type Message = {
  deliveryId: string;
  eventId: string;
  eventType: string | null;
  orderingKey: string | null;
  attemptNumber: number;
  /** How often a person or an operation has asked to send it again. */
  manualRetries?: number;
  /** Whether a person asked for this message, to try the endpoint. */
  isTest?: boolean;
  /** The payload as ingested, before its format; the body if it is absent. */
  payload?: Buffer;
};

export type SendRequest = {
  place: Place;
  message: Message;
  url: string;
  /** The headers of a webhook, signed. A kind without HTTP sends the ones that its messages can carry. */
  headers: Record<string, string>;
  body: Buffer;
  /** The time for the whole attempt: connection, request and the whole answer. */
  timeoutMs: number;
};

/** The most bytes of an answer's body that are kept. */
export const MAX_BODY_BYTES = 16_384;

/** An answer over HTTP. `body` has at most the first 16 KiB. `truncated` means that there was more. */
export type Answer = {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
  truncated: boolean;
};

/** Whole milliseconds. A phase that did not take place, as on a reused connection, is null. */
export type Measures = {
  durationMs: number;
  timings: { dnsMs: number | null; connectMs: number | null; tlsMs: number | null; ttfbMs: number | null };
  remoteAddress: string | null;
  /** The kept connection ended before a byte of the answer, and the attempt went on over a new one. */
  reconnected?: boolean;
};

/** Credentials that the sender itself has added or sent. They must not show anywhere, even if the other side repeats them. */
export type SentCredentials = { authorization?: string; secrets: readonly string[] };

/**
 * How an attempt ended. A `response` is judged by its status. An `error` has the part of the answer that was received.
 * An `aborted` attempt was ended by `abortAll`, or was not begun, because too many connections to brokers are in use: it
 * does not count as an attempt.
 */
export type SendResult =
  | ({ kind: 'response'; sent?: SentCredentials } & Answer & Measures)
  | ({ kind: 'acknowledged'; status: number | null; acknowledgement: Acknowledgement } & Measures)
  | ({ kind: 'error'; response: Answer | null; status?: number | null; sent?: SentCredentials } & SendFailure &
      Measures)
  | { kind: 'aborted'; isCrowded?: true };

/** What the other side said about the stored message, such as `{messageId}`. `duplicate: true`: it had the message already. */
export type Acknowledgement = Readonly<Record<string, string | number | boolean>>;

/** The result of a sender that speaks HTTP. */
export type WebResult = Exclude<SendResult, { kind: 'acknowledged' }>;
