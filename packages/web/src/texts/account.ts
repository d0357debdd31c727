/** One's own account. */
export const account = {
  title: 'Account',
  email: 'E-mail address',
  rolesTitle: 'What you may do',
  organizationAdmin: (organization: string) =>
    `You are an administrator of ${organization}: all of its sites are yours.`,
  noRoles: 'You have no role on any site. Ask an administrator of your organization for one.',
  site: 'Site',
  role: 'Role',
  roleMeaning: {
    viewer: 'looks at everything',
    manager: 'overrides, releases, works on requests',
    admin: 'sets up devices, keys and members too',
  },
  rolesOf: (organization: string) => `Roles in ${organization}`,
  passwordTitle: 'Change the password',
  passwordHint: 'You stay signed in here. Everywhere else where you are signed in, you have to sign in again.',
  current: 'Current password',
  wrongCurrent: 'This is not your current password.',
  change: 'Change the password',
  changed: 'Your password is changed. Everywhere else you are signed out.',
  failed: 'The password was not changed',
} as const
