import { createElement, Fragment, type ReactNode } from 'react';
import type { components } from '../generated/api.ts';
import type { Catalogue, CountedText, EventWords, Forms, Text } from './catalogue.ts';
import { digest } from './digest.ts';
import { asEvents, isEventTerm } from './event-words.ts';

/** The languages of the portal: `locale` of a portal session (docs/interface.md). The dashboard is English. */
export type Language = components['schemas']['PortalLocale'];

/** The names in braces: `count` in `{count} messages`. A doubled brace stands for itself. */
type Names<Of> = Of extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `{${string}` ? never : Name) | Names<Rest>
  : never;
type Values<Of, Value> = Readonly<Record<Names<Of>, Value>>;
type Given<Of, Value> = [Names<Of>] extends [never] ? [] : [values: Values<Of, Value>];

const CATALOGUES: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ texts: Catalogue; events: EventWords }>>> = {
  de: () => import('./catalogues/de.ts'),
  fr: () => import('./catalogues/fr.ts'),
};

let current: Language = 'en';
/** The translations, by English text or by its digest. */
let catalogue: Readonly<Record<string, string | Forms>> = {};
/** Puts the workspace's word for an event (`portalTerms`) into a text. `_english` is the text's English form. */
let inTerms = (text: string, _english: string) => text;

/** The language of the page, for `Intl`. */
export function language(): Language {
  return current;
}

/**
 * Loads the texts of a language, with the word for an event (`portalTerms`). English texts are in the code, and an
 * unknown language falls back to English. Import modules with texts afterwards, because many read their texts only
 * once.
 */
export async function loadLanguage(name: string, eventTerm?: string): Promise<void> {
  const { texts = {}, events = undefined } = isTranslated(name) ? await CATALOGUES[name]() : {};
  speak(isTranslated(name) ? name : 'en', texts);
  if (isEventTerm(eventTerm)) callEvents(events);
}

/** Sets the language of the page. */
export function speak(name: Language, texts: Partial<Catalogue>): void {
  current = name;
  catalogue = texts;
  inTerms = (text) => text;
}

/** From now on, the texts call a message an event. `words` are of the page's language. */
export function callEvents(words: EventWords | undefined): void {
  const known = new Map<string, string>();
  inTerms = (text, english) => {
    const changed = known.get(text) ?? asEvents(text, english, words);
    known.set(text, changed);
    return changed;
  };
}

function isTranslated(name: string): name is keyof typeof CATALOGUES {
  return Object.hasOwn(CATALOGUES, name);
}

/** The text in the page's language with its values. Numbers are in the language's format. */
export function t<Of extends Text>(text: Of, ...[values]: Given<Of, string | number>): string {
  return filled(translated(text), values ?? {});
}

/** The text for a number, which fills in `count`. `one` is the English text for the number one. */
export function counted<Of extends CountedText>(
  count: number,
  one: string,
  other: Of,
  ...[values]: [Exclude<Names<Of>, 'count'>] extends [never]
    ? []
    : [values: Readonly<Record<Exclude<Names<Of>, 'count'>, string | number>>]
): string {
  const forms = entryOf(other);
  const known: Forms = typeof forms === 'object' ? forms : { one, other };
  const form = known[new Intl.PluralRules(current).select(count)] ?? known.other;
  return filled(inTerms(form, other), { ...values, count });
}

/** A text with elements as values. */
export function rich<Of extends Text>(text: Of, values: Values<Of, ReactNode>): ReactNode {
  const given: Readonly<Record<string, ReactNode>> = values;
  return translated(text)
    .split(PLACE)
    .map((part, index) => {
      // Every second part is a name in braces.
      const content = index % 2 === 0 ? part : shown(given[part]);
      return createElement(Fragment, { key: `${index} ${part}` }, content);
    });
}

/** A number in the format of the page's language. */
export function number(value: number, options?: Intl.NumberFormatOptions): string {
  return value.toLocaleString(current, options);
}

function translated(text: string): string {
  const entry = entryOf(text);
  return inTerms(typeof entry === 'string' ? entry : text, text);
}

function entryOf(text: string): string | Forms | undefined {
  if (current === 'en') return undefined;
  return catalogue[digest(text)] ?? catalogue[text];
}

const PLACE = /\{(\w+)\}/;

function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  const parts = text.split(PLACE);
  return parts.map((part, index) => (index % 2 === 0 ? part : written(part, values[part]))).join('');
}

function written(name: string, value: string | number | undefined): string {
  if (value === undefined) return `{${name}}`;
  return typeof value === 'number' ? number(value) : value;
}

function shown(value: ReactNode): ReactNode {
  return typeof value === 'number' ? number(value) : value;
}
