import type { Role } from '../../../client/resources.ts';
import type { Place } from '../../place.ts';
import { isOwner } from '../../role.ts';

const ROLES: Role[] = ['viewer', 'member', 'admin', 'owner'];

/** The roles that the user may give to others: an admin gives every role but the owner's. */
export function rolesToGive(place: Place): Role[] {
  return isOwner(place) ? ROLES : ROLES.filter((role) => role !== 'owner');
}
