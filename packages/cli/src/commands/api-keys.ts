import type { ApiKey } from '@posthorn/client';
import { approve, YES } from '../approve.ts';
import { given, LIST_OPTIONS, limited, pageSize, type Row, required, text } from '../command.ts';
import { seconds } from '../moment.ts';
import type { Columns } from '../output.ts';

const COLUMNS: Columns<ApiKey> = {
  id: (key) => key.id,
  name: (key) => key.name,
  key: (key) => key.keyPreview,
  'last used': (key) => key.lastUsedAt,
  ends: (key) => key.revokedAt ?? key.expiresAt,
};

export const apiKeys: readonly Row[] = [
  {
    usage: 'list',
    summary: 'List the API keys of the environment',
    options: LIST_OPTIONS,
    examples: ['posthorn api-keys list'],
    async run({ client, requireEnvironmentId, output, signal }, { values }) {
      const keys = client().apiKeys.list(await requireEnvironmentId(), { ...pageSize(values), signal });
      await output.list(limited(keys, values), COLUMNS);
    },
  },
  {
    usage: 'create <name>',
    summary: 'Create an API key of the environment; it is shown once',
    options: { '--expires-at <time>': 'when it ends' },
    examples: ['posthorn api-keys create "The shop"'],
    async run({ client, requireEnvironmentId, output, signal }, call) {
      const body = { name: required(call, 0), ...given({ expiresAt: text(call.values, 'expiresAt') }) };
      await output.item(await client().apiKeys.create(await requireEnvironmentId(), body, { signal }));
    },
  },
  {
    usage: 'rotate <id>',
    summary: 'Make a new key for an old one, which works until its grace period ends',
    options: { '--grace <time>': 'how long the old one still works: 24h' },
    examples: ['posthorn api-keys rotate "$API_KEY_ID" --grace 1h'],
    async run({ client, requireEnvironmentId, output, signal }, call) {
      const body = given({ gracePeriodSeconds: seconds(call.values, 'grace') });
      await output.item(
        await client().apiKeys.rotate(await requireEnvironmentId(), required(call, 0), body, { signal }),
      );
    },
  },
  {
    usage: 'delete <id>',
    summary: 'End an API key at once',
    options: YES,
    examples: ['posthorn api-keys delete "$API_KEY_ID" --yes'],
    async run(context, call) {
      const { client, requireEnvironmentId, output, signal } = context;
      const id = required(call, 0);
      await approve(context, call.values, `End the API key ${id}?`);
      await client().apiKeys.delete(await requireEnvironmentId(), id, { signal });
      output.note(`Deleted ${id}`);
    },
  },
];
