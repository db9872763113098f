import { oneOf } from '../../../components/one-of.ts';
import { searchOf } from '../../search-of.ts';

/** The parts of the page, as its address names them. */
export const PARTS = { keys: 'API keys', tokens: 'Management tokens', members: 'Members', agents: 'Agents' } as const;

export const isPart = oneOf(PARTS);

/** The part that is shown; the API keys when absent. */
export const readAccessSearch = searchOf({ part: isPart });
