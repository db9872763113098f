import { useQuery } from '@tanstack/react-query';
import type { AuditEntry } from '../../../client/resources.ts';
import { addressOf } from '../../../components/destination/address-of.ts';
import { Id } from '../../../components/id.tsx';
import { TextLink } from '../../../components/links.tsx';
import { CustomerLink, useEndpoint } from '../../customer-name.tsx';
import { usePlace } from '../../place.ts';
import { eventTypesQuery } from '../event-types/event-type-queries.ts';

type Resource = Pick<AuditEntry, 'resourceId'>;

/**
 * The resource of an entry, by its name and with a link to its page. Without a page, or once it is deleted, by its id.
 */
export function AuditResource({ entry: { resourceId } }: { entry: Resource }) {
  // Decides by the id, not by the type: a subscription has its endpoint's id, and a payload that of its delivery or
  // event.
  switch (resourceId.slice(0, resourceId.indexOf('_'))) {
    case 'ep':
      return <EndpointName id={resourceId} />;
    case 'app':
      return <CustomerLink id={resourceId} />;
    case 'evt':
      return <EventTypeName id={resourceId} />;
    case 'env':
      return <EnvironmentName id={resourceId} />;
    case 'dlv':
    case 'msg':
      return <IdLink id={resourceId} words={resourceId} />;
    default:
      return <Id value={resourceId} short={resourceId.includes('_')} />;
  }
}

/** The name of an environment. It has no page of its own. */
function EnvironmentName({ id }: { id: string }) {
  const environment = usePlace().environments.find((one) => one.id === id);
  return environment === undefined ? <Id value={id} short /> : <span title={id}>{environment.name}</span>;
}

function EndpointName({ id }: { id: string }) {
  const endpoint = useEndpoint(id);
  return <IdLink id={id} words={endpoint === undefined ? id : addressOf(endpoint)} />;
}

/** A link to the page of an id, in any environment. */
function IdLink({ id, words }: { id: string; words: string }) {
  const { workspace } = usePlace();
  return (
    <TextLink truncate="end" title={words} to="/w/$workspace/~/$id" params={{ workspace: workspace.slug, id }}>
      {words}
    </TextLink>
  );
}

function EventTypeName({ id }: { id: string }) {
  const { data } = useQuery(eventTypesQuery(usePlace().workspace.id));
  const type = data?.find((one) => one.id === id);
  if (type === undefined) return <Id value={id} short />;
  return (
    <TextLink
      truncate="end"
      from="/w/$workspace/$environment"
      to="/w/$workspace/$environment/event-types"
      search={{ search: type.name }}
    >
      {type.name}
    </TextLink>
  );
}
