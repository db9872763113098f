import { Box, Group, Menu, Skeleton, Switch, Text, UnstyledButton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { Environment, EventType } from '../../../client/resources.ts';
import { CopyButton } from '../../../components/copy-button.tsx';
import { RowMenu } from '../../../components/row-menu.tsx';
import type { Column } from '../../../components/table-columns.ts';
import { type Place, usePlace } from '../../place.ts';
import { mayChange } from '../../role.ts';
import { visibilityQuery } from './event-type-queries.ts';
import type { MatrixRow } from './folded-types.ts';
import { usePublish } from './use-publish.tsx';

type Actions = Record<'onPrecheck' | 'onSchema', (eventType: EventType) => void> & { onFold: (prefix: string) => void };

/**
 * The type and its description, then a column for each environment. A narrow window only shows the current environment.
 */
export function eventTypeColumns(
  { environments, environment }: Place,
  { onPrecheck, onSchema, onFold }: Actions,
): Column<MatrixRow>[] {
  return [
    {
      id: 'name',
      header: 'Event type',
      width: 'minmax(150px, 2fr)',
      cell: (row) => <NameCell row={row} onFold={onFold} />,
    },
    {
      id: 'description',
      header: 'Description',
      width: 'minmax(80px, 2fr)',
      from: 'md',
      cell: (row) => (row.kind === 'group' ? null : row.eventType.description || <span className="soft">–</span>),
    },
    ...environments.map((one) => environmentColumn(one, one.id === environment.id)),
    {
      id: 'actions',
      header: '',
      width: '28px',
      cell: (row) =>
        row.kind === 'group' ? null : (
          <EventTypeMenu eventType={row.eventType} onPrecheck={onPrecheck} onSchema={onSchema} />
        ),
    },
  ];
}

function environmentColumn(environment: Environment, isPresent: boolean): Column<MatrixRow> {
  return {
    id: environment.id,
    header: environment.name,
    width: 'minmax(112px, 1fr)',
    ...(isPresent ? {} : { from: 'sm' }),
    cell: (row) =>
      row.kind === 'group' ? null : <PublishSwitch eventType={row.eventType} environment={environment} />,
  };
}

function NameCell({ row, onFold }: { row: MatrixRow; onFold: (prefix: string) => void }) {
  if (row.kind === 'group') {
    return (
      <UnstyledButton fz="sm" fw={500} aria-expanded={!row.isFolded} onClick={() => onFold(row.prefix)}>
        <span aria-hidden="true">{row.isFolded ? '▸' : '▾'}</span> {row.prefix}
        <span className="soft"> · {row.count}</span>
      </UnstyledButton>
    );
  }
  return (
    <Box pl={row.isInGroup ? 16 : 0} miw={0}>
      <Group gap={4} wrap="nowrap">
        <Text span className="mono" truncate="end" title={row.eventType.name}>
          {row.eventType.name}
        </Text>
        <Box visibleFrom="sm" flex="none">
          <CopyButton value={row.eventType.name} what={row.eventType.name} />
        </Box>
      </Group>
    </Box>
  );
}

type Props = {
  eventType: EventType;
  onPrecheck: (eventType: EventType) => void;
  onSchema: (eventType: EventType) => void;
};

/** The actions on an event type. */
function EventTypeMenu({ eventType, onPrecheck, onSchema }: Props) {
  const { workspace, environment } = usePlace();
  const navigate = useNavigate();
  const showEvents = () =>
    void navigate({
      to: '/w/$workspace/$environment/events',
      params: { workspace: workspace.slug, environment: environment.slug },
      search: { type: eventType.name },
    });
  return (
    <RowMenu of={eventType.name}>
      <Menu.Item onClick={() => onSchema(eventType)}>Schema and portals …</Menu.Item>
      <Menu.Item onClick={() => onPrecheck(eventType)}>Precheck …</Menu.Item>
      <Menu.Item onClick={showEvents}>Show its events</Menu.Item>
    </RowMenu>
  );
}

/**
 * A switch that publishes the type in an environment, with the number of endpoints that subscribe there. It changes at
 * once, and changes back if the request fails.
 */
function PublishSwitch({ eventType, environment }: { eventType: EventType; environment: Environment }) {
  const place = usePlace();
  const publish = usePublish();
  const { data: entries } = useQuery(visibilityQuery(place.workspace.id, environment.id));
  const { published = false, endpoints = 0 } = entries?.find(({ eventTypeId }) => eventTypeId === eventType.id) ?? {};
  if (entries === undefined) return <Skeleton width={32} height={16} radius="xl" />;
  return (
    <Group gap="sm" wrap="nowrap">
      <Switch
        size="xs"
        aria-label={`Publish ${eventType.name} in ${environment.name}`}
        checked={published}
        disabled={!mayChange(place)}
        onChange={({ currentTarget }) => publish({ eventType, environment, published: currentTarget.checked })}
      />
      <Text span size="xs" c="dimmed" title={`Subscribed endpoints in ${environment.name}`}>
        {endpoints === 1 ? '1 endpoint' : `${endpoints.toLocaleString('en')} endpoints`}
      </Text>
    </Group>
  );
}
