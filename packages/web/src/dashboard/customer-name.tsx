import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import type { Application, Endpoint } from '../client/resources.ts';
import { addressOf } from '../components/destination/address-of.ts';
import { Id } from '../components/id.tsx';
import { TextLink } from '../components/links.tsx';
import linkClasses from '../components/row-link.module.css';
import { isGivenByService } from './given-by-service.ts';
import { customerQuery } from './pages/customers/customer-queries.ts';
import { endpointQuery } from './pages/endpoints/endpoint-queries.ts';
import { type HrefOf, usePlace } from './place.ts';

/** The name of a customer, as a link to its page. If the customer is deleted, its id. */
export function CustomerLink({ id }: { id: string | null }) {
  const name = useCustomerName(id);
  if (id === null) return <span className="soft">no customer</span>;
  if (name === undefined) return <Id value={id} />;
  return (
    <TextLink
      title={id}
      from="/w/$workspace/$environment"
      to="/w/$workspace/$environment/customers/$applicationId"
      params={{ applicationId: id }}
    >
      {name}
    </TextLink>
  );
}

/** The customer of an endpoint, found by the endpoint's id. */
export function CustomerOfEndpoint({ endpointId }: { endpointId: string }) {
  const endpoint = useEndpoint(endpointId);
  return endpoint === undefined ? <span className="soft">–</span> : <CustomerLink id={endpoint.applicationId} />;
}

/** The items that a list already knows, by id. A missing map is still being read. */
export type Known = {
  endpoints?: ReadonlyMap<string, Endpoint> | undefined;
  customers?: ReadonlyMap<string, Application> | undefined;
};

type CellProps = { hrefOf: HrefOf; known: Known };

/**
 * The customer of a row, as a link to its page. Names that the list does not know are read for the rows in view, once
 * each. It is a plain element, because the router's links cost more than all other cells of a row.
 */
export function CustomerCell({ id, hrefOf, known }: CellProps & { id: string | null | undefined }) {
  const name = useCustomerName(id, known.customers ?? READING);
  const { history } = useRouter();
  if (id === null || id === undefined) return <span className="soft">–</span>;
  const href = hrefOf('customers', id);
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    history.push(href);
  };
  return (
    <a href={href} title={name ?? id} className={linkClasses.link} onClick={follow}>
      {name ?? id}
    </a>
  );
}

/** The customer of a delivery's endpoint, for a row. */
export function CustomerOfEndpointCell({ endpointId, ...rest }: CellProps & { endpointId: string }) {
  const endpoint = useEndpoint(endpointId, rest.known.endpoints ?? READING);
  return <CustomerCell id={endpoint?.applicationId} {...rest} />;
}

const READING = 'reading';
type KnownOf<Item> = ReadonlyMap<string, Item> | typeof READING | undefined;

/** The name of a customer; undefined until it is read, and for a deleted customer. */
function useCustomerName(id: string | null | undefined, known?: KnownOf<Application>): string | undefined {
  const { workspace } = usePlace();
  const found = known === READING ? undefined : known?.get(id ?? '');
  const enabled = Boolean(id) && known !== READING && found === undefined;
  const { data } = useQuery({ ...customerQuery(workspace.id, id ?? ''), ...READ_ONCE, enabled });
  return (found ?? data)?.name;
}

/** An endpoint; undefined until it is read, and for a deleted endpoint. */
export function useEndpoint(id: string, known?: KnownOf<Endpoint>): Endpoint | undefined {
  const { workspace } = usePlace();
  const found = known === READING ? undefined : known?.get(id);
  const enabled = known !== READING && found === undefined;
  const { data } = useQuery({ ...endpointQuery(workspace.id, id), ...READ_ONCE, enabled });
  return found ?? data;
}

/** The address of an endpoint in a row; its id until the address is read, and for a deleted endpoint. */
export function useEndpointAddress(id: string, { endpoints }: Known): string {
  const endpoint = useEndpoint(id, endpoints ?? READING);
  return endpoint === undefined ? id : addressOf(endpoint);
}

/**
 * The address of an endpoint, from a response that has only its URL. The URL of a broker or a store says nothing, so
 * that endpoint is read for its target.
 */
export function useAddressOfUrl(id: string, url: string): string {
  const endpoint = useEndpoint(id, isGivenByService(url) ? undefined : READING);
  return endpoint === undefined ? url : addressOf(endpoint);
}

/** That address on one line. Hovering shows all of it. */
export function AddressLine({ id, url }: { id: string; url: string }) {
  const address = useAddressOfUrl(id, url);
  return (
    <Text className="mono" truncate="end" title={address}>
      {address}
    </Text>
  );
}

/** Keeps a row that comes into view again from reading its names again. */
const READ_ONCE = { retry: false, retryOnMount: false, staleTime: 60_000 } as const;
