import type { EndpointConfig } from '../../client/resources.ts';
import type { FormDraft } from '../../components/request/form-choice.tsx';
import { isStandard } from '../../components/request/signatures.ts';

/**
 * The config with another form of the body and another signature. The unchanged body is absent, because some types fix their
 * format and refuse the key. A standard signature cannot be without its headers.
 */
export function changedConfig(
  { standardHeaders, payloadFormat: _, ...config }: EndpointConfig,
  { format, signature }: FormDraft,
): EndpointConfig {
  return {
    ...config,
    ...(format !== 'raw' && { payloadFormat: format }),
    signature,
    ...(standardHeaders !== undefined && !isStandard(signature) && { standardHeaders }),
  };
}
