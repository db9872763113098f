import { EmptyState, Group, Select, Stack } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import type { Environment } from '../../../client/resources.ts';
import { ButtonLink } from '../../../components/links.tsx';
import { PageHeader } from '../../../components/page-header.tsx';
import { usePlace } from '../../place.ts';
import { Plan } from './plan.tsx';

const route = getRouteApi('/w/$workspace/$environment/promote');

/** The default source environment. Tested changes usually go to the default environment, so it is not the source. */
function firstFrom(current: Environment, environments: readonly Environment[]): Environment {
  return current.isDefault ? (environments.find(({ isDefault }) => !isDefault) ?? current) : current;
}

/** Compares two environments, and applies the differences to one of them. */
export function PromotePage() {
  const { environment, environments } = usePlace();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const from = environments.find(({ id }) => id === search.from) ?? firstFrom(environment, environments);
  const others = environments.filter(({ id }) => id !== from.id);
  const to = others.find(({ id }) => id === search.to) ?? others.find(({ isDefault }) => isDefault) ?? others[0];
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
        line="Takes the published event types, your own endpoints and your sources of one environment to another. Secrets, URLs, brokers and credentials are never taken."
      />
      {to === undefined ? null : (
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
            value={to.id}
            onChange={(id) => choose({ to: id })}
          />
        </Group>
      )}
      {to === undefined ? (
        <EmptyState
          size="sm"
          title="There is only one environment"
          description="Add a second one, such as Staging: you can try a set-up there and then take it to Production."
        >
          <EmptyState.Actions>
            <ButtonLink from="/w/$workspace/$environment" to="/w/$workspace/$environment/settings">
              Add an environment
            </ButtonLink>
          </EmptyState.Actions>
        </EmptyState>
      ) : (
        <Plan key={`${from.id} ${to.id}`} from={from} to={to} />
      )}
    </Stack>
  );
}
