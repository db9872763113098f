/** The attempt that is shown, as the address has it; the newest one without. */
export type DeliverySearch = { attempt?: string };

export function readDeliverySearch({ attempt }: Record<string, unknown>): DeliverySearch {
  return typeof attempt === 'string' && attempt !== '' ? { attempt } : {};
}
