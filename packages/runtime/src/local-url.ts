import { parseUrl } from './parse-url.ts';

const LOCAL_HOST = /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/;

/** True if a URL points to this machine, such as the `BASE_URL` of a trial. False for any other text. */
export function isLocalUrl(text: string): boolean {
  return LOCAL_HOST.test(parseUrl(text)?.hostname ?? '');
}
