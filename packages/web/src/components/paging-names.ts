import { t } from '../language/language.ts';

/** Labels for the pagination buttons that show only an arrow. */
export function pagingNames(control: 'first' | 'previous' | 'next' | 'last'): { 'aria-label'?: string } {
  if (control === 'previous') return { 'aria-label': t('Previous page') };
  return control === 'next' ? { 'aria-label': t('Next page') } : {};
}
