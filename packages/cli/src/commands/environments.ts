import type { Environment } from '@posthorn/client';
import { given, type Row, required, text } from '../command.ts';
import { findEnvironments } from '../context.ts';
import { Usage } from '../failure.ts';
import type { Columns } from '../output.ts';
import { deleteRow, getRow, listRow } from '../rows.ts';

const COLUMNS: Columns<Environment> = {
  id: (environment) => environment.id,
  slug: (environment) => environment.slug,
  name: (environment) => environment.name,
  default: (environment) => (environment.isDefault ? 'yes' : ''),
};

type Connection = Parameters<typeof findEnvironments>[0];

async function idOf(context: Connection, wanted: string): Promise<string> {
  const [id = ''] = await findEnvironments(context, [wanted]);
  return id;
}

export const environments: readonly Row[] = [
  listRow({
    summary: 'List environments',
    examples: ['posthorn environments list'],
    columns: COLUMNS,
    items: ({ client }, _values, page) => client().environments.list(page),
  }),
  getRow({
    usage: 'get <slug>',
    summary: 'Show an environment, by slug or id',
    examples: ['posthorn environments get production'],
    read: async (context, slug) => {
      const { client, signal } = context;
      return client().environments.get(await idOf(context, slug), { signal });
    },
  }),
  {
    usage: 'create <slug>',
    summary: 'Create an environment',
    options: { '--name <name>': 'for people; the slug unless another is given' },
    examples: ['posthorn environments create qa --name "Quality assurance"'],
    async run({ client, output, signal }, call) {
      const slug = required(call, 0);
      await output.item(
        await client().environments.create({ slug, name: text(call.values, 'name') ?? slug }, { signal }),
      );
    },
  },
  {
    usage: 'update <slug>',
    summary: 'Change an environment; what is not named stays',
    options: {
      '--name <name>': 'another name',
      '--slug <slug>': 'another slug',
      '--default': 'make it the one that is used where none is named',
    },
    examples: ['posthorn environments update staging --name "Before production"'],
    async run(context, call) {
      const { client, output, signal } = context;
      const { values } = call;
      const isDefault = values.default === true ? true : undefined;
      const body = given({ name: text(values, 'name'), slug: text(values, 'slug'), isDefault });
      if (Object.keys(body).length === 0) throw new Usage('Name what to change: --name, --slug or --default');
      const id = await idOf(context, required(call, 0));
      await output.item(await client().environments.update(id, body, { signal }));
    },
  },
  deleteRow({
    usage: 'delete <slug>',
    summary: 'Delete an environment with its endpoints, keys and events',
    examples: ['posthorn environments delete qa --yes'],
    question: (slug) => `Delete the environment ${slug} with its endpoints, keys and events?`,
    remove: async (context, slug) => {
      const { client, signal } = context;
      return client().environments.delete(await idOf(context, slug), { signal });
    },
  }),
];
