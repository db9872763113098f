/** The fields that the portal's pages call by other words than the interface does. */
const FIELDS: ReadonlyMap<string, string> = new Map([
  ['url', 'address'],
  ['config', 'settings'],
  ['isActive', 'gets messages'],
  ['eventTypeIds', 'event types'],
  ['environmentId', 'environment'],
  ['endpointId', 'endpoint'],
  ['authUsername', 'user name'],
  ['authPassword', 'password'],
  ['secret', 'signing secret'],
  ['disabledReason', 'reason'],
]);

/** `endpoint.secret_rotated` as words: `Endpoint secret rotated`. */
export function actionWords(action: string): string {
  return capitalised(action.replaceAll('.', ' ').replaceAll('_', ' '));
}

/** The names of changed fields as words: `Address, grace period seconds`. */
export function fieldWords(fields: readonly string[]): string {
  return capitalised(fields.map((field) => FIELDS.get(field) ?? separated(field)).join(', '));
}

/** `gracePeriodSeconds` as `grace period seconds`. */
function separated(name: string): string {
  return [...name].map((letter) => (letter === letter.toLowerCase() ? letter : ` ${letter.toLowerCase()}`)).join('');
}

function capitalised(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
