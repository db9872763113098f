import type { Operation } from '@posthorn/client';
import { LIST_OPTIONS, limited, pageSize, type Row, required, text } from '../command.ts';
import type { Columns } from '../output.ts';
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
  {
    usage: 'list',
    summary: 'List recoveries and bulk changes, newest first',
    options: {
      ...LIST_OPTIONS,
      '--status <status>': 'counting, running, completed, cancelled or failed',
      '--endpoint <id>': 'of this endpoint',
    },
    examples: ['posthorn operations list'],
    async run({ client, output, signal }, { values }) {
      const status = text(values, 'status') as 'running' | undefined;
      const options = { ...pageSize(values), status, endpointId: text(values, 'endpoint'), signal };
      await output.list(limited(client().operations.list(options), values), COLUMNS);
    },
  },
  {
    usage: 'get <id>',
    summary: 'Show an operation',
    examples: ['posthorn operations get "$OPERATION_ID"'],
    async run({ client, output, signal }, call) {
      await output.item(await client().operations.get(required(call, 0), { signal }));
    },
  },
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
];
