import { Group, Select, Stack, Text } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { PageHeader } from '../../../components/page-header.tsx';
import { usePlace } from '../../place.ts';
import { Plan } from './plan.tsx';

const route = getRouteApi('/w/$workspace/$environment/promote');

/** What would make one environment like another, and its application. */
export function PromotePage() {
  const { environment, environments } = usePlace();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const from = environments.find(({ id }) => id === search.from) ?? environment;
  const others = environments.filter(({ id }) => id !== from.id);
  const to = others.find(({ id }) => id === search.to) ?? others[0];
  const choose = (change: { from?: string | null; to?: string | null }) => {
    const next = { from: change.from ?? from.id, to: change.to ?? to?.id };
    void navigate({
      search: next.to === undefined ? { from: next.from } : { from: next.from, to: next.to },
      replace: true,
    });
  };
  return (
    <Stack gap="md" maw={860}>
      <PageHeader
        title="Promote"
        line="Takes published event types and your own endpoints to another environment. Secrets, URLs and credentials stay where they are."
      />
      <Group gap="md">
        <Select
          label="From"
          allowDeselect={false}
          data={environments.map(({ id, name }) => ({ value: id, label: name }))}
          value={from.id}
          onChange={(id) => choose({ from: id })}
        />
        <Select
          label="To"
          allowDeselect={false}
          data={others.map(({ id, name }) => ({ value: id, label: name }))}
          value={to?.id ?? null}
          onChange={(id) => choose({ to: id })}
        />
      </Group>
      {to === undefined ? (
        <Text size="sm">There is no other environment yet. Add one in the settings.</Text>
      ) : (
        <Plan key={`${from.id} ${to.id}`} from={from} to={to} />
      )}
    </Stack>
  );
}
