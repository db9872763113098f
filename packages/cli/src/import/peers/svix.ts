import {
  APPLICATION_PAIRS,
  chosenTypes,
  configOf,
  emptyFound,
  eventTypeName,
  type Found,
  keptMetadata,
  type Left,
  rateLimitOf,
  sortHeaders,
} from '../found.ts';
import { MOST_PAGES, type PeerApi } from '../peer-api.ts';

type Page<Item> = { data: Item[]; done: boolean; iterator: string | null };
type Rates = { throttleRate?: number | null; rateLimit?: number | null };
type Application = Rates & { id: string; uid?: string | null; name: string; metadata?: object };
type EventType = {
  name: string;
  description?: string;
  schemas?: Record<string, object> | null;
  featureFlags?: string[] | null;
  featureFlag?: string | null;
};
type Transformation = { code?: string | null };
type Endpoint = Rates & {
  id: string;
  uid?: string | null;
  url: string;
  description?: string;
  disabled?: boolean;
  filterTypes?: string[] | null;
  eventTypes?: string[] | null;
  channels?: string[] | null;
  metadata?: object;
};

/** Svix: each application with its endpoints, their secrets and their headers. */
export async function readSvix(api: PeerApi): Promise<Found> {
  const found = emptyFound('svix');
  for await (const type of pages<EventType>(api, 'api/v1/event-type', { with_content: 'true' })) {
    const name = eventTypeName(type.name);
    const schema = newestSchema(type.schemas);
    found.eventTypes.push({
      name,
      ...(type.description && { description: type.description }),
      ...(schema && { schema }),
    });
    for (const why of lostOf(type, name)) found.left.push({ kind: 'event type', name: type.name, why });
  }
  for await (const application of pages<Application>(api, 'api/v1/app')) {
    const externalId = application.uid || application.id;
    const { metadata, isWhole } = keptMetadata(application.metadata, APPLICATION_PAIRS);
    const leave = (why: string) => found.left.push({ kind: 'application', name: externalId, why });
    if (!isWhole) leave('not all of its metadata fits: Posthorn keeps five pairs');
    const rate = rateOf(application);
    if (rate) leave(`its rate limit of ${rate} a second is not carried: only endpoints have one`);
    found.applications.push({ externalId, name: application.name, metadata });
    const path = `api/v1/app/${encodeURIComponent(application.id)}/endpoint`;
    for await (const endpoint of pages<Endpoint>(api, path)) {
      await readEndpoint(
        api,
        { path: `${path}/${encodeURIComponent(endpoint.id)}`, endpoint, application: externalId },
        found,
      );
    }
  }
  return found;
}

function lostOf({ name: given, featureFlag, featureFlags }: EventType, name: string): string[] {
  const flags = featureFlags ?? (featureFlag ? [featureFlag] : []);
  const audience = `only customers with the feature flag ${flags.join(', ')} see it there: set its audience here`;
  return [...(name === given ? [] : [`is called ${name} here`]), ...(flags.length > 0 ? [audience] : [])];
}

type Place = { path: string; endpoint: Endpoint; application: string };

async function readEndpoint(api: PeerApi, { path, endpoint, application }: Place, found: Found): Promise<void> {
  const { key } = (await api.get(`${path}/secret`)) as { key: string };
  const given = (await api.get(`${path}/headers`)) as { headers: Record<string, string>; sensitive: string[] };
  const { headers, secretHeaders, refused } = sortHeaders(given.headers);
  const { metadata, isWhole } = keptMetadata(endpoint.metadata);
  const leave = (why: string) => found.left.push({ kind: 'endpoint', name: endpoint.id, why } satisfies Left);
  for (const name of refused) leave(`the header ${name} is set by Posthorn itself`);
  for (const name of given.sensitive ?? [])
    leave(`the header ${name} is secret, and its value is not shown: add it yourself`);
  if (endpoint.channels?.length)
    leave(`the channels ${endpoint.channels.join(', ')} have no counterpart: use a filter`);
  if (!isWhole) leave('not all of its metadata fits: Posthorn keeps two further pairs');
  const transformation = (await api.find(`${path}/transformation`)) as Transformation | undefined;
  if (transformation?.code) leave('its transformation is not carried: write it again as config.transformation');
  const rate = rateLimitOf(rateOf(endpoint));
  for (const why of rate.lost) leave(why);
  const isShared = key.startsWith('whsec_');
  if (!isShared) leave('its secret is a private key: it gets a new secret, which its receiver must learn');
  found.endpoints.push({
    id: endpoint.id,
    externalId: endpoint.uid || endpoint.id,
    application,
    url: endpoint.url,
    description: endpoint.description ?? '',
    isActive: endpoint.disabled !== true,
    eventTypes: chosenTypes(endpoint.filterTypes ?? endpoint.eventTypes),
    secrets: isShared ? [{ value: key }] : [],
    config: configOf('svix', headers, rate.config),
    secretHeaders,
    metadata,
  });
}

/** The rate limit. Older versions and self-hosted ones call it `rateLimit`. */
function rateOf({ throttleRate, rateLimit }: Rates): number | null | undefined {
  return throttleRate ?? rateLimit;
}

/** The newest schema. Svix keeps schemas by version. */
function newestSchema(schemas: Record<string, object> | null | undefined): Record<string, unknown> | undefined {
  const [newest] = Object.entries(schemas ?? {}).sort(([one], [other]) => Number(other) - Number(one));
  return newest?.[1] as Record<string, unknown> | undefined;
}

async function* pages<Item>(api: PeerApi, path: string, query: Record<string, string> = {}): AsyncGenerator<Item> {
  let iterator: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const answer = (await api.get(path, { limit: '100', iterator, ...query })) as Page<Item>;
    yield* answer.data;
    if (answer.done || answer.iterator === null) return;
    iterator = answer.iterator;
  }
}
