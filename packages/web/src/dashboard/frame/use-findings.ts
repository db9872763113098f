import { useQuery } from '@tanstack/react-query';
import { api, client } from '../../client/api.ts';
import type { Delivery } from '../../client/resources.ts';
import { addressOf } from '../../components/destination/address-of.ts';
import { customerQuery } from '../pages/customers/customer-queries.ts';
import { endpointsQuery } from '../pages/endpoints/endpoint-queries.ts';
import { matchesEndpoint } from '../pages/endpoints/endpoints-search.ts';
import { eventTypesQuery } from '../pages/event-types/event-type-queries.ts';
import { hasSearchKeys } from '../pages/event-types/searched.ts';
import { usePlace } from '../place.ts';
import { eventFindings, offersLast } from './event-findings.ts';
import type { Finding } from './finding.ts';
import { placeOfId } from './place-of-id.ts';

const MOST = 6;
/** The longest name or key that the service searches for. */
const MOST_CHARACTERS = 255;

/** The findings for a text, in groups. An id is found at once. */
export function useFindings(text: string): Found {
  const found = placeOfId(text);
  const byId = found.kind === 'text' || found.kind === 'nothing' ? undefined : found;
  const isText = found.kind === 'text';
  const named = useNamed(isText ? text : '');
  const customers = useCustomersFound(named, byId?.kind === 'customer' ? byId.id : undefined);
  const endpoints = useEndpointsFound(isText ? text : '');
  const types = useTypesFound(isText ? text : '');
  const events = useEventsFound(named, text);
  const values = useValuesFound(isText ? text : '');
  if (byId !== undefined) return { findings: [ofId(byId, customers.findings)], isReading: false, hasFailed: false };
  const all = [customers, endpoints, types, events, values];
  return {
    findings: offersLast(all.flatMap(({ findings }) => findings)),
    isReading: isText && all.some(({ isReading }) => isReading),
    hasFailed: isText && all.some(({ hasFailed }) => hasFailed),
  };
}

const GROUPS = {
  customer: { group: 'Customers', icon: 'customer' },
  endpoint: { group: 'Endpoints', icon: 'endpoint' },
  event: { group: 'Events', icon: 'event' },
  delivery: { group: 'Deliveries', icon: 'delivery' },
} as const;

type ById = { kind: keyof typeof GROUPS; id: string };

function ofId({ kind, id }: ById, [customer]: readonly Finding[]): Finding {
  if (kind === 'customer')
    return customer ?? { id, ...GROUPS.customer, name: id, note: '', to: { kind: 'customer', id } };
  return { id, ...GROUPS[kind], name: id, note: '', to: { kind: 'id', id } };
}

type Found = { findings: readonly Finding[]; isReading: boolean; hasFailed: boolean };

/**
 * Customers whose names contain the text, and events with the text as idempotency key. The text may be a value of a
 * payload, so it is sent in a request body.
 */
function useNamed(text: string) {
  const { workspace, environment } = usePlace();
  const path = '/api/workspaces/{workspaceId}/find';
  const body = { text: text.slice(0, MOST_CHARACTERS), environmentId: environment.id };
  const { data, isLoading, isError } = useQuery({
    queryKey: ['post', path, workspace.id, body],
    queryFn: async ({ signal }) =>
      (await client.POST(path, { signal, params: { path: { workspaceId: workspace.id } }, body })).data ?? null,
    enabled: text !== '',
  });
  return { data: text === '' ? undefined : data, isReading: isLoading, hasFailed: isError };
}

function useCustomersFound({ data, ...named }: ReturnType<typeof useNamed>, id: string | undefined): Found {
  const { workspace } = usePlace();
  const one = useQuery({ ...customerQuery(workspace.id, id ?? ''), enabled: id !== undefined, retry: false });
  const customers = id === undefined ? (data?.applications ?? []) : one.data ? [one.data] : [];
  return {
    ...named,
    findings: customers.map((customer) => ({
      ...{ id: customer.id, ...GROUPS.customer, name: customer.name, note: customer.externalId ?? '' },
      to: { kind: 'customer', id: customer.id },
    })),
  };
}

function useEndpointsFound(text: string): Found {
  const { data, isLoading, isError } = useQuery({ ...endpointsQuery(usePlace()), enabled: text !== '' });
  const found = text === '' ? [] : (data ?? []).filter((one) => matchesEndpoint({ search: text }, one));
  return {
    findings: found.slice(0, MOST).map((endpoint) => ({
      ...{ id: endpoint.id, ...GROUPS.endpoint, name: addressOf(endpoint), note: endpoint.description },
      to: { kind: 'id', id: endpoint.id },
    })),
    isReading: isLoading,
    hasFailed: isError,
  };
}

function useTypesFound(text: string): Found {
  const { data, isLoading, isError } = useQuery({ ...eventTypesQuery(usePlace().workspace.id), enabled: text !== '' });
  const wanted = text.toLowerCase();
  const found = text === '' ? [] : (data ?? []).filter(({ name }) => name.toLowerCase().includes(wanted));
  return {
    findings: found.slice(0, MOST).map(({ id, name, description }) => ({
      ...{ id, group: 'Event types', icon: 'type', name, note: description ?? '' },
      to: { kind: 'type', name },
    })),
    isReading: isLoading,
    hasFailed: isError,
  };
}

/** The events with this idempotency key, and the deliveries if it is one event. */
function useEventsFound({ data, ...named }: ReturnType<typeof useNamed>, text: string): Found {
  const { workspace } = usePlace();
  const only = data?.events.length === 1 ? data.events[0] : undefined;
  const deliveries = useQuery({
    ...api.queryOptions('get', '/api/workspaces/{workspaceId}/events/{id}/deliveries', {
      params: { path: { workspaceId: workspace.id, id: only?.id ?? '' }, query: { limit: MOST } },
    }),
    enabled: only !== undefined,
  });
  return {
    ...named,
    findings: [
      ...(data ? eventFindings(data, text) : []),
      ...(only === undefined ? [] : (deliveries.data?.deliveries ?? []).map(findingOfDelivery)),
    ],
  };
}

/** The events with the text as a payload value, if a type has search keys; none for users who may not see payloads. */
function useValuesFound(text: string): Found {
  const { workspace, environment } = usePlace();
  const { data: types } = useQuery({ ...eventTypesQuery(workspace.id), enabled: text !== '' });
  const path = '/api/workspaces/{workspaceId}/events/search';
  const isWanted = text !== '' && hasSearchKeys(types);
  const { data, isLoading } = useQuery({
    queryKey: ['post', path, workspace.id, environment.id, text],
    queryFn: async ({ signal }) => {
      const body = { search: [text], environmentId: environment.id, limit: MOST };
      const answer = await client.POST(path, { signal, params: { path: { workspaceId: workspace.id } }, body });
      return answer.data?.events ?? [];
    },
    enabled: isWanted,
    retry: false,
  });
  return {
    findings: (isWanted ? (data ?? []) : []).map(({ id, eventTypeName, foundBy }) => ({
      ...{ id: `${id} by its value`, ...GROUPS.event, name: eventTypeName ?? id, note: `by ${foundBy.join(', ')}` },
      to: { kind: 'id', id },
    })),
    isReading: isLoading,
    // An error means that the user may not see payloads, and so may not search them.
    hasFailed: false,
  };
}

function findingOfDelivery({ id, eventTypeName, status }: Delivery): Finding {
  return { id, ...GROUPS.delivery, name: eventTypeName ?? id, note: status.replace('_', ' '), to: { kind: 'id', id } };
}
