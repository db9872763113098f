import type { ApiKey } from '@posthorn/client';
import { given, type Row, required, text } from '../command.ts';
import { seconds } from '../moment.ts';
import type { Columns } from '../output.ts';
import { deleteRow, listRow } from '../rows.ts';

const COLUMNS: Columns<ApiKey> = {
  id: (key) => key.id,
  name: (key) => key.name,
  key: (key) => key.keyPreview,
  'last used': (key) => key.lastUsedAt,
  ends: (key) => key.revokedAt ?? key.expiresAt,
};

export const apiKeys: readonly Row[] = [
  listRow({
    summary: 'List the API keys of the environment',
    examples: ['posthorn api-keys list'],
    columns: COLUMNS,
    items: async ({ client, requireEnvironmentId }, _values, page) =>
      client().apiKeys.list(await requireEnvironmentId(), page),
  }),
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
  deleteRow({
    summary: 'End an API key at once',
    examples: ['posthorn api-keys delete "$API_KEY_ID" --yes'],
    question: (id) => `End the API key ${id}?`,
    remove: async ({ client, requireEnvironmentId, signal }, id) =>
      client().apiKeys.delete(await requireEnvironmentId(), id, { signal }),
  }),
];
