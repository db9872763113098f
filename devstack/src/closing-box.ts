import { DEMO_EVENT_TYPE } from './demo.ts';
import type { Instance } from './instance-file.ts';
import { bold, dim } from './say.ts';

/** The text for a person at the end of the start: addresses, credentials and three commands to paste. */
export function closingBox(instance: Instance): string {
  const workspace = `${instance.baseUrl}/management/v1/workspaces/${instance.workspaceId}`;
  const facts: [string, string][] = [
    ['Dashboard', instance.dashboardUrl],
    ['  log in', `${instance.login.email}   ${instance.login.password}`],
    ['API', instance.baseUrl],
    ['  manage', `Bearer ${instance.managementToken}`],
    ['  ingest', `Bearer ${instance.apiKey}`],
    ...instance.processes.flatMap(({ name, adminUrl }): [string, string][] =>
      adminUrl === undefined
        ? []
        : [['Queues', `${adminUrl} (${name}; ${instance.admin.user} / ${instance.admin.password})`]],
    ),
  ];
  const commands: [string, string][] = [
    ['Send an event:', sendEvent(instance)],
    [
      'See what became of it:',
      `curl -s "${workspace}/deliveries?limit=5" -H "Authorization: Bearer ${instance.managementToken}"`,
    ],
    [
      'Add a webhook endpoint of your own (any https address):',
      `curl -s -X POST "${workspace}/endpoints" -H "Authorization: Bearer ${instance.managementToken}" \\\n    -H "Content-Type: application/json" -d '{"url":"https://example.com/webhooks"}'`,
    ],
  ];
  const rule = dim('─'.repeat(100));
  return [
    '',
    rule,
    `  ${bold('Posthorn is ready.')}  Ctrl-C stops it.`,
    '',
    ...facts.map(([name, value]) => `  ${name.padEnd(11)} ${value}`),
    ...commands.flatMap(([words, command]) => ['', `  ${dim(words)}`, `  ${command}`]),
    rule,
  ].join('\n');
}

function sendEvent(instance: Instance): string {
  return `curl -s -X POST "${instance.baseUrl}/api/ingest/event/${DEMO_EVENT_TYPE}" -H "Authorization: Bearer ${instance.apiKey}" \\\n    -H "Content-Type: application/json" -d '{"id":"order_1002","total":1900,"currency":"EUR"}'`;
}
