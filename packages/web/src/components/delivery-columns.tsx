import type { Delivery } from '../client/resources.ts';
import { t } from '../language/language.ts';
import { DeliveryStatusChip } from './delivery-status-chip.tsx';
import type { Column } from './table-columns.ts';

// The columns that all lists of deliveries share, in the dashboard and in the portal.

export const statusColumn: Column<Delivery> = {
  id: 'status',
  header: t('Status'),
  width: 'clamp(124px, 12vw, 150px)',
  cell: (row) => <DeliveryStatusChip delivery={row} />,
};

export const attemptsColumn: Column<Delivery> = {
  id: 'attempts',
  header: t('Attempts'),
  width: '72px',
  from: 'sm',
  isNumeric: true,
  cell: ({ totalAttempts }) => totalAttempts,
};

export const answerColumn: Column<Delivery> = {
  id: 'answer',
  header: t('Answer'),
  width: '64px',
  from: 'md',
  isNumeric: true,
  isMono: true,
  cell: ({ lastResponseStatus }) => lastResponseStatus ?? '–',
};
