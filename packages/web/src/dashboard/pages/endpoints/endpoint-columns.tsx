import { Group, Menu, Text } from '@mantine/core';
import type { Endpoint, EndpointStats } from '../../../client/resources.ts';
import { CopyButton } from '../../../components/copy-button.tsx';
import { EndpointState } from '../../../components/endpoint-state.tsx';
import { TextLink } from '../../../components/links.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { RowMenu } from '../../../components/row-menu.tsx';
import type { Column } from '../../../components/table-columns.ts';
import { attemptsOf, EndpointHistory } from './endpoint-history.tsx';
import { failedShare } from './endpoint-totals.ts';
import { useToggleEndpoint } from './use-toggle-endpoint.ts';

type Actions = { onDelete: (endpoint: Endpoint) => void; onRecover: (endpoint: Endpoint) => void };

/** The columns of a list of endpoints. Without `actions` the rows have no menu. */
export function endpointColumns(
  stats: ReadonlyMap<string, EndpointStats>,
  actions: Actions | undefined,
): Column<Endpoint>[] {
  return [
    {
      id: 'url',
      header: 'URL',
      width: 'minmax(180px, 3fr)',
      sortBy: ({ url }) => url,
      cell: (row) => <UrlCell endpoint={row} />,
    },
    {
      id: 'state',
      header: 'State',
      width: '100px',
      sortBy: ({ isActive, health }) => (isActive ? health : 'inactive'),
      cell: (row) => <EndpointState endpoint={row} />,
    },
    {
      id: 'description',
      header: 'Description',
      width: 'minmax(120px, 2fr)',
      from: 'sm',
      cell: ({ description }) => description || <span className="soft">–</span>,
    },
    ...historyColumns(stats),
    ...(actions === undefined ? [] : [actionColumn(actions)]),
  ];
}

function UrlCell({ endpoint: { id, url } }: { endpoint: Endpoint }) {
  return (
    <Group gap={6} wrap="nowrap">
      <TextLink
        className="mono"
        truncate="end"
        from="/w/$workspace/$environment"
        to="/w/$workspace/$environment/endpoints/$endpointId"
        params={{ endpointId: id }}
        onClick={(event) => event.stopPropagation()}
      >
        {url}
      </TextLink>
      <CopyButton value={url} what="the URL" />
    </Group>
  );
}

/** How the endpoint fared in the last 24 hours. */
function historyColumns(stats: ReadonlyMap<string, EndpointStats>): Column<Endpoint>[] {
  return [
    {
      id: 'history',
      header: 'Attempts, 24 h',
      width: '100px',
      from: 'md',
      cell: ({ id }) => <EndpointHistory hours={stats.get(id)?.hours ?? NO_HOURS} />,
    },
    {
      id: 'failed',
      header: 'Failed',
      width: '56px',
      from: 'sm',
      isNumeric: true,
      sortBy: ({ id }) => stats.get(id)?.failureRate ?? 0,
      cell: ({ id }) => <FailedShare hours={stats.get(id)?.hours ?? NO_HOURS} />,
    },
    {
      id: 'success',
      header: 'Last success',
      width: '96px',
      from: 'md',
      sortBy: ({ id }) => stats.get(id)?.lastSuccessAt ?? '',
      cell: ({ id }) => <RelativeTime at={stats.get(id)?.lastSuccessAt ?? null} />,
    },
  ];
}

const NO_HOURS: EndpointStats['hours'] = [];

function FailedShare({ hours }: { hours: EndpointStats['hours'] }) {
  const sums = attemptsOf(hours);
  return (
    <Text span inherit {...(sums.failed > 0 ? { c: 'var(--failed-ink)' } : { className: 'soft' })}>
      {failedShare(sums)}
    </Text>
  );
}

function actionColumn({ onDelete, onRecover }: Actions): Column<Endpoint> {
  return {
    id: 'actions',
    header: '',
    width: '28px',
    cell: (row) => <EndpointMenu endpoint={row} onDelete={onDelete} onRecover={onRecover} />,
  };
}

function EndpointMenu({ endpoint, onDelete, onRecover }: Actions & { endpoint: Endpoint }) {
  const toggle = useToggleEndpoint();
  return (
    <RowMenu of={endpoint.url}>
      <Menu.Item onClick={() => toggle(endpoint)}>{endpoint.isActive ? 'Deactivate' : 'Activate'}</Menu.Item>
      <Menu.Item onClick={() => onRecover(endpoint)}>Recover …</Menu.Item>
      <Menu.Item color="red" onClick={() => onDelete(endpoint)}>
        Delete …
      </Menu.Item>
    </RowMenu>
  );
}
