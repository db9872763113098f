import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../client/api.ts';
import type { Endpoint } from '../../client/resources.ts';
import { isExaminable } from '../../components/is-examinable.ts';
import { TestForm } from '../../components/test-form.tsx';
import { t } from '../../language/language.ts';
import { eventTypesQuery } from '../portal-queries.ts';
import { useSamples } from '../use-samples.ts';
import { Doctor } from './doctor.tsx';

/** Sends a test request, and examines the endpoint. */
export function TestingTab({ endpoint }: { endpoint: Endpoint }) {
  return (
    <Stack gap="xl">
      <SendTest endpointId={endpoint.id} />
      {isExaminable(endpoint) ? <Doctor endpointId={endpoint.id} /> : null}
    </Stack>
  );
}

function SendTest({ endpointId }: { endpointId: string }) {
  const { data: types = [] } = useQuery(eventTypesQuery());
  const [chosen, setChosen] = useState<string | null>(null);
  const type = types.find(({ id }) => id === chosen) ?? types[0];
  const samples = useSamples(type && { name: type.name, example: type.example });
  return (
    <TestForm
      sentence={t('It is sent to your endpoint once, now, and signed like every message.')}
      types={types}
      typeId={type?.id}
      onChooseType={setChosen}
      samples={samples}
      send={async (eventTypeId, body) => {
        const typeField = eventTypeId === undefined ? '' : `"eventTypeId":${JSON.stringify(eventTypeId)},`;
        const { data } = await client.POST('/api/portal/endpoints/{id}/test', {
          params: { path: { id: endpointId } },
          body: {},
          bodySerializer: () => `{${typeField}"payload":${body}}`,
        });
        if (data === undefined) throw new Error('The answer is not an attempt');
        return data;
      }}
    />
  );
}
