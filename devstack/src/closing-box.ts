import { join, relative } from 'node:path';
import type { Instance } from './instance-file.ts';
import { bold, dim, red } from './say.ts';
import type { DemoOutcome } from './show-demo.ts';

type Place = { home: string; environmentFile: string };

/**
 * The text for a person at the end of the start: addresses, credentials, and commands to paste. It says that Posthorn is
 * ready only when the demo's webhook arrived.
 */
export function closingBox(instance: Instance, demo: DemoOutcome, place: Place): string {
  const rule = dim('─'.repeat(100));
  const facts = [
    ...addresses(instance),
    ...queuesAndMetrics(instance),
    ['Logs', shown(join(place.home, 'logs'))],
    shape(instance),
  ];
  return [
    '',
    rule,
    ...heading(demo, place),
    '',
    ...facts.map(([name = '', value]) => `  ${name.padEnd(11)} ${value}`),
    ...commands(place).flatMap(([words, command]) => ['', `  ${dim(`# ${words}`)}`, command]),
    rule,
  ].join('\n');
}

function heading({ kind, words }: DemoOutcome, { home }: Place): string[] {
  switch (kind) {
    case 'arrived':
      return [`  ${bold('Posthorn is ready.')}  Ctrl-C stops it.`];
    case 'skipped':
      return [`  ${bold('Posthorn runs.')} The demo delivery was skipped: ${words}.  Ctrl-C stops it.`];
    case 'failed':
      return [
        `  ${red('Posthorn runs, but the demo delivery did not succeed:')} ${words}`,
        `  Look into dispatcher-1.log and api.log (all.log with one process) in ${shown(join(home, 'logs'))}.  Ctrl-C stops it.`,
      ];
  }
}

function addresses(instance: Instance): string[][] {
  return [
    ['Dashboard', instance.dashboardUrl],
    ['  log in', `${instance.login.email}   ${instance.login.password}`],
    ...(instance.mailboxUrl === undefined ? [] : [['Mailbox', instance.mailboxUrl]]),
    ['Documents', `${instance.baseUrl}/docs`],
    ['Reference', `${instance.baseUrl}/reference`],
    ['API', instance.baseUrl],
    ['  manage', `Bearer ${instance.managementToken}`],
    ['  ingest', `Bearer ${instance.apiKey}`],
  ];
}

function queuesAndMetrics({ processes, admin }: Instance): string[][] {
  const boards = processes.flatMap(({ name, adminUrl }) => (adminUrl === undefined ? [] : [`${adminUrl} (${name})`]));
  const metrics = processes.flatMap(({ name, metricsUrl }) =>
    metricsUrl === undefined ? [] : [`${metricsUrl} (${name})`],
  );
  return [
    ...boards.map((words, index) => [index === 0 ? 'Queues' : '', words]),
    ...(boards.length === 0 ? [] : [['  log in', `${admin.user}   ${admin.password}`]]),
    ...metrics.map((words, index) => [index === 0 ? 'Metrics' : '', words]),
  ];
}

/** Describes how the instance runs, and how to run it the other way. */
function shape({ processes, redisUrl }: Instance): [string, string] {
  const isOne = processes.some(({ name }) => name === 'all');
  const stores = redisUrl === undefined ? 'Postgres alone' : 'Postgres and Redis';
  const other = isOne
    ? 'npm start -- --scaled: an API and dispatchers, with Redis'
    : 'npm start -- --one: one process, with Postgres alone';
  return ['Shape', `${isOne ? 'one process' : 'API and dispatchers'}, ${stores}   (${other})`];
}

/** The commands that need no value to fill in. Each line of a command has no indent, so that it can be copied. */
function commands({ environmentFile }: Place): [string, string][] {
  return [
    ['In another terminal: a receiver that shows each webhook and checks its signature', 'npm run receiver'],
    ['In a third one: addresses and credentials as variables', `. ${shown(environmentFile)}`],
    [
      'A customer, by your own id, and an event type that is published',
      `curl -sS -X PUT "$WORKSPACE_URL/applications/ext:fabrikam" -H "Authorization: Bearer $MANAGEMENT_TOKEN" \\
  -H "Content-Type: application/json" -d '{"name":"Fabrikam"}'
curl -sS "$WORKSPACE_URL/event-types" -H "Authorization: Bearer $MANAGEMENT_TOKEN" \\
  -H "Content-Type: application/json" -d '{"name":"account.opened","publishIn":["'$ENVIRONMENT_ID'"]}'`,
    ],
    [
      'An endpoint of this customer, subscribed to the event type',
      `curl -sS "$WORKSPACE_URL/applications/ext:fabrikam/endpoints" -H "Authorization: Bearer $MANAGEMENT_TOKEN" \\
  -H "Content-Type: application/json" -d '{"url":"'$RECEIVER_URL'","eventTypes":["account.opened"]}'`,
    ],
    [
      'An event for this customer alone',
      `curl -sS "$BASE_URL/api/ingest/event/account.opened" -H "Authorization: Bearer $API_KEY" \\
  -H "X-Application-Id: ext:fabrikam" -H "Content-Type: application/json" -d '{"id":"account_1","name":"Ada"}'`,
    ],
  ];
}

/** The path as it can be typed in the current folder. */
function shown(path: string): string {
  const near = relative(process.cwd(), path);
  const short = near.startsWith('..') || near === '' ? path : near;
  return short.includes(' ') ? `'${short}'` : short;
}
