import {
  APPLICATION_PAIRS,
  configOf,
  emptyFound,
  eventTypeName,
  type Found,
  type FoundSecret,
  keptMetadata,
  sortHeaders,
} from '../found.ts';
import { MOST_PAGES, type PeerApi } from '../peer-api.ts';

type Tenant = { id: string; metadata?: object | null };
type Tenants = { models: Tenant[]; pagination?: { next?: string | null } };
type Destination = {
  id: string;
  type: string;
  topics: string[] | '*';
  filter?: object | null;
  disabled_at: string | null;
  config: { url?: string; custom_headers?: string };
  credentials?: { secret?: string; previous_secret?: string; previous_secret_invalid_at?: string };
  metadata?: object | null;
};

/** Outpost: each tenant becomes an application, and each of its webhooks an endpoint. */
export async function readOutpost(api: PeerApi): Promise<Found> {
  const found = emptyFound('outpost');
  for (const topic of (await api.get('topics')) as string[]) {
    const name = eventTypeName(topic);
    found.eventTypes.push({ name });
    if (name !== topic) found.left.push({ kind: 'event type', name: topic, why: `is called ${name} here` });
  }
  for await (const { id, metadata } of tenantsOf(api)) {
    const { metadata: kept, isWhole } = keptMetadata(metadata, APPLICATION_PAIRS);
    if (!isWhole) {
      const why = 'not all of its metadata fits: Posthorn keeps five pairs';
      found.left.push({ kind: 'application', name: id, why });
    }
    found.applications.push({ externalId: id, name: id, metadata: kept });
    const destinations = (await api.get(`tenants/${encodeURIComponent(id)}/destinations`)) as Destination[];
    for (const destination of destinations) readDestination(destination, id, found);
  }
  return found;
}

function readDestination(destination: Destination, application: string, found: Found): void {
  const leave = (why: string) => found.left.push({ kind: 'endpoint', name: destination.id, why });
  // Only webhooks have a URL.
  if (destination.config.url === undefined) {
    return void leave(`a destination of the type ${destination.type} is not carried: its credentials are not shown`);
  }
  const { headers, secretHeaders, refused } = sortHeaders(headersOf(destination));
  const { metadata, isWhole } = keptMetadata(destination.metadata);
  const secrets = secretsOf(destination);
  const { eventTypes, others } = topicsOf(destination);
  for (const name of refused) leave(`the header ${name} is set by Posthorn itself`);
  if (!isWhole) leave('not all of its metadata fits: Posthorn keeps two further pairs');
  if (destination.filter && Object.keys(destination.filter).length > 0)
    leave('its filter has another language: write it again');
  for (const topic of others) leave(`the topic ${topic} fits no pattern of Posthorn: subscribe it yourself`);
  if (secrets.length === 0) leave('its secret is masked: it gets a new one, which its receiver must learn');
  found.endpoints.push({
    id: destination.id,
    externalId: destination.id,
    application,
    url: destination.config.url,
    description: '',
    isActive: destination.disabled_at === null,
    eventTypes,
    secrets,
    config: configOf('outpost', headers),
    secretHeaders,
    metadata,
  });
}

/** Outpost allows a wildcard anywhere in a topic. Posthorn allows it only after the last dot. */
function topicsOf({ topics }: Destination): { eventTypes: string[]; others: string[] } {
  if (topics === '*' || topics.length === 0 || topics.includes('*')) return { eventTypes: ['*'], others: [] };
  const isPattern = (topic: string) => topic.endsWith('.*') && !topic.slice(0, -2).includes('*');
  const patterns = topics.filter(isPattern).map((topic) => `${eventTypeName(topic.slice(0, -2))}.*`);
  const names = topics.filter((topic) => !topic.includes('*')).map(eventTypeName);
  const others = topics.filter((topic) => topic.includes('*') && !isPattern(topic));
  return { eventTypes: [...new Set([...names, ...patterns])], others };
}

/** The headers are a JSON text. */
function headersOf({ config }: Destination): Record<string, string> {
  try {
    return config.custom_headers ? (JSON.parse(config.custom_headers) as Record<string, string>) : {};
  } catch {
    return {};
  }
}

function secretsOf({ credentials = {} }: Destination): FoundSecret[] {
  const { secret, previous_secret: former, previous_secret_invalid_at: endsAt } = credentials;
  const isShown = (value: string | undefined): value is string =>
    value !== undefined && value !== '' && !value.includes('**');
  return [
    ...(isShown(former) && isShown(secret) ? [{ value: former, ...(endsAt && { endsAt }) }] : []),
    ...(isShown(secret) ? [{ value: secret }] : []),
  ];
}

async function* tenantsOf(api: PeerApi): AsyncGenerator<Tenant> {
  let next: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const { models, pagination } = (await api.get('tenants', { limit: '100', next })) as Tenants;
    yield* models;
    if (!pagination?.next) return;
    next = pagination.next;
  }
}
