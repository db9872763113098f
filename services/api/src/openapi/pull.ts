import { PULL_OPERATIONS } from '../pull/operations.ts';
import { type Writers, type WrittenOperation, writeOperation } from './operation.ts';

/** The interface of consumers (docs/interface.md, Pull). Its credential belongs to an endpoint. */
export function describePull(writers: Writers): WrittenOperation[] {
  return Object.entries(PULL_OPERATIONS).map(([name, operation]) => {
    const path = `/api/pull/{endpointId}/${name}`;
    const documented = { ...operation, path, row: operation.operationId, query: undefined, paid: false };
    const { method, tag } = operation;
    const written = writeOperation({ ...documented, security: [{ pullKey: [] }], inWorkspace: false }, writers);
    return { path, method, tag, operation: written };
  });
}
