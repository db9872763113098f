import { ApiError, invalid } from '@posthorn/contract/api-error';
import { newUuid, toId, uuidTime } from '@posthorn/contract/ids';
import { ALL_APPLICATIONS, isJsonType } from '@posthorn/contract/ingest';
import { LIMITS } from '@posthorn/contract/limits';
import { isOperational, OPERATIONAL_PREFIX } from '@posthorn/contract/operational-events';
import { sealContext } from '@posthorn/crypto/contexts';
import { type SealingKeys, seal } from '@posthorn/crypto/seal';
import type { SchemaFault } from '@posthorn/json-schema/node';
import { deliveryIdFor } from '@posthorn/ledger/delivery-id';
import type { DeliverRequest } from '@posthorn/queue/jobs';
import type { Clock } from '@posthorn/runtime/clock';
import type { Gate } from '@posthorn/runtime/gate';
import { ALL_LEFT_OUT, type OpenSearchKey, tokensOfPayload } from '@posthorn/search/tokens';
import type { Gatherer } from '@posthorn/stats/gather';
import type { Destinations, EventTypeThere } from './destinations.ts';
import { type FirstAnswer, hashRequest, type KeyInEnvironment, refuseConflict } from './idempotency.ts';
import {
  type GivenTime,
  type Ingest,
  type IngestAnswer,
  type IngestInput,
  pathOfTarget,
  type Sender,
} from './ingest-input.ts';
import type { Door, MatchedAtDoor } from './match-at-door.ts';
import type { IngestMetrics } from './metrics.ts';
import type { JsonPayload, PayloadCheck, UnreadPayload } from './payload-check.ts';
import type { Quotas } from './start-quotas.ts';
import type { NewEvent, Stored } from './store-events.ts';
import { readFaults, storeFaults } from './stored-faults.ts';

export type IngestDeps = {
  /** The gate for events that were received and not yet answered. */
  underWay: Gate;
  destinations: Destinations;
  /** Finds the endpoints of an event if that is quick. */
  matchAtDoor: Door['match'];
  checkPayload: PayloadCheck;
  findFirstAnswer: (wanted: KeyInEnvironment) => Promise<FirstAnswer | undefined>;
  /** Stores the event together with others. Resolves once it is committed. */
  store: (event: NewEvent) => Promise<Stored>;
  /** Enqueues the delivery of a direct event with an order or a time. It never throws, and no request waits for it. */
  enqueueDelivery: (delivery: DeliverRequest) => void;
  /** Tells consumers of these endpoints that there may be something to fetch. It never throws. */
  wakeConsumers: (endpointIds: Iterable<string>) => void;
  sealingKeys: SealingKeys;
  openSearchKey: OpenSearchKey;
  clock: Pick<Clock, 'now'>;
  /** Takes room in the workspace's quotas; throws `rate_limited`. */
  takeRoom: Quotas['take'];
  metrics: IngestMetrics;
  stats: Pick<Gatherer, 'countIngested'>;
};

/**
 * Ingests one event (docs/interface.md, Ingestion). It resolves only after the event is committed. The idempotency key
 * is looked up before any other check, so a repeat gets its first answer even if something has changed since, or a
 * quota is used up.
 */
export function createIngest(deps: IngestDeps): Ingest {
  return (input) => deps.underWay.run(input.holder, () => ingestOne(deps, input));
}

async function ingestOne(deps: IngestDeps, input: IngestInput): Promise<IngestAnswer> {
  const { environmentId } = input.holder;
  refuseAllAtOneEndpoint(input);
  const idempotency = input.idempotencyKey === undefined ? null : identify(input, input.idempotencyKey);
  if (idempotency !== null) {
    const first = await deps.findFirstAnswer({ environmentId, key: idempotency.key });
    if (first !== undefined) return replay(deps, input, first);
  }
  const { event, stored } = await storeWithinQuotas(deps, input, idempotency);
  if (stored.kind === 'duplicate') return replay(deps, input, stored.first);
  if (stored.kind === 'left_out') throw new ApiError('unavailable', BUSY_ORDER, { 'Retry-After': '1' });
  deps.metrics.eventsIngested.inc({ result: event.published ? 'accepted' : 'unpublished' });
  deps.stats.countIngested(event);
  if (event.direct !== null && stored.kind === 'stored' && stored.made.length === 0) {
    if (stored.isDue) enqueueDirect(deps, event, event.direct);
    else deps.wakeConsumers([event.direct.endpointId]);
  }
  return answer(deps, input, {
    eventId: event.id,
    eventType: event.eventType,
    endpointId: event.direct?.endpointId ?? null,
    published: event.published,
    schemaErrors: event.schemaErrors,
    duplicate: false,
  });
}

/** Stores the event if its workspace's quotas have room. An event that is not stored takes no room. */
async function storeWithinQuotas(
  deps: IngestDeps,
  input: IngestInput,
  idempotency: Idempotency | null,
): Promise<{ event: NewEvent; stored: Stored }> {
  const { workspaceId, limits } = input.holder;
  const room = await deps.takeRoom({ workspaceId, limits, bytes: input.body.length });
  try {
    const event = await prepareEvent(deps, input, idempotency);
    const stored = await deps.store(event);
    if (stored.kind === 'stored') room.count(uuidTime(event.id));
    return { event, stored };
  } finally {
    room.release();
  }
}

const BUSY_ORDER = 'Many scheduled events of this ordering key take their places now; try again';

function enqueueDirect(
  { clock, enqueueDelivery }: IngestDeps,
  { id: eventId, workspaceId, deliverAt }: NewEvent,
  direct: NonNullable<NewEvent['direct']>,
): void {
  const delayMs = Math.max(0, (deliverAt?.getTime() ?? 0) - clock.now().getTime());
  enqueueDelivery({ ...direct, workspaceId, eventId, generation: 0, delayMs });
}

export type Idempotency = { key: string; requestHash: Buffer };

/** The key with a hash of the path as sent, which is what a process of an earlier version compares. */
export function identify(input: IngestInput, key: string): Idempotency {
  return { key, requestHash: hashWith(input.sentPath ?? pathOfTarget(input.target), input) };
}

function hashWith(path: string, { application, contentType, orderingKey, deliverAt, body }: IngestInput): Buffer {
  const applicationId = namedApplication(application);
  return hashRequest({ path, applicationId, contentType, orderingKey, deliverAt: deliverAt?.text, body });
}

/** The ways to write the path of a request: clients escape the colon of `ext:`, or do not. */
function writtenPaths({ target, sentPath }: IngestInput): string[] {
  const path = pathOfTarget(target);
  return [...new Set([sentPath ?? path, path, path.replace('%3A', ':')])];
}

/** The named application; undefined for all applications. */
function namedApplication(application: string | undefined): string | undefined {
  return application === ALL_APPLICATIONS ? undefined : application;
}

/** An event for one endpoint goes to no other, so `*` must be a mistake there. */
function refuseAllAtOneEndpoint({ target, application, sentPath }: IngestInput): void {
  if (target.kind === 'event_type' || application !== ALL_APPLICATIONS) return;
  const { name, field } = placeOfApplication(sentPath);
  throw invalid(`${name} must not be * for an event that names its endpoint: it goes to that endpoint alone`, field);
}

/** Refuses a typed event without an application, if the environment requires one. */
function refuseWithoutApplication({ holder, target, application, sentPath }: IngestInput): void {
  if (!holder.requireApplication || application !== undefined || target.kind === 'endpoint') return;
  const { name, field } = placeOfApplication(sentPath);
  throw invalid(
    `${name} is required in this environment: the id of an application, ext: and its externalId, or * for all applications`,
    field,
  );
}

/** The place where the application is named: a header for a single request, and a field for an item of a body. */
function placeOfApplication(sentPath: string | undefined) {
  return sentPath === undefined
    ? { name: 'applicationId', field: 'applicationId' }
    : { name: 'X-Application-Id', field: 'header.X-Application-Id' };
}

/** The dependencies for turning a received event into one that can be stored. */
export type PrepareDeps = Pick<
  IngestDeps,
  'destinations' | 'matchAtDoor' | 'checkPayload' | 'openSearchKey' | 'sealingKeys' | 'clock' | 'metrics'
>;

/** Checks a received event and makes its row. Throws an `ApiError` if the event is refused. */
export async function prepareEvent(
  deps: PrepareDeps,
  input: IngestInput,
  idempotency: Idempotency | null,
): Promise<NewEvent> {
  const { holder, target, sentPath, contentType, orderingKey, deliverAt: givenTime, body } = input;
  const { destinations, sealingKeys, clock } = deps;
  refuseWithoutApplication(input);
  const application = namedApplication(input.application);
  if (target.kind === 'event_type' && isOperational(target.name)) {
    throw invalid(
      `eventType must not begin with ${OPERATIONAL_PREFIX}: Posthorn itself raises operational events`,
      sentPath === undefined ? 'eventType' : 'path.eventType',
    );
  }
  if (contentType !== undefined && contentType.length > LIMITS.contentTypeCharacters) {
    throw invalid(`Content-Type must be at most ${LIMITS.contentTypeCharacters} characters`, 'header.Content-Type');
  }
  const now = clock.now();
  const id = newUuid(now);
  const deliverAt = givenTime === undefined ? null : timeOf(givenTime, now);
  const applicationId = application === undefined ? null : await destinations.requireApplication(holder, application);
  const endpointId =
    target.kind === 'endpoint' ? await destinations.requireEndpoint(holder, target.id, applicationId) : null;
  const { published, check, search } =
    target.kind === 'endpoint' ? DIRECT : await destinations.requireEventType(holder, target.name);
  const payload = readOnce(body, contentType);
  const faults = await checkPayload(
    deps,
    check && { ...check, ownerId: holder.ownerId, workspaceId: holder.workspaceId },
    payload,
  );
  const isPlain = published && orderingKey === undefined && givenTime === undefined;
  const matched =
    target.kind === 'event_type' && isPlain
      ? await match(deps, holder, { eventType: target.name, applicationId, payload })
      : null;
  return {
    id,
    workspaceId: holder.workspaceId,
    environmentId: holder.environmentId,
    applicationId,
    matched,
    ...foundBy(deps, search, { environmentId: holder.environmentId, payload, body, contentType }),
    eventType: target.kind === 'event_type' ? target.name : null,
    direct: endpointId === null ? null : { endpointId, deliveryId: deliveryIdFor(id, endpointId) },
    idempotency,
    contentType: contentType ?? null,
    payload: body.length === 0 ? null : seal(sealingKeys, body, sealContext.payload(id)),
    payloadSize: body.length,
    published,
    schemaErrors: storeFaults(sealingKeys, id, faults),
    orderingKey: orderingKey ?? null,
    deliverAt,
    isScheduled: deliverAt !== null && deliverAt > now,
  };
}

/** Parses a payload only once, for the schema of its type and for filters. */
function readOnce(body: Buffer, contentType: string | undefined): UnreadPayload {
  let payload: JsonPayload | undefined;
  const parse = () => (isJsonType(contentType) ? wellFormedJson(body) : NO_JSON);
  return {
    bytes: body.length,
    read() {
      payload ??= parse();
      return payload;
    },
  };
}

type ToFind = { environmentId: string; payload: UnreadPayload; body: Buffer; contentType: string | undefined };

/** The tokens by which searches find the event. */
function foundBy(
  { openSearchKey }: PrepareDeps,
  search: EventTypeThere['search'],
  { environmentId, payload, body, contentType }: ToFind,
): Pick<NewEvent, 'tokens' | 'searchLeftOut'> {
  if (search === null) return NOT_FOUND_BY;
  // A large payload is not parsed just for this.
  if (payload.bytes > LIMITS.searchablePayloadBytes) return isJsonType(contentType) ? NONE_KEPT : NOT_FOUND_BY;
  const read = payload.read();
  if (!read.isJson) return NOT_FOUND_BY;
  const key = openSearchKey(search.key);
  if (key === undefined) return NONE_KEPT;
  const text = () => UTF_8.decode(body);
  return tokensOfPayload(key, environmentId, { keys: search.keys, payload: read.value, text });
}

const NO_TOKENS: readonly bigint[] = [];
const NOT_FOUND_BY = { tokens: NO_TOKENS, searchLeftOut: null };
const NONE_KEPT = { tokens: NO_TOKENS, searchLeftOut: ALL_LEFT_OUT };
const UTF_8 = new TextDecoder();

type ToMatch = { eventType: string; applicationId: string | null; payload: UnreadPayload };

async function match(
  { matchAtDoor }: PrepareDeps,
  { workspaceId, environmentId, ownerId }: Sender,
  { eventType, applicationId, payload }: ToMatch,
): Promise<MatchedAtDoor | null> {
  const group = { workspaceId, environmentId, eventType, applicationId };
  return (await matchAtDoor({ group, ownerId, payload })) ?? null;
}

/** An event that names its endpoint has no type. */
const DIRECT: EventTypeThere = { published: true, check: null, search: null };

/**
 * The faults that the type's schema finds in the payload. Throws if the environment rejects such payloads, or the
 * payload is malformed.
 */
async function checkPayload(
  deps: PrepareDeps,
  check: (NonNullable<EventTypeThere['check']> & Pick<Sender, 'ownerId' | 'workspaceId'>) | null,
  payload: UnreadPayload,
): Promise<SchemaFault[] | null> {
  if (check === null) {
    payload.read();
    return null;
  }
  const faults = await deps.checkPayload(check, payload);
  if (faults === null) return null;
  const isRefused = check.mode === 'reject' && faults.length > 0;
  deps.metrics.payloadsChecked.inc({ result: faults.length === 0 ? 'fits' : isRefused ? 'rejected' : 'warned' });
  if (isRefused) {
    const more = faults.length > SHOWN_ERRORS ? '; …' : '';
    const shown = faults.slice(0, SHOWN_ERRORS).map(({ text }) => text);
    throw new ApiError('schema_violation', `${shown.join('; ')}${more}`);
  }
  return faults;
}

const SHOWN_ERRORS = 3;

/** A time that has passed is kept as given, and means now. A time before 1970 is stored as 1970. */
function timeOf({ name, field, text }: GivenTime, now: Date): Date {
  const at = new Date(text);
  const hours = LIMITS.deliverAtHoursAhead;
  if (at.getTime() - now.getTime() > hours * 3_600_000) {
    throw invalid(`${name} must be at most ${hours} hours ahead`, field);
  }
  return at.getTime() < 0 ? new Date(0) : at;
}

function replay(deps: IngestDeps, input: IngestInput, first: FirstAnswer): IngestAnswer {
  refuseConflict(
    first,
    writtenPaths(input).map((path) => hashWith(path, input)),
  );
  deps.metrics.eventsIngested.inc({ result: 'duplicate' });
  return answer(deps, input, { ...first, duplicate: true });
}

type AnswerFacts = Omit<FirstAnswer, 'requestHash'> & { duplicate: boolean };

function answer(
  { sealingKeys }: IngestDeps,
  { holder, idempotencyKey }: IngestInput,
  facts: AnswerFacts,
): IngestAnswer {
  const { eventId, endpointId } = facts;
  const id = toId('msg', eventId);
  return {
    id,
    eventType: facts.eventType,
    environmentId: toId('env', holder.environmentId),
    idempotencyKey: idempotencyKey ?? id,
    published: facts.published,
    duplicate: facts.duplicate,
    // The producer sent the payload, so it may see the payload's keys.
    schemaErrors: readFaults(facts.schemaErrors, eventId, sealingKeys),
    createdAt: uuidTime(eventId).toISOString(),
    ...(endpointId === null
      ? {}
      : { deliveryId: toId('dlv', deliveryIdFor(eventId, endpointId)), endpointId: toId('ep', endpointId) }),
  };
}

const NO_JSON: JsonPayload = { isJson: false };
const STRICT_UTF_8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The value in a body; a body that is not JSON is refused. The bytes are stored unchanged. A BOM is allowed (RFC 8259
 * §8.1).
 */
function wellFormedJson(body: Buffer): JsonPayload {
  if (body.length === 0) return NO_JSON;
  try {
    return { isJson: true, value: JSON.parse(STRICT_UTF_8.decode(body)) };
  } catch {
    // The parser's own message would quote the payload.
    throw invalid('The body must be well-formed JSON in UTF-8, as its Content-Type says', 'body');
  }
}
