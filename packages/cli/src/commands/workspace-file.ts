import type { WorkspacePlan } from '@posthorn/client';
import pc from 'picocolors';
import { approve, YES } from '../approve.ts';
import { type Call, type Row, text } from '../command.ts';
import type { Context } from '../context.ts';
import { Usage } from '../failure.ts';
import { hasColor } from '../terminal.ts';
import type { Check } from '../workspace/items.ts';
import type { Part } from '../workspace/parts.ts';
import { createSender, needsRoom, type Sender } from '../workspace/send-file.ts';
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
    options: { '--secret-names': 'a variable instead of each secret' },
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
  const sender = await open(context, call);
  const { plan: whole, left } = await planWhole(sender);
  if (left.length > 0)
    context.output.note(`What ${left.length} of the parts change depends on the others: apply shows it`);
  await show(context, whole);
}

/**
 * Plans every part before any is applied, so that a fault in one part changes nothing. Also returns the parts that
 * cannot be planned yet.
 */
async function planWhole({ parts, send }: Sender): Promise<{ plan: WorkspacePlan; left: Part[] }> {
  const plans: WorkspacePlan[] = [];
  const left: Part[] = [];
  for (const part of parts) {
    const waits =
      (part.removes === 'eventTypes' && plans.some(changesSubscriptions)) ||
      (!part.checks.every(isWhole) && plans.some(isNeeded));
    // Check at least the items that depend on no other part.
    if (waits && part.removes === undefined) await planPart(part.checks.filter(isWhole), { part, send });
    const planned = waits ? undefined : await planPart(part.checks, { part, send });
    if (planned === undefined) left.push(part);
    else plans.push(...planned);
  }
  return { plan: sumOf(plans), left };
}

function isWhole(check: Check): boolean {
  return check.isWhole;
}

/** Undefined if the part only fits once other parts have made room for it. */
async function planPart(
  checks: readonly Check[],
  { part, send }: { part: Part; send: Sender['send'] },
): Promise<WorkspacePlan[] | undefined> {
  const plans: WorkspacePlan[] = [];
  try {
    for (const check of checks) plans.push(await send(check, { dryRun: true }));
    return plans;
  } catch (error) {
    if (needsRoom(error, part)) return undefined;
    throw error;
  }
}

/** Whether a plan removes a subscription. An event type may be removable only after that. */
function changesSubscriptions({ changes }: WorkspacePlan): boolean {
  return changes.some(({ fields }) => fields.some(({ field, to }) => field.startsWith('eventTypes.') && to === null));
}

/** Whether other parts may refer to what a plan creates. */
function isNeeded({ changes }: WorkspacePlan): boolean {
  return changes.some(({ action, kind }) => action === 'create' && kind !== 'endpoint');
}

async function applyFile(context: Context, call: Call): Promise<void> {
  const { output } = context;
  const isAsked = !call.values.yes;
  const sender = await open(context, call);
  const { parts } = sender;
  // One part is one transaction: a fault in it changes nothing anyway.
  const isPlanned = isAsked || parts.length > 1;
  const { plan: planned, left } = isPlanned ? await planWhole(sender) : { plan: undefined, left: [] };
  const isSame = planned !== undefined && left.length === 0 && !hasChanges(planned);
  if (isAsked && planned !== undefined && hasChanges(planned)) await askFor(context, call, planned);
  const done = isSame ? { ...planned, applied: true } : await applyParts(context, call, { sender, left });
  if (output.format === 'table' && isAsked) return output.text(describeCounts(done));
  await show(context, done);
}

type Applied = { sender: Sender; left: readonly Part[] };

/** Applies one part after the other. A part that was not planned before is planned, shown and confirmed first. */
async function applyParts(context: Context, call: Call, { sender, left }: Applied): Promise<WorkspacePlan> {
  const { parts, send } = sender;
  const applied: WorkspacePlan[] = [];
  try {
    for (const part of parts) {
      const done = applied.length;
      const planned = left.includes(part) && !call.values.yes ? await send(part, { dryRun: true, done }) : undefined;
      if (planned !== undefined && hasChanges(planned)) await askFor(context, call, planned);
      applied.push(await send(part, { dryRun: false, done }));
    }
  } catch (error) {
    if (applied.length > 0)
      context.output.note(`${applied.length} of ${parts.length} parts are applied. Apply the file again to go on`);
    throw error;
  }
  return sumOf(applied);
}

async function askFor(context: Context, { values }: Call, planned: WorkspacePlan): Promise<void> {
  const { output, terminal } = context;
  if (output.format === 'table') await show(context, planned);
  // The output is for a program, so show the plan to the person on stderr.
  else if (terminal.stdin.isTTY) {
    terminal.stderr.write(describePlan(planned, pc.createColors(hasColor(terminal, terminal.stderr))));
  }
  await approve(context, values, 'Change the workspace like this?');
}

function hasChanges({ changes }: WorkspacePlan): boolean {
  return changes.some(({ action }) => action !== 'none');
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
