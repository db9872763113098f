import { expect, test } from '@jest/globals';
import { type AlertMessage, chatRequest, PAGERDUTY_URL } from './channels.ts';

const hostile = '<!channel> @everyone [a](https://evil.example) *b* <https://evil.example|c>';
const message: AlertMessage = {
  title: hostile,
  lines: [hostile, 'x'.repeat(5_000)],
  workspaceName: hostile,
  ruleName: 'On call',
  url: 'https://hooks.example.com/w/acme/~/ep_1',
  dedupKey: 'rule:kind',
  isGood: false,
};

test('a value can add no link, mention or markup to a text for Slack', () => {
  const { url, body } = chatRequest('slack', 'https://hooks.slack.com/x', message);
  const text = String(body.text);
  expect(url).toBe('https://hooks.slack.com/x');
  expect(text).not.toContain('<!channel>');
  expect(text.match(/</g)).toHaveLength(1);
  expect(text).toContain('<https://hooks.example.com/w/acme/~/ep_1|Open>');
  expect(text.length).toBeLessThan(4_000);
});

test('Discord gets escaped Markdown within its limit, and mentions nobody', () => {
  const { body } = chatRequest('discord', 'https://discord.com/x', message);
  expect(body.allowed_mentions).toEqual({ parse: [] });
  expect(String(body.content)).not.toContain('[a](');
  expect(String(body.content).length).toBeLessThanOrEqual(2_000);
});

test('Teams gets an Adaptive Card of plain runs with one link', () => {
  const { body } = chatRequest('teams', 'https://example.webhook.office.com/x', message);
  const text = JSON.stringify(body);
  expect(text).not.toContain('"TextBlock"');
  expect(text.match(/Action\.OpenUrl/g)).toHaveLength(1);
});

test('PagerDuty gets an event with the routing key, grouped by rule and kind', () => {
  const { url, body } = chatRequest('pagerduty', 'k'.repeat(32), message);
  expect(url).toBe(PAGERDUTY_URL);
  expect(body).toMatchObject({
    routing_key: 'k'.repeat(32),
    event_action: 'trigger',
    dedup_key: 'rule:kind',
    payload: { severity: 'error' },
    links: [{ href: 'https://hooks.example.com/w/acme/~/ep_1', text: 'Open' }],
  });
});
