import type { AddressRules } from './address-rules.ts';
import { type EndpointUrl, forbiddenAddress, parseEndpointUrl } from './endpoint-url.ts';
import type { Lookup } from './lookup.ts';

/**
 * Checks an endpoint's URL when it is saved: first its text, then the current addresses of its name. A name that does
 * not resolve within 2 s is accepted, because it may be set up later: each delivery checks it again.
 */
export async function vetUrlAtSave(
  text: string,
  { rules, lookup, budgetMs = 2_000 }: { rules: AddressRules; lookup: Lookup; budgetMs?: number },
): Promise<EndpointUrl> {
  const parsed = parseEndpointUrl(text, rules);
  if (parsed.kind === 'refused') return parsed;
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, budgetMs, undefined);
  });
  const found = await Promise.race([lookup(parsed.host), timeout]);
  clearTimeout(timer);
  return found?.kind === 'blocked' ? forbiddenAddress : parsed;
}
