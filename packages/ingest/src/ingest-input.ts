import type { Limits } from './quota-limits.ts';

/** The sender of an event, and its environment: an API key, or a caller of the management interface. */
export type Sender = {
  environmentId: string;
  workspaceId: string;
  /** The account that created the workspace, or the workspace itself (see `Claimant`). */
  ownerId: string;
  /** Whether the environment refuses typed events that name no application. */
  requireApplication: boolean;
  limits: Limits;
};

/** Accepts one event. It resolves only after the event is committed. */
export type Ingest = (input: IngestInput) => Promise<IngestAnswer>;

/** One received event. */
export type IngestInput = {
  holder: Sender;
  /** The path of its request, as it was sent; undefined for an event that a body names. */
  sentPath?: string | undefined;
  target: { kind: 'event_type'; name: string } | { kind: 'endpoint'; id: string };
  idempotencyKey: string | undefined;
  /** `app_…`, `ext:…`, or `*` for all: see `ALL_APPLICATIONS`. */
  application: string | undefined;
  orderingKey: string | undefined;
  deliverAt: GivenTime | undefined;
  contentType: string | undefined;
  body: Buffer;
  /** The W3C `traceparent` of the request, as sent. */
  linkedTraceparent: string | undefined;
};

/** A delivery time as sent, with the name of its header or field for messages, and its place for `details`. */
export type GivenTime = { name: string; field: string; text: string };

export type IngestAnswer = {
  id: string;
  eventType: string | null;
  environmentId: string;
  idempotencyKey: string;
  published: boolean;
  duplicate: boolean;
  schemaErrors: string[] | null;
  createdAt: string;
  deliveryId?: string;
  endpointId?: string;
};

/** The path of the request that sends an event to this target by itself, written in one way. */
export function pathOfTarget(target: IngestInput['target']): string {
  const named = (target.kind === 'endpoint' ? target.id : target.name).replaceAll(/\p{Cs}/gu, '\ufffd');
  return `/api/ingest/${target.kind === 'endpoint' ? '' : 'event/'}${encodeURIComponent(named)}`;
}

/** The target that an item names in one of its two fields. */
export function targetOf({ endpointId, eventType = '' }: Named): IngestInput['target'] {
  return endpointId === undefined ? { kind: 'event_type', name: eventType } : { kind: 'endpoint', id: endpointId };
}

type Named = { endpointId?: string | undefined; eventType?: string | undefined };
