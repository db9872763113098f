import type { PullKey } from '@posthorn/client';
import { approve, YES } from '../approve.ts';
import { LIST_OPTIONS, pageSize, printList, type Row, required } from '../command.ts';
import type { Columns } from '../output.ts';

const COLUMNS: Columns<PullKey> = {
  id: (key) => key.id,
  name: (key) => key.name,
  key: (key) => key.keyPreview,
  'last used': (key) => key.lastUsedAt,
  ends: (key) => key.expiresAt,
};

export const pullKeys: readonly Row[] = [
  {
    usage: 'list <endpoint>',
    summary: 'List the keys of the consumers of a pull endpoint',
    options: LIST_OPTIONS,
    examples: ['posthorn pull-keys list "$PULL_ENDPOINT_ID"'],
    async run(context, call) {
      const { client, environmentId, signal } = context;
      const options = { ...pageSize(call.values), environmentId: await environmentId(), signal };
      const items = client().pullKeys.list(required(call, 0), options);
      await printList(context, { items, columns: COLUMNS, values: call.values });
    },
  },
  {
    usage: 'create <endpoint> <name>',
    summary: 'Create a key for a consumer of a pull endpoint; it is shown once',
    examples: ['posthorn pull-keys create "$PULL_ENDPOINT_ID" "The warehouse"'],
    async run({ client, environmentId, output, signal }, call) {
      const options = { environmentId: await environmentId(), signal };
      await output.item(await client().pullKeys.create(required(call, 0), { name: required(call, 1) }, options));
    },
  },
  {
    usage: 'delete <endpoint> <id>',
    summary: 'End a key of a pull endpoint at once',
    options: YES,
    examples: ['posthorn pull-keys delete "$PULL_ENDPOINT_ID" "$PULL_KEY_ID" --yes'],
    async run(context, call) {
      const { client, environmentId, output, signal } = context;
      const [endpoint, id] = [required(call, 0), required(call, 1)];
      await approve(context, call.values, `End the pull key ${id}?`);
      await client().pullKeys.delete(endpoint, id, { environmentId: await environmentId(), signal });
      output.note(`Deleted ${id}`);
    },
  },
];
