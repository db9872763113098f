import type { EndpointConfig } from '../../client/resources.ts';
import { t } from '../../language/language.ts';
import { choice, type DraftOf, type Shape, typedValue } from '../draft.ts';

/**
 * The values of `config.signature` (docs/interface.md, Signature). The OpenAPI document only describes them in words.
 */
export type Signature = StandardName | PresetName | HmacSignature;
type HmacSignature = { scheme: 'hmac'; header: string; form?: string; timestampHeader?: string; idHeader?: string };
type StandardName = 'standard' | 'standard-ed25519';
type PresetName =
  | 'svix'
  | 'stripe'
  | 'github'
  | 'shopify'
  | 'slack'
  | 'convoy'
  | 'convoy-advanced'
  | 'outpost'
  | 'hook0';

/** The signature of an endpoint. The service has checked it. */
export function signatureOf({ signature = 'standard' }: { signature?: unknown }): Signature {
  return signature as Signature;
}

/**
 * The form's fields for requests. Unchanged defaults are left out: some endpoint types fix the payload format, and
 * refuse the key.
 */
export const REQUEST = {
  payloadFormat: choice<NonNullable<EndpointConfig['payloadFormat']>>('raw'),
  signature: choice<Signature>('standard'),
};
export type RequestDraft = DraftOf<typeof REQUEST>;

/** The config of a draft. A standard signature always has its headers, so `standardHeaders` is left out then. */
export function configOf(shape: Shape, draft: RequestDraft, before: EndpointConfig): EndpointConfig {
  const { standardHeaders, ...config } = typedValue(shape, draft, before);
  return { ...config, ...(standardHeaders !== undefined && !isStandard(draft.signature) && { standardHeaders }) };
}

const STANDARD: Record<StandardName, string> = {
  standard: 'HMAC-SHA256',
  'standard-ed25519': t('HMAC and Ed25519'),
};

const PRESETS: Record<PresetName, string> = {
  svix: 'Svix',
  stripe: 'Stripe',
  github: 'GitHub',
  shopify: 'Shopify',
  slack: 'Slack',
  convoy: 'Convoy',
  'convoy-advanced': t('Convoy, advanced'),
  outpost: 'Outpost',
  hook0: 'Hook0',
};

/** A custom HMAC signature. Its parts can only be set through the API. */
const OWN = { value: 'hmac', label: t('HMAC of your own form') };

/** True if the signature is only sent in the headers of Standard Webhooks. */
export function isStandard(signature: Signature): signature is StandardName {
  return typeof signature === 'string' && Object.hasOwn(STANDARD, signature);
}

/** True if requests have the headers of Standard Webhooks. A standard signature always has them. */
export function hasStandardHeaders(given: { signature: Signature; standardHeaders?: boolean | undefined }): boolean {
  return given.standardHeaders !== false || isStandard(given.signature);
}

/** The option of the select for a signature. */
export function selectedValue(signature: Signature): string {
  return typeof signature === 'string' ? signature : OWN.value;
}

/** The signature that was chosen in the select; null for a custom HMAC signature, which stays as it is. */
export function chosenSignature(value: string | null): Signature | null {
  return value === null || value === OWN.value ? null : (value as StandardName | PresetName);
}

/** True if requests are sent to the endpoint. Only these can have the signature that a receiver already verifies. */
export function getsRequests({ config, pull }: { config: { destination?: unknown }; pull: object | null }): boolean {
  return config.destination === undefined && pull === null;
}

/** The options of the select. An endpoint with a custom HMAC signature can keep it. */
export function signatureChoices(signature: Signature, takesOthers: boolean) {
  const items = (names: Record<string, string>) => Object.entries(names).map(([value, label]) => ({ value, label }));
  return [
    { group: 'Standard Webhooks', items: items(STANDARD) },
    ...(takesOthers || !isStandard(signature) ? [{ group: t('For receivers of'), items: items(PRESETS) }] : []),
    ...(typeof signature === 'string' ? [] : [{ group: t('Set through the API'), items: [OWN] }]),
  ];
}

export function signatureLabel(signature: Signature): string {
  return typeof signature === 'string' ? { ...STANDARD, ...PRESETS }[signature] : OWN.label;
}
