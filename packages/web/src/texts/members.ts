/** The words of the members of an organization. */
export const members = {
  title: 'Members',
  intro: 'Who may sign in, and what they may do.',
  forAdmins: 'Members are managed by administrators of the organization.',
  label: 'Members of this organization',
  email: 'E-mail address',
  you: 'you',
  roles: 'Roles',
  lastSeen: 'Last seen',
  actions: 'Actions',
  never: 'never',
  noPassword: 'has not set a password yet',
  admin: 'Admin of the organization',
  none: 'No role',
  manager: (sites: string) => `Manager: ${sites}`,
  viewer: (sites: string) => `Viewer: ${sites}`,
  goneSite: 'a site that is gone',

  invite: {
    open: 'Invite someone',
    title: 'Invite someone',
    submit: 'Invite',
    email: 'E-mail address',
    badEmail: 'Write an e-mail address, such as mari@example.ee.',
  },

  form: {
    what: 'What they may do',
    admin: 'Admin: everything, on all sites, with keys and members',
    perSite: 'By site',
    roleOn: (site: string) => `Role on ${site}`,
    noRole: 'No access',
    viewer: 'Viewer: looks',
    manager: 'Manager: looks, overrides, changes requests',
    noSite: 'Give them a role on at least one site.',
    changeTitle: (email: string) => `Roles of ${email}`,
    save: 'Save',
    saved: (email: string) => `The roles of ${email} are changed`,
    yourself: 'These are your own roles: without Admin you do not see this page any more.',
  },

  link: {
    title: (email: string) => `The link for ${email}`,
    hint: 'Hand it over to them, by a way that only they read. With it they set their password, once, within 7 days. It is not shown again.',
    label: 'Link',
    has: 'They have a password already, and can sign in with it. No link is needed.',
    done: 'I have copied it',
    close: 'Close',
  },

  change: 'Change roles',
  changeLabel: (email: string) => `Change roles of ${email}`,
  renew: {
    button: 'New link',
    label: (email: string) => `New link for ${email}`,
    title: (email: string) => `A new link for ${email}?`,
    consequence:
      'With it they set a new password. Links that were given out before end; their present password goes on until they have set another.',
    action: 'Make a new link',
  },
  remove: {
    button: 'Remove',
    label: (email: string) => `Remove ${email}`,
    title: (email: string) => `Remove ${email}?`,
    consequence:
      'They are signed out at once and see nothing of this organization any more. What they did stays in the reports.',
    yourself: 'This is you: you will be signed out.',
    action: 'Remove the member',
    done: (email: string) => `${email} is removed`,
  },
} as const
