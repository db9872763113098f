import { Menu } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import type { Endpoint, EndpointStats } from '../../../client/resources.ts';
import { CopyButton } from '../../../components/copy-button.tsx';
import { addressOf } from '../../../components/destination/address-of.ts';
import { EndpointMark } from '../../../components/endpoint-mark.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { RowLink } from '../../../components/row-link.tsx';
import { RowMenu } from '../../../components/row-menu.tsx';
import type { Column } from '../../../components/table-columns.ts';
import { UrlText } from '../../../components/url-text.tsx';
import { CustomerCell, type Known } from '../../customer-name.tsx';
import type { HrefOf } from '../../place.ts';
import classes from './endpoint-columns.module.css';
import { failedShare } from './endpoint-totals.ts';
import type { EndpointStatsRead } from './use-endpoint-stats.ts';
import { useToggleEndpoint } from './use-toggle-endpoint.ts';

type Actions = { onDelete: (endpoint: Endpoint) => void; onRecover: (endpoint: Endpoint) => void };

type Input = {
  hrefOf: HrefOf;
  stats: EndpointStatsRead;
  /** The customers that are known. Without it, there is no column for the customer. */
  known?: Known | undefined;
  /** Callbacks of the row's menu. Without them, rows have no menu. */
  actions?: Actions | undefined;
};

/** The columns of a list of endpoints. */
export function endpointColumns({ hrefOf, stats, known, actions }: Input): Column<Endpoint>[] {
  return [
    {
      id: 'url',
      header: 'URL',
      width: 'minmax(180px, 3fr)',
      sortBy: addressOf,
      cell: (endpoint) => (
        <span className={classes.url}>
          <RowLink href={hrefOf('endpoints', endpoint.id)} title={addressOf(endpoint)} isMono>
            <UrlText url={addressOf(endpoint)} />
          </RowLink>
          <span className="mantine-visible-from-sm">
            <CopyButton value={addressOf(endpoint)} what="the URL" />
          </span>
        </span>
      ),
    },
    {
      id: 'state',
      header: 'State',
      width: '168px',
      sortBy: ({ isActive, health }) => (isActive ? health : 'inactive'),
      cell: (row) => <EndpointMark endpoint={row} attempts={stats.byId.get(row.id)} />,
    },
    ...(known === undefined ? [] : [customerColumn(hrefOf, known)]),
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

function customerColumn(hrefOf: HrefOf, known: Known): Column<Endpoint> {
  return {
    id: 'customer',
    header: 'Customer',
    width: 'minmax(90px, 1fr)',
    from: 'sm',
    sortBy: ({ applicationId }) => known.customers?.get(applicationId ?? '')?.name ?? applicationId ?? '',
    cell: ({ applicationId: id }) => <CustomerCell {...{ id, hrefOf, known }} />,
  };
}

/** The columns about the last 24 hours. They can only be sorted once every endpoint's statistics have been read. */
function historyColumns(stats: EndpointStatsRead): Column<Endpoint>[] {
  const { byId, isWhole } = stats;
  return [
    {
      id: 'history',
      header: 'Attempts, 24 h',
      width: '100px',
      from: 'md',
      cell: ({ id }) => <OfStats stats={stats} id={id} show={({ hours }) => <EndpointHistory hours={hours} />} />,
    },
    {
      id: 'failed',
      header: 'Failed',
      width: '56px',
      from: 'sm',
      isNumeric: true,
      ...(isWhole && { sortBy: ({ id }) => byId.get(id)?.failureRate ?? 0 }),
      cell: ({ id }) => <OfStats stats={stats} id={id} show={({ hours }) => <FailedShare hours={hours} />} />,
    },
    {
      id: 'success',
      header: 'Last success',
      width: '96px',
      from: 'md',
      ...(isWhole && { sortBy: ({ id }) => byId.get(id)?.lastSuccessAt ?? '' }),
      cell: ({ id }) => (
        <OfStats stats={stats} id={id} show={({ lastSuccessAt }) => <RelativeTime at={lastSuccessAt} />} />
      ),
    },
  ];
}

type OfStatsProps = { stats: EndpointStatsRead; id: string; show: (stats: EndpointStats) => ReactNode };

/** A value from the row's statistics. A row in view requests them if they are missing. */
function OfStats({ stats: { byId, isReading, readMore }, id, show }: OfStatsProps) {
  const stats = byId.get(id);
  const isMissing = stats === undefined && isReading;
  useEffect(() => {
    if (isMissing) readMore();
  }, [isMissing, readMore]);
  return stats === undefined ? <span className="soft">{isReading ? '…' : '–'}</span> : show(stats);
}

function FailedShare({ hours }: { hours: EndpointStats['hours'] }) {
  const sums = attemptsOf(hours);
  return <span className={sums.failed > 0 ? classes.failed : 'soft'}>{failedShare(sums)}</span>;
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
    <RowMenu of={addressOf(endpoint)}>
      <Menu.Item onClick={() => toggle(endpoint)}>{endpoint.isActive ? 'Deactivate' : 'Activate'}</Menu.Item>
      <Menu.Item onClick={() => onRecover(endpoint)}>Recover …</Menu.Item>
      <Menu.Item color="red" onClick={() => onDelete(endpoint)}>
        Delete …
      </Menu.Item>
    </RowMenu>
  );
}

const BAR = 3;
const STEP = 4;
const HEIGHT = 20;

/** The attempts of the last 24 hours: a bar for each hour, with the failed attempts at the bottom. */
function EndpointHistory({ hours }: { hours: EndpointStats['hours'] }) {
  const most = Math.max(1, ...hours.map(({ succeeded, failed }) => succeeded + failed));
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(1, Math.round((count / most) * HEIGHT)));
  const { attempts, failed } = attemptsOf(hours);
  return (
    <svg
      role="img"
      aria-label={`${attempts} ${attempts === 1 ? 'attempt' : 'attempts'} in 24 hours, ${failed} failed`}
      width={24 * STEP}
      height={HEIGHT}
      style={{ verticalAlign: 'middle' }}
    >
      <path d={`M0 ${HEIGHT - 0.5}H${24 * STEP}`} stroke="var(--line)" />
      {hours.map((hour, index) => {
        const low = heightOf(hour.failed);
        const high = heightOf(hour.succeeded);
        return (
          <g key={hour.at}>
            <rect x={index * STEP} y={HEIGHT - low} width={BAR} height={low} fill="var(--failed-ink)" />
            <rect x={index * STEP} y={HEIGHT - low - high} width={BAR} height={high} fill="var(--delivered-ink)" />
          </g>
        );
      })}
    </svg>
  );
}

/** The sums over all hours. */
function attemptsOf(hours: EndpointStats['hours']): { attempts: number; failed: number } {
  const sum = (of: (hour: EndpointStats['hours'][number]) => number) =>
    hours.reduce((total, hour) => total + of(hour), 0);
  return { attempts: sum(({ succeeded, failed }) => succeeded + failed), failed: sum(({ failed }) => failed) };
}
