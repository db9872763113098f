import type { OperationFilters } from '../../operations/operation-queries.ts';
import { isOperationStatus } from '../../operations/operation-words.ts';

/** Reads the filters of an address; what is not one is left out. */
export function readOperationsSearch({ status, endpoint }: Record<string, unknown>): OperationFilters {
  return {
    ...(isOperationStatus(status) && { status }),
    ...(typeof endpoint === 'string' && endpoint !== '' && { endpoint }),
  };
}
