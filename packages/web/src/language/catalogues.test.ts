import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import ts from 'typescript';
import { texts as german, events as germanEvents } from './catalogues/de.ts';
import { texts as french, events as frenchEvents } from './catalogues/fr.ts';
import { digest } from './digest.ts';
import { asEvents, OTHER_MESSAGES } from './event-words.ts';
import { callEvents, counted, number, speak, t } from './language.ts';

const ROOT = resolve(import.meta.dirname, '..');
const CATALOGUES = { german, french };

/** Files without texts to translate: code to copy, icon paths, and styles. */
const NO_TEXTS = [
  'components/library-code.ts',
  'components/icon.tsx',
  'components/request/request-text.ts',
  'language/event-words.ts',
  'theme/theme.ts',
];
/** Names of products and of code, and strings that readers never see. */
const NAMES = [
  ...[
    'Slack',
    'Microsoft Teams',
    'Discord',
    'PagerDuty',
    'Svix',
    'Stripe',
    'GitHub',
    'Shopify',
    'Convoy',
    'Outpost',
    'Hook0',
  ],
  ...[
    'Standard Webhooks',
    'TypeScript',
    'JSON Schema',
    'CloudEvents',
    'Receiver.java',
    'Kit.cs',
    'OAuth 2',
    'TLS',
    'POST',
    'SHA-256',
    'console.log',
    'X-Api-Key',
    'YYYY-MM-DD HH:mm',
    'curl ',
    '.invalid',
  ],
  ...[
    'https://example.com/webhooks',
    'https://login.example.com/oauth2/token',
    'webhook-id.webhook-timestamp.body',
    'order.created',
    'webhooks',
  ],
  ...['Enter', 'NotSupportedError', 'AbortError', 'ApiError', 'Ed25519'],
  // Parts of cache keys, and parts of whole texts in a catalogue.
  ...[
    'one page',
    'filter test',
    'recovery dry run',
    'newest messages',
    'portal endpoints',
    'transformation run',
    'looked at',
  ],
  ...['an event', 'a message', 'public key', 'missing header', 'audit log'],
  // A string that the code searches for in the service's English texts.
  'rate limit',
];
const STYLE =
  /\b(minmax|clamp|var|min)\(|solid |\[role=|\[aria-|^a, button|^button, a|-----BEGIN|^\{\n|^function |^const |^\[?M?\d/;
/** A number before a word, as in `3 days`, or a word before an element, as in `started `. */
const PART = /^\d+ \p{L}{2}|^\p{Ll}+ $/u;
/** Attributes that never hold a text to translate. */
const LOOK = new Set([
  'className',
  'd',
  'w',
  'h',
  'flex',
  'href',
  'rel',
  'target',
  'component',
  'role',
  'color',
  'size',
  'id',
  'variant',
  'points',
]);
/** Attributes that always hold a text to translate. */
const TEXTS = new Set([
  'label',
  'title',
  'description',
  'placeholder',
  'aria-label',
  'line',
  'header',
  'sentence',
  'what',
  'why',
  'note',
]);

type Found = { literals: string[]; used: Set<string>; patterns: RegExp[] };

/** Reads the literals in the portal's code that a reader may see, and the catalogue texts that it uses. */
function readPortal(): Found {
  const found: Found = { literals: [], used: new Set(), patterns: [] };
  for (const file of filesOf(join(ROOT, 'portal/main.tsx'))) {
    const source = readFileSync(file, 'utf8');
    const name = relative(ROOT, file);
    const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
    visit(tree, NO_TEXTS.includes(name) ? undefined : name, found);
  }
  return found;
}

/** The module itself, and all modules that it imports, statically or lazily. */
function filesOf(entry: string): Set<string> {
  const files = new Set([entry]);
  for (const file of files) {
    for (const { fileName } of ts.preProcessFile(readFileSync(file, 'utf8')).importedFiles) {
      const target = resolve(dirname(file), fileName);
      const isCode = fileName.startsWith('.') && /\.tsx?$/.test(fileName) && !/\/(generated|catalogues)\//.test(target);
      if (isCode) files.add(target);
    }
  }
  return files;
}

function visit(node: ts.Node, name: string | undefined, found: Found): void {
  if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isTypeAliasDeclaration(node)) return;
  if (ts.isCallExpression(node) && ['t', 'rich', 'counted'].includes(node.expression.getText())) {
    const isCounted = node.expression.getText() === 'counted';
    const key = node.arguments[isCounted ? 2 : 0];
    if (key !== undefined) addKey(key, found);
    for (const value of node.arguments.slice(isCounted ? 3 : 1)) visit(value, name, found);
    return;
  }
  const text = isFault(node) ? undefined : textOf(node);
  if (name !== undefined && text !== undefined && !isName(text)) found.literals.push(`${name}: ${text}`);
  ts.forEachChild(node, (child) => visit(child, name, found));
}

/** True for the message of an Error that is thrown when the service breaks its contract. */
function isFault({ parent }: { parent?: ts.Node }): boolean {
  return parent !== undefined && ts.isNewExpression(parent) && parent.expression.getText() === 'Error';
}

function addKey(key: ts.Expression, { used, patterns }: Found): void {
  if (ts.isStringLiteralLike(key)) used.add(key.text);
  if (!ts.isTemplateExpression(key)) return;
  const parts = [key.head.text, ...key.templateSpans.map(({ literal }) => literal.text)];
  patterns.push(new RegExp(`^${parts.map(escaped).join('.+')}$`));
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isJsxText(node)) return /\p{L}/u.test(node.text) ? node.text.trim() : undefined;
  if (ts.isTemplateExpression(node)) {
    const text = [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…');
    return /\p{L}{2,}[^-]* \p{L}|^\p{Lu}\p{Ll}+ /u.test(text) ? text : undefined;
  }
  if (!ts.isStringLiteralLike(node) || !/\p{L}/u.test(node.text)) return undefined;
  const attribute = ts.isJsxAttribute(node.parent) ? node.parent.name.getText() : '';
  const property = ts.isPropertyAssignment(node.parent) ? node.parent.name.getText() : '';
  if (LOOK.has(attribute)) return undefined;
  // A single word after a symbol is also a text, such as `● live`.
  const isSentence = /\p{L}\S* \S|^\p{Lu}\p{Ll}|^\p{So} ?\p{L}/u.test(node.text);
  return isSentence || PART.test(node.text) || TEXTS.has(attribute) || TEXTS.has(property) ? node.text : undefined;
}

function isName(text: string): boolean {
  return (
    NAMES.includes(text) ||
    (STYLE.test(text) && !PART.test(text)) ||
    text.includes('{what}') ||
    /^…? ?(min|ms|UTC)$|^Bearer …$/.test(text)
  );
}

const portal = readPortal();

test('the code of the portal shows no text outside the catalogues', () => {
  expect(portal.used.size).toBeGreaterThan(500);
  expect(portal.literals).toEqual([]);
});

test('a catalogue has no text that the portal does not show', () => {
  const isUsed = (text: string) => portal.used.has(text) || portal.patterns.some((one) => one.test(text));
  expect(Object.keys(german).filter((text) => !isUsed(text) && !text.includes('{what}'))).toEqual([]);
});

test.each(Object.entries(CATALOGUES))('each %s text has the values of the English one', (_, catalogue) => {
  const valuesOf = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(([name]) => name).sort();
  const differing = Object.entries(catalogue).filter(([text, translated]) => {
    const forms = typeof translated === 'string' ? [translated] : [translated.other];
    return forms.some((form) => JSON.stringify(valuesOf(form)) !== JSON.stringify(valuesOf(text)));
  });
  expect(differing).toEqual([]);
});

test.each(Object.entries(CATALOGUES))(
  'each %s text begins and ends with the spaces of the English one',
  (_, catalogue) => {
    const isJoined = (text: string) => [text.startsWith(' '), text.endsWith(' ')];
    for (const [text, translated] of Object.entries(catalogue)) {
      if (typeof translated === 'string' && text !== ', and ')
        expect([text, ...isJoined(translated)]).toEqual([text, ...isJoined(text)]);
    }
  },
);

test('each text has a digest of its own, by which a built page finds it', () => {
  const texts = Object.keys(german);
  expect(new Set(texts.map(digest)).size).toBe(texts.length);
});

afterEach(() => speak('en', {}));

test('texts, numbers and plurals follow the language', () => {
  expect(counted(1, '{count} message', '{count} messages')).toBe('1 message');
  expect(counted(1_200, '{count} message', '{count} messages')).toBe('1,200 messages');
  speak('de', german);
  expect(t('in {size}', { size: '3 min' })).toBe('in 3 min');
  expect(counted(1, '{count} message', '{count} messages')).toBe('1 Nachricht');
  expect(counted(1_200, '{count} message', '{count} messages')).toBe('1.200 Nachrichten');
  expect(number(0.5, { style: 'percent' })).toBe('50\u00a0%');
  speak('fr', french);
  expect(t('{size} ago', { size: '3 min' })).toBe('il y a 3 min');
  // In French, zero is singular.
  expect(counted(0, '{count} message', '{count} messages')).toBe('0 message');
});

/** Remains of the word "message", and articles and endings that do not fit "event". */
const LEFT = {
  english: /message(?!\})|\ba event/i,
  german:
    /Nachricht|tnachricht|\b([Dd]ie|[Dd]iese|[Ee]ine|[Jj]ede|[Kk]eine|direkte|[Zz]ur|[Dd]er|[Ee]iner|[Jj]eder) Ereignis\b/,
  french: /message(?!\})|\b(le|ce|de|que) événement|du événement/i,
};

test.each([
  ['english', Object.fromEntries(Object.keys(german).map((text) => [text, text])), undefined],
  ['german', german, germanEvents],
  ['french', french, frenchEvents],
] as const)('every %s text says event instead of message, with its grammar', (name, texts, words) => {
  const shown = Object.entries<string | object>(texts).flatMap(([english, text]) =>
    [text]
      .flatMap((one) => (typeof one === 'string' ? one : Object.values(one)))
      .map((form: string) => ({ english, form })),
  );
  const changed = shown.filter(({ english }) => !OTHER_MESSAGES.has(english));
  const wrong = changed
    .map(({ english, form }) => asEvents(form, english, words))
    .filter((form) => LEFT[name].test(form));
  expect(wrong).toEqual([]);
});

test('the texts of a portal that calls a message an event say so', () => {
  callEvents(undefined);
  expect([t('A message appears when something happens that your endpoint subscribes to.'), t('Messages')]).toEqual([
    ...['An event appears when something happens that your endpoint subscribes to.', 'Events'],
  ]);
  expect(counted(2, '{count} message', '{count} messages')).toBe('2 events');
  expect(t('Line {line}: {message}', { line: 1, message: 'no message' })).toBe('Line 1: no message');
  speak('de', german);
  callEvents(germanEvents);
  expect([t('Payload of a message'), t('All messages')]).toEqual(['Nutzdaten eines Ereignisses', 'Alle Ereignisse']);
  expect([t('It is not sent yet'), t('It is being matched with your endpoints.')]).toEqual([
    'Es ist noch nicht gesendet',
    'Es wird gerade mit Ihren Endpunkten abgeglichen.',
  ]);
  expect(t('See the message that it waits for')).toBe('Zum Ereignis, auf das es wartet');
  expect(counted(1, '{count} message', '{count} messages')).toBe('1 Ereignis');
  speak('fr', french);
  callEvents(frenchEvents);
  expect([t('Messages'), counted(2, '{count} message', '{count} messages')]).toEqual(['Événements', '2 événements']);
  speak('en', {});
  expect(t('Messages')).toBe('Messages');
});
