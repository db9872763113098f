import { type CheckReport, type CheckResult, checkReceiver } from '@posthorn/client/check';
import { sign } from '@posthorn/client/webhooks';
import { parseUrl } from '@posthorn/runtime/parse-url';
import { approve, YES } from '../approve.ts';
import { type Call, type Row, readInput, required, text, type Values, wholeNumber } from '../command.ts';
import type { Context } from '../context.ts';
import { EXIT, Usage } from '../failure.ts';
import { isLoopback } from '../loopback.ts';
import { createFetch } from '../proxied-fetch.ts';

export const check: readonly Row[] = [
  {
    usage: 'check <url>',
    summary: 'Test a receiver of webhooks, without an account; exit code 5 when something important fails',
    options: {
      '--secret <secret>': 'the secret with which the receiver verifies (whsec_…)',
      '--effects <url>': 'an address that answers with a number, which a repeated webhook must not change',
      '--type <name>': 'an event type that the receiver knows, if it refuses others; posthorn.check unless named',
      '--ca <file>': 'trust the certificates of this file, in PEM',
      '--insecure': 'accept any certificate',
      '--timeout <ms>': 'for each request: 10000 unless another is given',
      '--junit': 'print a JUnit report: the same as --output junit',
      ...YES,
    },
    examples: [
      'posthorn check "$RECEIVER_URL" --secret "$RECEIVER_SECRET"',
      'posthorn check "$RECEIVER_URL" --secret "$RECEIVER_SECRET" --output junit',
    ],
    hasJunit: true,
    run: runCheck,
  },
];

async function runCheck(context: Context, call: Call): Promise<number> {
  const { options, output, signal } = context;
  const { values } = call;
  const url = required(call, 0);
  const secret = text(values, 'secret');
  if (secret === undefined) throw new Usage('--secret is required');
  await sign('', secret).catch(() => {
    throw new Usage('--secret must be whsec_ and base64, as the endpoint shows it');
  });
  if (parseUrl(url) === undefined) throw new Usage('The address must be a URL');
  const effectsUrl = text(values, 'effects');
  if (effectsUrl !== undefined && parseUrl(effectsUrl) === undefined) throw new Usage('--effects must be a URL');
  if (!isLoopback(url)) await approve(context, values, `Send about 25 test webhooks to ${new URL(url).host}?`);
  if (effectsUrl !== undefined && !isLoopback(effectsUrl)) {
    await approve(context, values, `Read the number of effects from ${new URL(effectsUrl).host}?`);
  }
  const eventType = text(values, 'type');
  const fetch = await createFetch(context.terminal.env, await readTls(context, values));
  const timeoutMs = wholeNumber(values, 'timeout', { least: 1, most: 600_000 });
  const report = await checkReceiver({ url, secret, timeoutMs, effectsUrl, eventType, fetch, signal });
  if (values.junit || options.output === 'junit') output.text(toJunit(report));
  else if (output.format === 'table') {
    await output.list(withoutEqualFaults(report.results), {
      check: (one) => one.name,
      outcome: (one) => one.outcome,
      fault: (one) => one.fault,
      why: (one) => (one.fault === null ? '' : one.why),
    });
    if (eventType === undefined && refusesAll(report)) {
      output.note('If the receiver refuses the event type posthorn.check, name one that it knows: --type <name>');
    }
  } else await output.item(report);
  return report.passed ? EXIT.ok : EXIT.refused;
}

async function readTls(context: Context, values: Values) {
  const file = text(values, 'ca');
  if (file === undefined && !values.insecure) return undefined;
  const ca = file === undefined ? undefined : await readInput(context, `@${file}`);
  return { ca, rejectUnauthorized: values.insecure ? false : undefined };
}

/** Groups the checks that the receiver failed in the same way. */
function byFault(results: readonly CheckResult[]): CheckResult[][] {
  const groups = new Map<string, CheckResult[]>();
  for (const result of results) {
    const key = result.fault === null ? result.name : `${result.outcome} ${result.fault}`;
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  return [...groups.values()];
}

/** Merges the checks with the same fault into one line. */
function withoutEqualFaults(results: readonly CheckResult[]): CheckResult[] {
  return byFault(results).flatMap(([first, ...more]) => {
    if (first === undefined) return [];
    const name = more.length === 0 ? first.name : `${first.name} and ${more.length} more`;
    return { ...first, name };
  });
}

/** Whether the receiver refuses even a signed JSON event. It may then refuse any event type that it does not know. */
function refusesAll({ results }: CheckReport): boolean {
  return results.some(({ name, fault }) => name === 'JSON' && fault?.startsWith('it answered 4') === true);
}

/** Reports a fault as a failure at its first check only. Later checks with the same fault are skipped. */
function toJunit({ results }: CheckReport): string {
  const firstOf = new Map(byFault(results).flatMap((group) => group.map((one) => [one, group[0]?.name])));
  const isRepeated = (one: CheckResult) => one.outcome === 'fail' && firstOf.get(one) !== one.name;
  const skipped = results.filter(isRepeated).length;
  const failures = results.filter(({ outcome }) => outcome === 'fail').length - skipped;
  const cases = results.map((result) => {
    const { name, outcome, fault, why } = result;
    const open = `  <testcase classname="posthorn check" name="${escapeXml(name)}"`;
    if (fault === null) return `${open}/>`;
    if (isRepeated(result)) {
      return `${open}><skipped message="${escapeXml(`The same fault as of "${firstOf.get(result)}"`)}"/></testcase>`;
    }
    const text = escapeXml(`${fault}. ${why}`);
    const inside = outcome === 'fail' ? `<failure message="${text}"/>` : `<system-out>${text}</system-out>`;
    return `${open}>${inside}</testcase>`;
  });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="posthorn check" tests="${results.length}" failures="${failures}" skipped="${skipped}">`,
    ...cases,
    '</testsuite>',
  ].join('\n');
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
