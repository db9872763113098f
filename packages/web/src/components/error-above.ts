/**
 * The order of a field's parts for fields in a row that are aligned at the bottom: the error is above the input, so
 * that it does not move the other fields.
 */
export const ERROR_ABOVE: ('label' | 'description' | 'error' | 'input')[] = ['label', 'description', 'error', 'input'];
