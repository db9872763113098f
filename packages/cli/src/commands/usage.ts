import type { UsageRow } from '@posthorn/client';
import { type Row, text } from '../command.ts';
import { moment } from '../moment.ts';
import type { Columns } from '../output.ts';
import { listRow } from '../rows.ts';

const COLUMNS: Columns<UsageRow> = {
  from: (row) => row.from,
  customer: (row) => row.externalId ?? row.applicationId,
  name: (row) => row.name,
  events: (row) => row.events,
  deliveries: (row) => row.deliveries,
  attempts: (row) => row.attempts,
  bytes: (row) => row.bytes,
  provisional: (row) => row.provisional,
};

export const usage: readonly Row[] = [
  listRow({
    usage: 'usage',
    summary: 'Show what each customer used, by day or month, for billing',
    options: {
      '--since <time>': 'from the day or month of this time, or so long ago: 30d',
      '--until <time>': 'before this time',
      '--step <step>': 'a row for each day or month (month unless another is given)',
      '--application <id>': 'of this customer',
    },
    examples: ['posthorn usage', 'posthorn usage --since 2026-10-01T00:00:00Z --until 2026-11-01T00:00:00Z --all'],
    columns: COLUMNS,
    items: ({ client }, values, page) =>
      client().usage.list({
        ...page,
        from: moment(values, 'since'),
        to: moment(values, 'until'),
        step: text(values, 'step') as 'day' | undefined,
        applicationId: text(values, 'application'),
      }),
  }),
];
