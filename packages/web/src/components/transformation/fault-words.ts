import type { TransformationResult } from '../../client/resources.ts';
import { t } from '../../language/language.ts';

/** The error of a run with its position: `Line 3, column 5: TypeError: …`. */
export function faultWords({ message, line, column }: NonNullable<TransformationResult['error']>): string {
  if (line === null) return message;
  return column === null
    ? t('Line {line}: {message}', { line, message })
    : t('Line {line}, column {column}: {message}', { line, column, message });
}
