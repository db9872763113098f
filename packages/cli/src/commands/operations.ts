import type { Operation } from '@posthorn/client';
import { type Row, required, text } from '../command.ts';
import { namedEnvironment } from '../context.ts';
import type { Columns } from '../output.ts';
import { getRow, listRow } from '../rows.ts';
import { watchOperation } from '../watch.ts';

const COLUMNS: Columns<Operation> = {
  id: (operation) => operation.id,
  type: (operation) => operation.type,
  status: (operation) => operation.status,
  matched: (operation) => operation.matched,
  delivered: (operation) => operation.delivered,
  failed: (operation) => operation.failed,
  created: (operation) => operation.createdAt,
};

export const operations: readonly Row[] = [
  listRow({
    summary: 'List operations, newest first',
    options: {
      '--status <status>': 'counting, running, completed, cancelled or failed',
      '--endpoint <id>': 'of this endpoint',
    },
    examples: ['posthorn operations list'],
    columns: COLUMNS,
    async items(context, values, page) {
      const { client, environmentId } = context;
      const status = text(values, 'status') as 'running' | undefined;
      const endpointId = text(values, 'endpoint');
      // Operations without an endpoint may concern every environment, so the environment of the profile does not hide
      // them.
      const isWithin = endpointId !== undefined || namedEnvironment(context) !== undefined;
      const filter = isWithin ? { endpointId, environmentId: await environmentId() } : {};
      return client().operations.list({ ...page, status, ...filter });
    },
  }),
  getRow({
    summary: 'Show an operation',
    examples: ['posthorn operations get "$OPERATION_ID"'],
    read: ({ client, signal }, id) => client().operations.get(id, { signal }),
  }),
  {
    usage: 'watch <id>',
    summary: 'Wait for the end of an operation; exit code 1 unless it is completed',
    examples: ['posthorn operations watch "$OPERATION_ID"'],
    run: (context, call) => watchOperation(context, required(call, 0)),
  },
  {
    usage: 'cancel <id>',
    summary: 'Stop an operation; what it has queued is delivered',
    examples: ['posthorn operations cancel "$OPERATION_ID"'],
    async run({ client, output, signal }, call) {
      await output.item(await client().operations.cancel(required(call, 0), { signal }));
    },
  },
  {
    usage: 'pause <id>',
    summary: 'Keep an operation from moving on',
    examples: ['posthorn operations pause "$OPERATION_ID"'],
    async run({ client, output, signal }, call) {
      await output.item(await client().operations.pause(required(call, 0), { signal }));
    },
  },
  {
    usage: 'resume <id>',
    summary: 'Let a paused operation go on',
    examples: ['posthorn operations resume "$OPERATION_ID"'],
    async run({ client, output, signal }, call) {
      await output.item(await client().operations.resume(required(call, 0), { signal }));
    },
  },
];
