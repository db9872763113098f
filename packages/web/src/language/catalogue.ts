import type { texts } from './catalogues/de.ts';

type German = typeof texts;
/** A text that does not depend on a number, as the code has it in English. */
export type Text = { [Key in keyof German]: German[Key] extends string ? Key : never }[keyof German];
/** A text that depends on a number: its English form for all numbers but one. */
export type CountedText = Exclude<keyof German, Text>;
/** The forms of a counted text, by the plural rules of the language; `other` is for all that are not named. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };
/** All texts of one language. The German file names them: another one that lacks a text does not compile. */
export type Catalogue = Readonly<Record<Text, string> & Record<CountedText, Forms>>;

/**
 * What changes in the texts of one language when the portal calls a message an event: phrases with what stands in their
 * place, in turn. A phrase has as many words as its grammar needs.
 */
export type EventWords = readonly (readonly [message: string, event: string])[];
