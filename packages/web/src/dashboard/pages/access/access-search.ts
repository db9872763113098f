import { oneOf } from '../../../components/one-of.ts';
import { searchOf } from '../../search-of.ts';

/** The parts of the page, by their names in the address. */
export const PARTS = { keys: 'API keys', tokens: 'Management tokens', members: 'Members', agents: 'Agents' } as const;

export const isPart = oneOf(PARTS);

/** The visible part; the API keys if absent. */
export const readAccessSearch = searchOf({ part: isPart });
