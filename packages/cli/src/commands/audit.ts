import type { AuditLogEntry } from '@posthorn/client';
import { type Row, text } from '../command.ts';
import { moment } from '../moment.ts';
import type { Columns } from '../output.ts';
import { listRow } from '../rows.ts';

const COLUMNS: Columns<AuditLogEntry> = {
  at: (entry) => entry.createdAt,
  actor: (entry) => entry.actorLabel,
  action: (entry) => entry.action,
  resource: (entry) => entry.resourceId,
};

export const audit: readonly Row[] = [
  listRow({
    summary: 'List who changed what, newest first',
    options: {
      '--action <action>': 'such as endpoint.created',
      '--resource-type <type>': 'such as endpoint',
      '--actor-type <type>': 'user, management_token, api_key, portal_session or system',
      '--since <time>': 'from this time, or so long ago: 2h',
      '--until <time>': 'before this time',
    },
    examples: ['posthorn audit list --since 24h'],
    columns: COLUMNS,
    items: ({ client }, values, { signal }) =>
      client().auditLogs.list({
        signal,
        action: text(values, 'action'),
        resourceType: text(values, 'resourceType'),
        actorType: text(values, 'actorType'),
        from: moment(values, 'since'),
        to: moment(values, 'until'),
      }),
  }),
];
