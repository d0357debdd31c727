import { catalogue } from './language.ts'

/** The account of the signed-in person. */
export const account = catalogue({
  title: 'Account',
  rolesTitle: 'Your roles',
  organizationAdmin: 'You are an administrator of {organization} and have full access to all of its sites.',
  noRoles: 'You have no role on any site. Ask an administrator of your organization for one.',
  site: 'Site',
  role: 'Role',
  roleMeaning: {
    viewer: 'Can view everything',
    manager: 'Can override, release and work on requests',
    admin: 'Can also manage controllers, keys and members',
  },
  rolesOf: 'Roles in {organization}',
  passwordTitle: 'Password',
  passwordHint: 'After the change you stay signed in here. All your other sessions are signed out.',
  current: 'Current password',
  wrongCurrent: 'This is not your current password.',
  change: 'Change password',
  changed: 'Your password is changed. All your other sessions are signed out.',
  failed: 'The password was not changed',
})
