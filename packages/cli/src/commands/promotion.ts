import type { EnvironmentDiff, Posthorn, PromoteEnvironmentBody } from '@posthorn/client';
import { approve, YES } from '../approve.ts';
import { type Call, given, type Row, required, text, texts } from '../command.ts';
import { type Context, findEnvironments } from '../context.ts';
import { Usage } from '../failure.ts';

export const diff: readonly Row[] = [
  {
    usage: 'diff <from> <to>',
    summary: 'Show what would make an environment like another, by slug or id',
    examples: ['posthorn diff production staging'],
    async run(context, call) {
      const { client, signal } = context;
      const [from, to] = await readPair(context, call);
      await printDiff(context, await client().environments.diff(from, to, { signal }));
    },
  },
];

export const promote: readonly Row[] = [
  {
    usage: 'promote <from> <to>',
    summary: 'Make an environment like another in what is named',
    options: {
      '--event-types <names>': 'all, or these, with commas between them',
      '--endpoints <ids>': 'these, with commas between them; a new one needs its address: ep_…=https://…',
      '--sources <ids>': 'these, with commas between them, if they exist there',
      '--prune': 'also unpublish, unsubscribe and delete what the first one does not have',
      '--dry-run': 'only show what would change',
      ...YES,
    },
    examples: ['posthorn promote production staging --event-types all --dry-run'],
    run: promoteEnvironment,
  },
];

async function promoteEnvironment(context: Context, call: Call): Promise<void> {
  const { client, signal } = context;
  const { values } = call;
  const [from, to] = await readPair(context, call);
  const names = texts(values, 'eventTypes');
  const body: PromoteEnvironmentBody = given({
    eventTypes: text(values, 'eventTypes') === 'all' ? 'all' : names && (await readTypeIds(client(), names, signal)),
    endpoints: texts(values, 'endpoints')?.map((one) => {
      const [endpointId = '', ...url] = one.split('=');
      return { endpointId, ...(url.length > 0 ? { url: url.join('=') } : {}) };
    }),
    sources: texts(values, 'sources')?.map((sourceId) => ({ sourceId })),
    prune: values.prune === true ? true : undefined,
  });
  if (body.eventTypes === undefined && body.endpoints === undefined && body.sources === undefined) {
    throw new Usage('Say what to promote: --event-types all, --endpoints ep_…');
  }
  const planned = await client().environments.promote(from, to, { ...body, dryRun: true }, { signal });
  if (values.dryRun) return printDiff(context, planned.applied);
  const { eventTypes, endpoints, sources } = planned.applied;
  const counts = `${eventTypes.length} event types, ${endpoints.length} endpoints and ${sources.length} sources`;
  const question = `Change ${counts} of ${call.args[1]}?`;
  await approve(context, values, question);
  const done = await client().environments.promote(from, to, body, { signal });
  await printDiff(context, done.applied);
}

async function printDiff({ output }: Context, diff: EnvironmentDiff): Promise<void> {
  if (output.format !== 'table') return output.item(diff);
  const types = diff.eventTypes.map(({ change, name, from, to }) => ({
    change,
    what: name,
    detail: `${JSON.stringify(from)} → ${JSON.stringify(to)}`,
  }));
  const endpoints = diff.endpoints.map(({ change, endpointId, fields, subscriptions }) => ({
    change,
    what: endpointId,
    detail: [
      ...detailsOf(fields),
      ...subscriptions.add.map(({ eventTypeName }) => `+${eventTypeName}`),
      ...subscriptions.remove.map(({ eventTypeName }) => `-${eventTypeName}`),
      ...subscriptions.change.map(({ eventTypeName }) => `~${eventTypeName}`),
    ].join(', '),
  }));
  const sources = diff.sources.map(({ change, sourceId, fields }) => ({
    change,
    what: sourceId,
    detail: detailsOf(fields).join(', '),
  }));
  await output.list([...types, ...endpoints, ...sources], {
    change: (one) => one.change,
    what: (one) => one.what,
    detail: (one) => one.detail,
  });
}

function detailsOf(fields: EnvironmentDiff['sources'][number]['fields']): string[] {
  return Object.entries(fields).map(
    ([name, { from, to }]) => `${name}: ${JSON.stringify(from)} → ${JSON.stringify(to)}`,
  );
}

async function readPair(context: Context, call: Call): Promise<[string, string]> {
  const [from = '', to = ''] = await findEnvironments(context, [required(call, 0), required(call, 1)]);
  return [from, to];
}

async function readTypeIds(client: Posthorn, names: readonly string[], signal: AbortSignal): Promise<string[]> {
  const { requireEventTypeId } = await import('./event-types.ts');
  return Promise.all(names.map((name) => requireEventTypeId(client, name, signal)));
}
