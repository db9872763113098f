import { Stack } from '@mantine/core';
import { useState } from 'react';
import { client } from '../../../client/api.ts';
import type { Endpoint } from '../../../client/resources.ts';
import { isExaminable } from '../../../components/is-examinable.ts';
import { TestForm } from '../../../components/test-form.tsx';
import { usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { Doctor } from './doctor.tsx';
import { useSamples } from './use-samples.ts';
import { useTypesWithExample } from './use-types-with-example.ts';

/** Sends a test request, and examines the endpoint. */
export function TestingTab({ endpoint }: { endpoint: Endpoint }) {
  return (
    <Stack gap="xl">
      {mayChange(usePlace()) ? <SendTest endpoint={endpoint} /> : null}
      {isExaminable(endpoint) ? <Doctor endpointId={endpoint.id} /> : null}
    </Stack>
  );
}

const SENT = 'One signed request, sent now, also to an inactive endpoint.';
const LEASED = 'One message. A program has 20 seconds to lease it, then 30 to answer; the endpoint must be active.';

function SendTest({ endpoint: { id, pull } }: { endpoint: Endpoint }) {
  const { workspace } = usePlace();
  const { types } = useTypesWithExample(id);
  const [typeId, setTypeId] = useState<string | null>(null);
  const type = types.find((one) => one.id === typeId) ?? types[0];
  const samples = useSamples(type);
  return (
    <TestForm
      sentence={`${pull === null ? SENT : LEASED} It counts in no statistic and is never retried.`}
      types={types}
      typeId={type?.id}
      onChooseType={setTypeId}
      samples={samples}
      send={async (eventTypeId, body) => {
        const typeField = eventTypeId === undefined ? '' : `"eventTypeId":${JSON.stringify(eventTypeId)},`;
        const { data } = await client.POST('/api/workspaces/{workspaceId}/endpoints/{id}/test', {
          params: { path: { workspaceId: workspace.id, id } },
          body: {},
          bodySerializer: () => `{${typeField}"payload":${body}}`,
        });
        if (data === undefined) throw new Error('The answer is not an attempt');
        return data;
      }}
    />
  );
}
