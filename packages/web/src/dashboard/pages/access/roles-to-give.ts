import type { Role } from '../../../client/resources.ts';
import type { Place } from '../../place.ts';
import { isOwner } from '../../role.ts';

const ROLES: Role[] = ['viewer', 'member', 'admin', 'owner'];

/** The roles that the user may give to others. An admin may give every role but owner. */
export function rolesToGive(place: Place): Role[] {
  return isOwner(place) ? ROLES : ROLES.filter((role) => role !== 'owner');
}
