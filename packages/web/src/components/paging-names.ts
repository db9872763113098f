import { t } from '../language/language.ts';

/** The names of the buttons of a pagination that show an arrow alone. */
export function pagingNames(control: 'first' | 'previous' | 'next' | 'last'): { 'aria-label'?: string } {
  if (control === 'previous') return { 'aria-label': t('Previous page') };
  return control === 'next' ? { 'aria-label': t('Next page') } : {};
}
