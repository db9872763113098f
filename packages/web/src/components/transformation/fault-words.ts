import type { TransformationResult } from '../../client/resources.ts';

/** The fault of a run with its place: `Line 3, column 5: TypeError: …`. */
export function faultWords({ message, line, column }: NonNullable<TransformationResult['error']>): string {
  if (line === null) return message;
  return `Line ${line}${column === null ? '' : `, column ${column}`}: ${message}`;
}
