import { addedMember, addMemberBody, member, updateMemberBody } from '@posthorn/contract/members';
import { pageQuery } from '@posthorn/contract/primitives';
import { z } from 'zod';
import { route } from '../operation/route.ts';
import { addMember, getMember, listMembers, reinviteMember, removeMember, updateMember } from './members.ts';

// Not for management tokens, which have no role: the right to make an owner depends on a person's role.
const shared = { tag: 'Members', dashboardOnly: true, role: 'admin' } as const;

export const memberRoutes = [
  route({
    ...shared,
    operationId: 'listMembers',
    method: 'get',
    path: '/members',
    summary: 'List members',
    description:
      'Returns members in the order in which they joined, followed by invited people who have not accepted yet.',
    scopes: ['read'],
    role: 'viewer',
    status: 200,
    errors: ['invalid_cursor'],
    links: true,
    query: pageQuery,
    response: z.array(member),
    run: (ctx, { query }) => listMembers(ctx, query),
  }),
  route({
    ...shared,
    operationId: 'addMember',
    method: 'post',
    path: '/members',
    summary: 'Add a member',
    description:
      'Invites a person, who becomes a member by accepting with the link in an email. If the installation sends no email, `setPasswordToken` accepts the invitation, and is shown only in this response; otherwise it is null. With a `password`, a person whose email address has no account becomes a member at once; if there is an account, it is ignored. Only an owner can add an owner.',
    scopes: ['write'],
    status: 201,
    errors: ['member_exists', 'limit_reached'],
    body: addMemberBody,
    response: addedMember,
    secrets: ['setPasswordToken'],
    run: (ctx, { body }) => addMember(ctx, body),
  }),
  route({
    ...shared,
    operationId: 'reinviteMember',
    method: 'post',
    path: '/members/{userId}/reinvite',
    summary: 'Resend an invitation',
    description:
      'Creates a new link for a person who has not accepted yet. The previous link becomes invalid. The link is emailed; if the installation sends no email, the response has its `setPasswordToken`. Only an owner can reinvite an owner.',
    scopes: ['write'],
    status: 200,
    errors: ['not_found', 'member_exists', 'limit_reached'],
    response: addedMember,
    secrets: ['setPasswordToken'],
    run: (ctx, { params }) => reinviteMember(ctx, params.userId),
  }),
  route({
    ...shared,
    operationId: 'updateMember',
    method: 'patch',
    path: '/members/{userId}',
    summary: "Update a member's role",
    description: 'Only an owner can grant or remove the owner role. The last owner cannot be demoted.',
    scopes: ['write'],
    status: 200,
    errors: ['not_found', 'last_owner', 'limit_reached'],
    body: updateMemberBody,
    response: member,
    immutable: ['email', 'name'],
    present: (ctx, params) => getMember(ctx, params.userId),
    run: (ctx, { params, body }) => updateMember(ctx, params.userId, body),
  }),
  route({
    ...shared,
    operationId: 'removeMember',
    method: 'delete',
    path: '/members/{userId}',
    summary: 'Remove a member',
    description:
      'The person loses access to this workspace immediately, and an invitation becomes invalid. Only an owner can remove an owner, and the last owner cannot be removed.',
    scopes: ['write'],
    status: 204,
    errors: ['not_found', 'last_owner'],
    run: (ctx, { params }) => removeMember(ctx, params.userId),
  }),
];
