import { parseLoginUrl } from './url-escapes.ts';

type Rules = {
  /** Paths are appended to this URL, so it must have no query and no fragment. */
  isBase?: boolean;
  /** The URL is shown to people, so it must have no user and no password. */
  isShown?: boolean;
};

/** Checks an http or https URL. Throws an Error that names the rule and repeats no part of the text. */
export function checkWebUrl(text: string, { isBase = false, isShown = false }: Rules = {}): void {
  if (!/^https?:\/\//i.test(text)) throw new Error('must be an http or https URL');
  const { username, password } = parseLoginUrl(text);
  if (isBase && /[?#]/.test(text)) throw new Error('must have no ? and no #: paths are added to it');
  if (isShown && `${username}${password}` !== '') throw new Error('must have no user and no password: people see it');
}
