import type { PayloadEnvelope } from '../client/resources.ts';

const WORDS: Record<PayloadEnvelope['status'], string> = {
  available: '',
  plan_required: 'Payloads are shown on the Pro plan and above.',
  forbidden: 'Your role may not see payloads. A member, an admin or an owner may.',
  expired: 'The payload reached the end of its retention and is gone.',
  not_stored: 'The event had an empty body.',
  unavailable: 'The payload cannot be opened with the sealing keys of this installation. Tell the operator.',
};

/** Why a payload is not shown; an empty text when it is. */
export function payloadStateWords(status: PayloadEnvelope['status']): string {
  return WORDS[status];
}
