import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { client } from '../../../client/api.ts';
import type { Endpoint } from '../../../client/resources.ts';
import { DestinationSettings } from '../../../components/destination/destination-settings.tsx';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { endpointTypesQuery } from '../endpoints/endpoint-queries.ts';
import { useChangeEndpoint } from '../endpoints/use-update-endpoint.ts';

/** The settings of a broker's or store's endpoint: where its messages go. */
export function DestinationTab({ endpoint }: { endpoint: Endpoint }) {
  const place = usePlace();
  const isEditor = mayChange(place);
  const { mutateAsync } = useChangeEndpoint(endpoint.id);
  const { data: kinds } = useQuery(endpointTypesQuery(place.workspace.id));
  const kind = kinds?.find(({ type }) => type === endpoint.type);
  // A type that can no longer be created has no form.
  if (kind === undefined) return <Text size="sm">Messages go to: {endpoint.target}.</Text>;
  const params = { path: { workspaceId: place.workspace.id, id: endpoint.id } };
  const test = async () => {
    const { data } = await client.POST('/api/workspaces/{workspaceId}/endpoints/{id}/test', { params, body: {} });
    if (data === undefined) throw new Error('The answer is not an attempt');
    return data;
  };
  return (
    <DestinationSettings
      endpoint={endpoint}
      kind={kind}
      mayChange={isEditor}
      change={(given) => mutateAsync(given)}
      test={isEditor ? test : undefined}
    />
  );
}
