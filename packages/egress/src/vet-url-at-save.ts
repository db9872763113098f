import type { AddressRules } from './address-rules.ts';
import { type EndpointUrl, forbiddenAddress, parseEndpointUrl } from './endpoint-url.ts';
import type { Lookup } from './lookup.ts';

/**
 * Judges an endpoint's URL when it is saved: by its text, then by the addresses that its name has now. A name that
 * does not resolve within 2 s is accepted, since it may be set up later: each delivery vets it again.
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
