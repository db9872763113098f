import { Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { client } from '../../client/api.ts';
import type { Endpoint } from '../../client/resources.ts';
import { DestinationSettings } from '../../components/destination/destination-settings.tsx';
import { t } from '../../language/language.ts';
import { endpointTypesQuery, useChangeEndpoint } from '../portal-queries.ts';
import { useMay } from '../session.ts';

/** The settings of a broker's or store's endpoint: where its messages go. */
export function DestinationTab({ endpoint }: { endpoint: Endpoint }) {
  const { mutateAsync } = useChangeEndpoint(endpoint.id);
  const [mayChange, mayTest] = [useMay('endpoints:write'), useMay('events:test')];
  const { data: kinds } = useQuery(endpointTypesQuery());
  const kind = kinds?.find(({ type }) => type === endpoint.type);
  // A type that can no longer be created has no form.
  if (kind === undefined) return <Text size="sm">{t('Messages go to: {target}.', { target: endpoint.target })}</Text>;
  const params = { path: { id: endpoint.id } };
  const test = async () => {
    const { data } = await client.POST('/api/portal/endpoints/{id}/test', { params, body: {} });
    if (data === undefined) throw new Error('The answer is not an attempt');
    return data;
  };
  return (
    <DestinationSettings
      endpoint={endpoint}
      kind={kind}
      mayChange={mayChange}
      change={(given) => mutateAsync(given)}
      test={mayTest ? test : undefined}
    />
  );
}
