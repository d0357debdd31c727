import { email } from '../fields.ts'
import { givenRoles, InvitedMember, Member } from '../roles.ts'
import { route } from '../route.ts'
import { array, object, text } from '../schema.ts'
import { administrator, freshAdministrator, ORG, operator } from './organization.ts'
import { newPassword } from './sign-in.ts'

const tag = 'Administration'

/** People of an organization. */
export const memberRoutes = {
  listMembers: route({
    method: 'GET',
    path: `${ORG}/members`,
    access: administrator,
    tag,
    summary: 'List the members and the invited people of an organization by address, with their roles',
    reply: object({ members: array(Member) }),
  }),
  addMember: route({
    method: 'POST',
    path: `${ORG}/members`,
    access: freshAdministrator,
    tag,
    summary: 'Invite a member; they have no access until they accept with the link',
    description:
      'The reply has the link, unless the service mails it. A person who already has an account signs in to accept; their account and their other organizations do not change.',
    body: object({ email, ...givenRoles }),
    status: 201,
    reply: InvitedMember,
  }),
  changeMember: route({
    method: 'PATCH',
    path: `${ORG}/members/:userId`,
    access: freshAdministrator,
    tag,
    summary: 'Change the roles of a member, effective immediately',
    body: object(givenRoles),
    reply: Member,
  }),
  removeMember: route({
    method: 'DELETE',
    path: `${ORG}/members/:userId`,
    access: freshAdministrator,
    tag,
    summary: 'Remove a member, effective immediately',
    status: 204,
  }),
  renewMemberLink: route({
    method: 'POST',
    path: `${ORG}/members/:userId/link`,
    access: freshAdministrator,
    tag,
    summary: 'Make a new link for an invited person or for a member who lost their password; the previous one ends',
    description:
      'Only the operator can make a password link for a person who also belongs to another organization. Such people reset their password by mail.',
    reply: InvitedMember,
  }),
  resetMemberFactors: route({
    method: 'DELETE',
    path: `${ORG}/members/:userId/factors`,
    access: freshAdministrator,
    tag,
    summary: 'Remove every second factor of a member who lost them, and end their sessions',
    description:
      'Only the operator can do this for a person who also belongs to another organization. The person gets a mail where the service sends mail.',
    status: 204,
  }),
  addUser: route({
    method: 'POST',
    path: `${ORG}/users`,
    access: operator,
    tag,
    summary: 'Add an administrator of an organization, with a password',
    body: object({ email, password: newPassword }),
    status: 201,
    reply: object({ id: text(), email: text() }),
  }),
} as const
