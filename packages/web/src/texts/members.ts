import { catalogue } from './language.ts'

/** The members of an organization. */
export const members = catalogue('members', {
  title: 'Members',
  intro: 'People who can sign in, and their roles.',
  forAdmins: 'Only administrators of the organization can manage members.',
  label: 'Members of this organization',
  email: 'E-mail address',
  you: '{email} (you)',
  roles: 'Roles',
  lastSeen: 'Last seen',
  actions: 'Actions',
  never: 'Never',
  invited: 'Invited, has not accepted yet',
  admin: 'Admin of the organization',
  none: 'No role',
  on: {
    manager: {
      all: 'Manager of all sites',
      tags: 'Manager of all sites tagged {tags}',
      sites: 'Manager: {sites}',
    },
    viewer: { all: 'Viewer of all sites', tags: 'Viewer of all sites tagged {tags}', sites: 'Viewer: {sites}' },
  },
  more: '{names} and {count} more',
  goneSite: 'removed site',

  invite: {
    open: 'Invite member',
    title: 'Invite member',
    submit: 'Invite',
    email: 'E-mail address',
    badEmail: 'Enter an e-mail address, for example mari@example.ee.',
  },

  form: {
    what: 'Role',
    admin: 'Admin: full access to all sites, API keys and members',
    perSite: 'By site',
    onAll: 'On all sites',
    onAllHint: 'Also on sites that are added later.',
    onTags: { manager: 'Manager of all sites tagged', viewer: 'Viewer of all sites tagged' },
    onTagsHint: 'Also on sites that get the tag later, and no longer on those that lose it.',
    onSites: { manager: 'Manager of these sites', viewer: 'Viewer of these sites' },
    noRole: 'No access',
    viewer: 'Viewer: can view everything',
    manager: 'Manager: can also override and change requests',
    noSite: 'Choose a role on all sites, for a tag or on at least one site.',
    changeTitle: 'Roles of {email}',
    saved: 'Changed the roles of {email}',
    changedSince: 'The roles have been changed again since then.',
    yourself: 'These are your own roles. Without Admin you lose access to this page.',
  },

  link: {
    title: 'Invitation link for {email}',
    hint: 'Send this link to them privately. It works once, within 7 days. You cannot see it again.',
    label: 'Link',
    mailed: 'We sent a link to {email}. It works once, within 7 days.',
    done: 'I have copied it',
  },

  security: {
    title: 'Security',
    require: 'Require a second factor',
    requireHint:
      'Members without one see only their account page until they set one up. API keys are not affected. You need a second factor yourself.',
    failed: 'The setting was not changed',
  },
  measurements: {
    title: 'Measurements',
    days: 'Keep measurements for this many days',
    daysHint:
      'Leave it empty to keep them without limit. Older ones are deleted within an hour and cannot be restored.',
    save: 'Save',
    saved: 'Saved',
    failed: 'The setting was not changed',
  },
  resetFactors: {
    button: 'Reset factors',
    label: 'Reset factors of {email}',
    title: 'Remove all second factors of {email}?',
    consequence:
      'Do this only after you have made sure who is asking. They are signed out and can sign in with their password alone. If the service sends mail, it notifies them.',
    action: 'Remove factors',
    done: 'Removed the second factors of {email}',
  },

  change: 'Change roles',
  changeLabel: 'Change roles of {email}',
  renew: {
    button: 'New link',
    label: 'New link for {email}',
    title: 'Create a new link for {email}?',
    consequence:
      'An invited person can accept with the link. A member can set a new password with it; their current password works until then. Earlier links stop working.',
    action: 'Create link',
  },
  remove: {
    button: 'Remove',
    label: 'Remove {email}',
    title: 'Remove {email}?',
    consequence:
      'They are signed out immediately and lose access to this organization. The audit log keeps what they did.',
    yourself: 'This is your own account: you will be signed out.',
    action: 'Remove member',
    done: 'Removed {email}',
  },
})
