import { isOperationStatus } from '../../../components/operation/operation-words.ts';
import type { OperationFilters } from '../../operations/operation-queries.ts';

/** Reads the filters of an address; what is not one is left out. */
export function readOperationsSearch({ status, endpoint }: Record<string, unknown>): OperationFilters {
  return {
    ...(isOperationStatus(status) && { status }),
    ...(typeof endpoint === 'string' && endpoint !== '' && { endpoint }),
  };
}
