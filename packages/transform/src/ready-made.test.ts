import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from '@jest/globals';
import { z } from 'zod';
import { openTransformer } from './open-transformer.ts';

// Runs the transformations of docs/transformations, which the dashboard and the portal offer, as a dispatcher does.

const ROOM = join(import.meta.dirname, '../../../docs/transformations');
const transformer = openTransformer();
afterAll(() => transformer.close());

const NESTED = {
  type: 'invoice.paid',
  timestamp: '2026-11-26T12:00:00Z',
  data: { id: 'inv_1', amountDue: 1900, customer: { name: 'Globex <&> Söhne' }, lines: [{ sku: 'a' }, { sku: 'b' }] },
};
const deep = (levels: number): unknown => (levels === 0 ? 'end' : { a: deep(levels - 1) });
const wide = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`key ${index}`, 'ü'.repeat(2_000)]));

/** Payloads that producers send, and some that no receiver expects. */
const PAYLOADS: readonly [name: string, body: string | null][] = [
  ['an envelope with nested data', JSON.stringify(NESTED)],
  ['a flat object', '{"id":"order_1","total":3,"paid":true,"note":null}'],
  ['an empty object', '{}'],
  ['a list', '[1,{"a":2}]'],
  ['a number', '0'],
  ['null', 'null'],
  ['empty keys and texts', '{"":"","a":{"":" "}}'],
  ['a deep object', JSON.stringify(deep(200))],
  ['100 keys with long texts', JSON.stringify(wide)],
  ['a text that is not JSON', 'a;b\nc;d'],
  ['no text', null],
];

const NO_KEY = "ROUTING_KEY = ''";

async function sentBy(name: string, body: string | null, type: string | null = 'invoice.paid') {
  const code = readFileSync(join(ROOM, name), 'utf8').replace(NO_KEY, `ROUTING_KEY = '${'R'.repeat(32)}'`);
  const event = {
    ...{ id: `msg_${'0'.repeat(26)}`, type, createdAt: '2026-11-26T12:00:00.000Z', applicationId: null },
    ...{ contentType: 'application/json', body, endpoint: { id: `ep_${'0'.repeat(26)}`, metadata: {} } },
  };
  const allows = { headers: true, path: true };
  const tried = await transformer.attempt({ ownerId: 'ws', workspaceId: 'ws' }, { code, event, allows });
  if ('kind' in tried) throw new Error('too many transformations wait');
  if (tried.outcome.kind !== 'made') throw new Error(JSON.stringify(tried.outcome));
  return { text: tried.outcome.body.toString(), json: JSON.parse(tried.outcome.body.toString()) as unknown };
}

const text = (most: number) => z.string().min(1).max(most);

// https://docs.slack.dev/reference/block-kit/blocks: header and section, and its fields.
const slack = z.strictObject({
  text: text(40_000),
  blocks: z
    .array(
      z.union([
        z.strictObject({
          type: z.literal('header'),
          text: z.strictObject({ type: z.literal('plain_text'), text: text(150) }),
        }),
        z.strictObject({
          type: z.literal('section'),
          fields: z
            .array(z.strictObject({ type: z.literal('mrkdwn'), text: text(2_000) }))
            .min(1)
            .max(10),
        }),
      ]),
    )
    .min(1)
    .max(50),
});

// https://discord.com/developers/docs/resources/message#embed-object-embed-limits
const discord = z
  .strictObject({
    embeds: z.tuple([
      z.strictObject({
        title: text(256),
        timestamp: z.iso.datetime(),
        color: z.int().max(0xffffff),
        fields: z.array(z.strictObject({ name: text(256), value: text(1_024), inline: z.boolean() })).max(25),
        footer: z.strictObject({ text: text(2_048) }),
      }),
    ]),
    allowed_mentions: z.strictObject({ parse: z.tuple([]) }),
  })
  .refine(({ embeds: [{ title, fields, footer }] }) => {
    const texts = [title, footer.text, ...fields.flatMap(({ name, value }) => [name, value])];
    return texts.every((one) => one.trim() !== '') && texts.join('').length <= 6_000;
  }, 'The texts of an embed have at most 6,000 characters together, and none is empty');

// https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using
const teams = z.strictObject({
  type: z.literal('message'),
  attachments: z.tuple([
    z.strictObject({
      contentType: z.literal('application/vnd.microsoft.card.adaptive'),
      contentUrl: z.null(),
      content: z.strictObject({
        $schema: z.literal('http://adaptivecards.io/schemas/adaptive-card.json'),
        type: z.literal('AdaptiveCard'),
        version: z.literal('1.4'),
        body: z.array(
          z.discriminatedUnion('type', [
            z.object({ type: z.literal('TextBlock'), text: z.string().min(1) }),
            z.strictObject({
              type: z.literal('FactSet'),
              facts: z.array(z.strictObject({ title: z.string(), value: z.string() })).min(1),
            }),
          ]),
        ),
      }),
    }),
  ]),
});

// https://developer.pagerduty.com/docs/send-alert-event
const pagerduty = z.discriminatedUnion('event_action', [
  z.strictObject({ routing_key: z.string().length(32), event_action: z.literal('resolve'), dedup_key: text(255) }),
  z.strictObject({
    routing_key: z.string().length(32),
    event_action: z.literal('trigger'),
    dedup_key: text(255),
    payload: z.strictObject({
      summary: text(1_024),
      source: text(255),
      severity: z.enum(['critical', 'error', 'warning', 'info']),
      timestamp: z.iso.datetime(),
      custom_details: z.unknown(),
    }),
  }),
]);

const flat = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));

const SHAPES: Readonly<Record<string, z.ZodType>> = {
  'slack.js': slack,
  'discord.js': discord,
  'teams.js': teams,
  'pagerduty.js': pagerduty,
};

describe.each(Object.entries(SHAPES))('%s makes what its receiver documents', (name, shape) => {
  test.each(PAYLOADS)('of %s', async (_, body) => {
    expect(shape.safeParse((await sentBy(name, body)).json)).toMatchObject({ success: true });
  });

  test('of an event without a type', async () => {
    expect(shape.safeParse((await sentBy(name, '{"id":"a"}', null)).json)).toMatchObject({ success: true });
  });
});

test('a message for Slack shows the values by their paths, and no value is markup', async () => {
  expect((await sentBy('slack.js', JSON.stringify(NESTED.data))).json).toEqual({
    text: 'invoice.paid',
    blocks: [
      { type: 'header', text: { type: 'plain_text', text: 'invoice.paid' } },
      {
        type: 'section',
        fields: [
          { type: 'mrkdwn', text: '*id*\ninv_1' },
          { type: 'mrkdwn', text: '*amountDue*\n1900' },
          { type: 'mrkdwn', text: '*customer.name*\nGlobex &lt;&amp;&gt; Söhne' },
          { type: 'mrkdwn', text: '*lines.0.sku*\na' },
          { type: 'mrkdwn', text: '*lines.1.sku*\nb' },
        ],
      },
    ],
  });
});

test('a card for Teams has at most 28 KB', async () => {
  expect(Buffer.byteLength((await sentBy('teams.js', JSON.stringify(wide))).text)).toBeLessThan(28 * 1024);
});

test('an alert of PagerDuty is resolved by the event that ends it', async () => {
  const body = '{"id":"incident_1","message":"Payments fail","severity":"critical"}';
  expect((await sentBy('pagerduty.js', body, 'incident.opened')).json).toMatchObject({
    event_action: 'trigger',
    dedup_key: 'incident_1',
    payload: { summary: 'incident.opened: Payments fail', severity: 'critical' },
  });
  const resolved = (await sentBy('pagerduty.js', body, 'incident.resolved')).json;
  expect(pagerduty.parse(resolved)).toMatchObject({ event_action: 'resolve', dedup_key: 'incident_1' });
});

describe('flatten.js makes one flat object', () => {
  test('with the names of an older system', async () => {
    expect((await sentBy('flatten.js', JSON.stringify(NESTED))).json).toEqual({
      ...{ event: 'invoice.paid', event_id: `msg_${'0'.repeat(26)}`, created_at: '2026-11-26T12:00:00.000Z' },
      ...{ id: 'inv_1', amount_due: 1900, customer_name: 'Globex <&> Söhne', lines_0_sku: 'a', lines_1_sku: 'b' },
    });
  });

  test.each(PAYLOADS.filter(([name]) => name !== 'a deep object'))('of %s', async (_, body) => {
    expect(flat.safeParse((await sentBy('flatten.js', body)).json)).toMatchObject({ success: true });
  });
});

test('every ready-made transformation is tried here', () => {
  expect(readdirSync(ROOM).sort()).toEqual([...Object.keys(SHAPES), 'flatten.js'].sort());
});
