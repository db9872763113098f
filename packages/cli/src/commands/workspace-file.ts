import type { WorkspacePlan } from '@posthorn/client';
import pc from 'picocolors';
import { approve, YES } from '../approve.ts';
import { type Call, type Row, text } from '../command.ts';
import type { Context } from '../context.ts';
import { Usage } from '../failure.ts';
import { hasColor } from '../terminal.ts';
import { createSender, type Sender } from '../workspace/send-file.ts';
import { describeCounts, describePlan, sumOf } from '../workspace/show-plan.ts';

// A workspace as one file: docs/how-to/workspace-as-a-file.md.

const FILE = {
  '-f, --file <file>': 'a file of YAML or JSON, or - for stdin',
  '--prune': 'also remove what the lists of the file do not name',
};

export const plan: readonly Row[] = [
  {
    usage: 'plan',
    summary: 'Show what a file would change in the workspace; nothing changes',
    options: FILE,
    examples: ['posthorn plan -f "$WORKSPACE_FILE"'],
    run: planFile,
  },
];

export const apply: readonly Row[] = [
  {
    usage: 'apply',
    summary: 'Make the workspace like a file: shows what changes, and asks',
    options: { ...FILE, ...YES },
    examples: ['posthorn apply -f "$WORKSPACE_FILE" --yes'],
    run: applyFile,
  },
];

export const exportRows: readonly Row[] = [
  {
    usage: 'export',
    summary: 'Write the workspace as a file for apply; with --environment the part of one environment',
    options: { '--secret-names': 'a variable in the place of each secret' },
    examples: ['posthorn export > exported.yaml'],
    async run(context, { values }) {
      const { exportWorkspace } = await import('../workspace/export.ts');
      context.output.text(await exportWorkspace(context, { secretNames: values.secretNames === true }));
    },
  },
];

export const schema: readonly Row[] = [
  {
    usage: 'schema',
    summary: 'Print the JSON Schema of a workspace file, for your editor',
    examples: ['posthorn schema > workspace.schema.json'],
    async run({ output }) {
      const { default: document } = await import('../workspace/workspace.schema.json', { with: { type: 'json' } });
      output.text(JSON.stringify(document, null, 2));
    },
  },
];

async function planFile(context: Context, call: Call): Promise<void> {
  const { parts, send } = await open(context, call);
  const plans: WorkspacePlan[] = [];
  for (const [index, part] of parts.entries()) {
    if (part.removes === 'eventTypes' && plans.some(changesSubscriptions)) {
      context.output.note('Which event types are removed depends on subscriptions that change: apply shows it');
      break;
    }
    const planned = await send(part, { dryRun: true });
    plans.push(planned);
    const left = parts.length - index - 1;
    if (left === 0 || !isNeeded(planned)) continue;
    context.output.note(`The other parts (${left}) may need what this one creates: apply shows the plan of each`);
    break;
  }
  await show(context, sumOf(plans));
}

/** Whether a plan removes a subscription, so that an event type may then be removed. */
function changesSubscriptions({ changes }: WorkspacePlan): boolean {
  return changes.some(({ fields }) => fields.some(({ field, to }) => field.startsWith('eventTypes.') && to === null));
}

/** Whether later parts may refer to what a plan creates. */
function isNeeded({ changes }: WorkspacePlan): boolean {
  return changes.some(({ action, kind }) => action === 'create' && kind !== 'endpoint');
}

async function applyFile(context: Context, call: Call): Promise<void> {
  const { values } = call;
  const { parts, send } = await open(context, call);
  const plans: WorkspacePlan[] = [];
  const isShown = context.output.format === 'table';
  for (const part of parts) {
    if (values.yes) {
      const applied = await send(part, { dryRun: false });
      if (isShown) await show(context, applied);
      plans.push(applied);
      continue;
    }
    const planned = await send(part, { dryRun: true });
    const isSame = planned.changes.every(({ action }) => action === 'none');
    if (isShown && !isSame) await show(context, planned);
    if (!isSame) await approve(context, values, 'Change the workspace like this?');
    plans.push(isSame ? { ...planned, applied: true } : await send(part, { dryRun: false }));
  }
  const done = sumOf(plans);
  if (context.output.format !== 'table') return context.output.item(done);
  if (!values.yes) context.output.text(describeCounts(done));
}

async function open(context: Context, { values }: Call): Promise<Sender> {
  const name = text(values, 'file');
  if (name === undefined) throw new Usage('Name the file: -f workspace.yaml');
  const { readWorkspaceFile } = await import('../workspace/read-file.ts');
  return createSender(context, await readWorkspaceFile(context.terminal, name), values.prune === true);
}

async function show({ output, terminal }: Context, planned: WorkspacePlan): Promise<void> {
  if (output.format !== 'table') return output.item(planned);
  output.text(describePlan(planned, pc.createColors(hasColor(terminal, terminal.stdout))));
}
