/**
 * The parts of a field in a row of fields that end at the same height: what is wrong stands above the field, so that it does
 * not move the others.
 */
export const ERROR_ABOVE: ('label' | 'description' | 'error' | 'input')[] = ['label', 'description', 'error', 'input'];
