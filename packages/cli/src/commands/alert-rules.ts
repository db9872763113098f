import type { AlertRule, CreateAlertRuleBody } from '@posthorn/client';
import { type Call, given, type Row, required, text, texts, wholeNumber } from '../command.ts';
import { type Context, namedEnvironment } from '../context.ts';
import { Usage } from '../failure.ts';
import type { Columns } from '../output.ts';
import { deleteRow, getRow, listRow } from '../rows.ts';

const COLUMNS: Columns<AlertRule> = {
  id: (rule) => rule.id,
  name: (rule) => rule.name,
  channel: (rule) => rule.channel,
  target: (rule) => rule.target,
  events: (rule) => rule.events.join(', '),
};

const FIELDS = {
  '--target <target>': 'the address of the mail or of the incoming webhook, or the key of the service',
  '--events <names>': 'the operational events, with commas between them',
  '--application <id>': 'only for endpoints of this customer',
  '--quiet-minutes <n>': 'at most one message of each event in this time',
};

export const alertRules: readonly Row[] = [
  listRow({
    summary: 'List the rules by which Posthorn tells you about trouble',
    examples: ['posthorn alert-rules list'],
    columns: COLUMNS,
    items: ({ client }, _values, page) => client().alertRules.list(page),
  }),
  getRow({
    summary: 'Show an alert rule',
    examples: ['posthorn alert-rules get "$ALERT_RULE_ID"'],
    read: ({ client, signal }, id) => client().alertRules.get(id, { signal }),
  }),
  {
    usage: 'create <name>',
    summary: 'Create an alert rule, for the environment that is named or for all',
    options: { '--channel <channel>': 'where messages go, such as email, slack or pagerduty', ...FIELDS },
    examples: [
      'posthorn alert-rules create "On call" --channel slack --target https://127.0.0.1/hook --events posthorn.endpoint.failing',
    ],
    async run(context, call) {
      const { client, output, signal } = context;
      const { channel, target, events, ...rest } = readFields(call);
      if (channel === undefined || target === undefined || events === undefined) {
        throw new Usage('--channel, --target and --events are required');
      }
      const body = {
        name: required(call, 0),
        channel,
        target,
        events,
        ...rest,
        ...(await within(context)),
      };
      await output.item(await client().alertRules.create(body, { signal }));
    },
  },
  {
    usage: 'update <id>',
    summary: 'Change an alert rule; what is not named stays',
    options: { '--name <name>': 'another name', ...FIELDS },
    examples: ['posthorn alert-rules update "$ALERT_RULE_ID" --quiet-minutes 30'],
    async run({ client, output, signal }, call) {
      const { channel: _, ...fields } = readFields(call);
      const body = { ...given({ name: text(call.values, 'name') }), ...fields };
      if (Object.keys(body).length === 0) throw new Usage('Name what to change, such as --events');
      await output.item(await client().alertRules.update(required(call, 0), body, { signal }));
    },
  },
  deleteRow({
    summary: 'Delete an alert rule',
    examples: ['posthorn alert-rules delete "$ALERT_RULE_ID" --yes'],
    question: (id) => `Delete the alert rule ${id}?`,
    remove: ({ client, signal }, id) => client().alertRules.delete(id, { signal }),
  }),
];

/** Only an environment that an option or a variable names limits a rule; the environment of the profile does not. */
async function within(context: Context) {
  return namedEnvironment(context) === undefined ? {} : given({ environmentId: await context.environmentId() });
}

function readFields({ values }: Call) {
  return given({
    channel: text(values, 'channel') as CreateAlertRuleBody['channel'] | undefined,
    target: text(values, 'target'),
    // The service checks the names. Its error lists the events that exist.
    events: texts(values, 'events') as CreateAlertRuleBody['events'] | undefined,
    applicationId: text(values, 'application'),
    quietMinutes: wholeNumber(values, 'quietMinutes', { least: 0, most: 1_000_000 }),
  });
}
