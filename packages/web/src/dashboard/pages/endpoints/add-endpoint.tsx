import { Text } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../../../client/api.ts';
import type { NewEndpointBody } from '../../../components/destination/new-endpoint-draft.ts';
import { FormField } from '../../../components/form.tsx';
import { NewEndpoint } from '../../../components/new-endpoint.tsx';
import { SearchSelect } from '../../../components/search-select.tsx';
import { SideSheet } from '../../../components/side-sheet.tsx';
import { usePlace } from '../../place.ts';
import { CUSTOMER_ENDPOINTS } from '../customers/customer-queries.ts';
import { useCustomerChoices } from '../customers/use-customer-choices.ts';
import { eventTypesQuery } from '../event-types/event-type-queries.ts';
import { ENDPOINT_STATS, endpointsQuery, endpointTypesQuery } from './endpoint-queries.ts';

type Props = {
  opened: boolean;
  onClose: () => void;
  onAdded: (id: string) => void;
  /** The customer to whom the endpoint belongs; undefined for none. */
  applicationId?: string;
};

/** Creates an endpoint in the environment, with its first subscriptions. */
export function AddEndpoint({ opened, onClose, ...rest }: Props) {
  return (
    <SideSheet opened={opened} onClose={onClose} title="Add endpoint">
      {opened ? <AddEndpointForm {...rest} /> : null}
    </SideSheet>
  );
}

const WORDS = {
  kind: 'Type',
  url: 'URL',
  types: 'It gets the events of these types that are published in this environment.',
};

function AddEndpointForm({ onAdded, applicationId: given }: Pick<Props, 'onAdded' | 'applicationId'>) {
  const place = usePlace();
  const { workspace, environment } = place;
  const [chosen, setChosen] = useState<string | null>(null);
  const applicationId = given ?? chosen;
  const queryClient = useQueryClient();
  const { data: types = [] } = useQuery(eventTypesQuery(workspace.id));
  const { data: kinds = [] } = useQuery(endpointTypesQuery(workspace.id));
  const path = { workspaceId: workspace.id };
  const add = async (body: NewEndpointBody) => {
    const owner = applicationId === null ? {} : { applicationId };
    const { data } = await client.POST('/api/workspaces/{workspaceId}/endpoints', {
      params: { path },
      body: { ...owner, environmentId: environment.id, ...body },
    });
    return data;
  };
  return (
    <NewEndpoint
      kinds={kinds}
      types={types}
      words={WORDS}
      nameOf={({ label }) => label}
      aboutOf={({ description }) => description}
      add={add}
      subscribe={(id, eventTypeIds) =>
        client.POST('/api/workspaces/{workspaceId}/endpoints/{id}/subscriptions', {
          params: { path: { ...path, id } },
          body: { eventTypeIds },
        })
      }
      onSettled={() =>
        Promise.all([
          queryClient.invalidateQueries({ queryKey: endpointsQuery(place).queryKey }),
          queryClient.invalidateQueries({ queryKey: CUSTOMER_ENDPOINTS }),
          queryClient.invalidateQueries({ queryKey: ENDPOINT_STATS }),
        ])
      }
      onAdded={({ id }) => onAdded(id)}
      first={given === undefined && workspace.plan !== 'free' ? <Customer value={chosen} onChange={setChosen} /> : null}
      note={
        <Text size="xs" c="dimmed">
          Its requests are signed with a secret of its own. The receiver checks the signature as Standard Webhooks
          defines.
        </Text>
      }
    />
  );
}

function Customer({ value, onChange }: { value: string | null; onChange: (id: string | null) => void }) {
  const { choices } = useCustomerChoices(value ?? undefined);
  return (
    <FormField of="applicationId">
      <SearchSelect
        label="Customer"
        description="It gets the events of this customer, and the customer sees it in the portal."
        placeholder="None: an endpoint of your own"
        size="sm"
        clearable
        choices={choices}
        value={value}
        onChange={onChange}
      />
    </FormField>
  );
}
