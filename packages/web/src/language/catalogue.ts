import type { texts } from './catalogues/de.ts';

type German = typeof texts;
/** A text that does not depend on a number: the English text in the code. */
export type Text = { [Key in keyof German]: German[Key] extends string ? Key : never }[keyof German];
/** A text that depends on a number: its English plural form. */
export type CountedText = Exclude<keyof German, Text>;
/**
 * The forms of a counted text, by the plural rules of the language. `other` is the form for rules that are not listed.
 */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };
/**
 * All texts of one language. The German file defines which texts exist: another file that lacks one does not compile.
 */
export type Catalogue = Readonly<Record<Text, string> & Record<CountedText, Forms>>;

/**
 * Replacements in the texts of one language for a portal that calls a message an event. Each phrase is replaced by the
 * phrase after it, in turn. A phrase has as many words as its grammar needs.
 */
export type EventWords = readonly (readonly [message: string, event: string])[];
