import type { AlertChannel } from '@posthorn/contract/alert-rules';
import type { AlertWords } from './words.ts';

/** A message as sent: its words, and the page to open. */
export type AlertMessage = AlertWords & {
  workspaceName: string;
  ruleName: string;
  url: string | null;
  /** PagerDuty groups by this key: one incident for each rule and kind. */
  dedupKey: string;
  /** Whether it reports a recovery. */
  isGood: boolean;
};

export type ChatChannel = Exclude<AlertChannel, 'email'>;

export const PAGERDUTY_URL = 'https://events.pagerduty.com/v2/enqueue';

/** The texts of a message are limited, however long the names of endpoints and customers are. */
const LINE_CHARACTERS = 500;
const TEXT_CHARACTERS = 1_800;

/** The address and JSON body of a message to a chat or to PagerDuty. */
export type ChatRequest = { url: string; body: Record<string, unknown> };

const REQUESTS: Record<ChatChannel, (target: string, message: AlertMessage) => ChatRequest> = {
  slack: (url, message) => ({ url, body: slack(message) }),
  teams: (url, message) => ({ url, body: teams(message) }),
  discord: (url, message) => ({ url, body: discord(message) }),
  pagerduty: (routingKey, message) => ({ url: PAGERDUTY_URL, body: pagerDuty(routingKey, message) }),
};

/** The request of a message. Values cannot add markup, mentions or links. */
export function chatRequest(channel: ChatChannel, target: string, message: AlertMessage): ChatRequest {
  return REQUESTS[channel](target, message);
}

function slack(message: AlertMessage) {
  const heading = `*${escapeSlack(bounded(message.title))}* – ${escapeSlack(message.workspaceName)}`;
  const link = message.url === null ? '' : `\n<${message.url}|Open>`;
  return { text: `${heading}\n${escapeSlack(textOf(message))}${link}` };
}

/** Slack reads only `&`, `<` and `>` as markup of links and mentions. */
function escapeSlack(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** An Adaptive Card, as Teams workflows accept it. A TextBlock would read Markdown, but plain runs do not. */
function teams(message: AlertMessage) {
  const run = (text: string, given: Record<string, unknown> = {}) => ({
    type: 'RichTextBlock',
    inlines: [{ type: 'TextRun', text, ...given }],
  });
  const card = {
    type: 'AdaptiveCard',
    $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
    version: '1.4',
    body: [
      run(bounded(message.title), { weight: 'Bolder', size: 'Medium' }),
      run(message.workspaceName, { isSubtle: true }),
      ...message.lines.map((line) => run(bounded(line))),
    ],
    actions: message.url === null ? [] : [{ type: 'Action.OpenUrl', title: 'Open', url: message.url }],
  };
  return {
    type: 'message',
    attachments: [{ contentType: 'application/vnd.microsoft.card.adaptive', content: card }],
  };
}

function discord(message: AlertMessage) {
  const link = message.url === null ? '' : `\n[Open](${message.url})`;
  const heading = `**${escapeMarkdown(bounded(message.title))}** – ${escapeMarkdown(message.workspaceName)}`;
  const text = escapeMarkdown(textOf(message)).slice(0, TEXT_CHARACTERS - heading.length);
  return { content: `${heading}\n${text}${link}`, allowed_mentions: { parse: [] } };
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\*_~`|<>[\]()#]/g, (character) => `\\${character}`);
}

function pagerDuty(routingKey: string, message: AlertMessage) {
  return {
    routing_key: routingKey,
    event_action: 'trigger',
    dedup_key: message.dedupKey,
    payload: {
      summary: bounded(`${message.title}: ${message.lines[0] ?? ''}`),
      source: message.workspaceName,
      severity: message.isGood ? 'info' : 'error',
      custom_details: { rule: message.ruleName, lines: message.lines.map(bounded) },
    },
    ...(message.url !== null && { links: [{ href: message.url, text: 'Open' }] }),
  };
}

/** Keeps the last line, which says how many subjects are not named. */
function textOf({ lines }: AlertMessage): string {
  const all = lines.map(bounded);
  const text = all.join('\n');
  const last = all.at(-1) ?? '';
  return text.length <= TEXT_CHARACTERS ? text : `${text.slice(0, TEXT_CHARACTERS - last.length - 2)}…\n${last}`;
}

function bounded(text: string): string {
  return text.length > LINE_CHARACTERS ? `${text.slice(0, LINE_CHARACTERS - 1)}…` : text;
}
