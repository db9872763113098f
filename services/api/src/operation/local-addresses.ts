import { isLocalUrl } from '@posthorn/runtime/local-url';
import { invalid } from '../transport/error.ts';

/**
 * Refuses an http address when `BASE_URL` is not local. Schemas that allow http allow it only for localhost and
 * 127.0.0.1, for someone who builds a page on the same machine. `rule` is the text of the https rule, without the name
 * of the field.
 */
export function refuseLocalAddress(baseUrl: string, address: string, field: string, rule: string): void {
  if (address.startsWith('http:') && !isLocalUrl(baseUrl)) {
    throw invalid(`${field} ${rule}; http://localhost and http://127.0.0.1 are allowed while BASE_URL is local`, field);
  }
}
