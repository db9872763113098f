import type { Application } from '@posthorn/client';
import { given, type Row, readObject, required, text } from '../command.ts';
import { Usage } from '../failure.ts';
import type { Columns } from '../output.ts';
import { deleteRow, getRow, listRow } from '../rows.ts';

const COLUMNS: Columns<Application> = {
  id: (application) => application.id,
  'external id': (application) => application.externalId,
  name: (application) => application.name,
  created: (application) => application.createdAt,
};

const FIELDS = {
  '--external-id <id>': 'your own id of the customer: ext:<id> is accepted wherever its id is',
  '--metadata <json>': 'your own data, as JSON, @file or -',
};

export const applications: readonly Row[] = [
  listRow({
    summary: 'List your customers',
    options: { '--search <text>': 'those whose name or external id has it' },
    examples: ['posthorn applications list'],
    columns: COLUMNS,
    items: ({ client }, values, page) => client().applications.list({ ...page, search: text(values, 'search') }),
  }),
  getRow({
    summary: 'Show a customer',
    examples: ['posthorn applications get ext:acme'],
    read: ({ client, signal }, id) => client().applications.get(id, { signal }),
  }),
  {
    usage: 'create <name>',
    summary: 'Create a customer',
    options: FIELDS,
    examples: ['posthorn applications create "Globex" --external-id globex'],
    async run(context, call) {
      const { client, output, signal } = context;
      const metadata = (await readObject(context, call.values, 'metadata')) as Record<string, string> | undefined;
      const body = { name: required(call, 0), ...given({ externalId: text(call.values, 'externalId'), metadata }) };
      await output.item(await client().applications.create(body, { signal }));
    },
  },
  {
    usage: 'update <id>',
    summary: 'Change a customer; what is not named stays',
    options: { '--name <name>': 'another name', ...FIELDS },
    examples: ['posthorn applications update ext:acme --name "Acme Corporation"'],
    async run(context, call) {
      const { client, output, signal } = context;
      const metadata = (await readObject(context, call.values, 'metadata')) as Record<string, string> | undefined;
      const externalId = text(call.values, 'externalId');
      const body = given({ name: text(call.values, 'name'), externalId, metadata });
      if (Object.keys(body).length === 0) throw new Usage('Name what to change, such as --name');
      await output.item(await client().applications.update(required(call, 0), body, { signal }));
    },
  },
  deleteRow({
    summary: 'Delete a customer with its endpoints',
    examples: ['posthorn applications delete ext:globex --yes'],
    question: (id) => `Delete the customer ${id} with its endpoints?`,
    remove: ({ client, signal }, id) => client().applications.delete(id, { signal }),
  }),
];
