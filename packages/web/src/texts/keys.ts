import { catalogue } from './language.ts'

/** The API keys of an organization. */
export const keys = catalogue({
  title: 'API keys',
  intro: 'Programs use API keys to read and control this organization. A key is limited to its permissions and sites.',
  forAdmins: 'Only administrators of the organization can manage API keys.',
  label: 'API keys of this organization',
  name: 'Name',
  permissions: 'Permissions',
  sites: 'Sites',
  created: 'Created',
  lastUsed: 'Last used',
  actions: 'Actions',
  allSites: 'All sites',
  noSites: 'No sites',
  goneSite: 'removed site',
  never: 'Never',
  revoked: 'Revoked {time}',
  empty: 'No API keys yet',
  emptyHint: 'Create one for each program that uses Plantroom.',

  permission: {
    'edge-device:read_write': 'Controllers: read & control',
    'ticket:read': 'Maintenance requests: read',
    'ticket:read_write': 'Maintenance requests: read & write',
  },
  permissionHint: {
    'edge-device:read_write': 'Read values and audit entries, place and release overrides',
    'ticket:read': 'Read requests, exports and jobs',
    'ticket:read_write': 'Also import packages, comment on requests and change them',
  },

  create: {
    open: 'Create key',
    title: 'Create API key',
    name: 'Name',
    nameHint: 'The program or partner that uses the key, for example “Balancing market”',
    permissions: 'Permissions',
    sites: 'Sites',
    all: 'All sites, including future ones',
    some: 'Only these sites',
    which: 'Sites',
    submit: 'Create key',
    noName: 'Enter a name for the key.',
    noPermission: 'Choose at least one permission.',
    noSite: 'Choose at least one site.',
  },

  secret: {
    title: 'API key “{name}”',
    warning: 'Copy the key now. You cannot see it again.',
    label: 'API key',
    curl: 'Command to try it',
    done: 'I have copied it',
  },

  revoke: {
    button: 'Revoke',
    label: 'Revoke {name}',
    title: 'Revoke {name}?',
    consequence: 'Programs that use this key are rejected immediately. You cannot undo this.',
    action: 'Revoke key',
    done: 'Revoked {name}',
  },
})
