import { chosenTypes, configOf, emptyFound, eventTypeName, type Found, keptMetadata, sortHeaders } from '../found.ts';
import type { PeerApi } from '../peer-api.ts';

type EventType = { event_type_name: string };
type Subscription = {
  subscription_id: string;
  event_types: string[];
  is_enabled: boolean;
  labels?: Record<string, string>;
  description?: string | null;
  metadata?: object;
  secret: string;
  target: { type: string; method: string; url: string; headers: Record<string, string> };
};

/** An application of Hook0. The value of a label names the customer, who becomes an application. */
export async function readHook0(api: PeerApi, application: string, label: string | undefined): Promise<Found> {
  const found = emptyFound('hook0');
  const query = { application_id: application };
  for (const { event_type_name: given } of (await api.get('api/v1/event_types/', query)) as EventType[]) {
    const name = eventTypeName(given);
    found.eventTypes.push({ name });
    if (name !== given) found.left.push({ kind: 'event type', name: given, why: `is called ${name} here` });
  }
  const customers = new Set<string>();
  for (const subscription of (await api.get('api/v1/subscriptions/', query)) as Subscription[]) {
    const customer = label === undefined ? undefined : subscription.labels?.[label];
    if (customer !== undefined) customers.add(customer);
    readSubscription(subscription, { customer, label }, found);
  }
  found.applications = [...customers].map((customer) => ({ externalId: customer, name: customer }));
  return found;
}

type Customer = { customer: string | undefined; label: string | undefined };

function readSubscription(one: Subscription, { customer, label }: Customer, found: Found): void {
  const { headers, secretHeaders, refused } = sortHeaders(one.target.headers);
  const { metadata, isWhole } = keptMetadata(one.metadata);
  const others = Object.keys(one.labels ?? {}).filter((name) => name !== label);
  const leave = (why: string) => found.left.push({ kind: 'endpoint', name: one.subscription_id, why });
  for (const name of refused) leave(`the header ${name} is set by Posthorn itself`);
  if (one.target.method.toUpperCase() !== 'POST') leave(`its method ${one.target.method} becomes POST`);
  if (!isWhole) leave('not all of its metadata fits: Posthorn keeps two further pairs');
  if (label === undefined && others.length > 0)
    leave(`its labels ${others.join(', ')} select events: name one by --label, or write a filter`);
  else if (others.length > 0) leave(`its labels ${others.join(', ')} are not carried: write a filter`);
  found.endpoints.push({
    id: one.subscription_id,
    externalId: one.subscription_id,
    application: customer ?? null,
    url: one.target.url,
    description: one.description ?? '',
    isActive: one.is_enabled,
    eventTypes: chosenTypes(one.event_types),
    secrets: [{ value: one.secret }],
    config: configOf('hook0', headers),
    secretHeaders,
    metadata,
  });
}
