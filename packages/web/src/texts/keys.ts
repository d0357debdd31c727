/** The words of API keys. */
export const keys = {
  title: 'API keys',
  intro:
    'Programs use them to read and control this organization. Each key can do what it is allowed, on the sites it is given.',
  forAdmins: 'API keys are for administrators of the organization.',
  label: 'API keys of this organization',
  name: 'Name',
  permissions: 'Permissions',
  sites: 'Sites',
  created: 'Created',
  lastUsed: 'Last used',
  actions: 'Actions',
  allSites: 'All sites',
  noSites: 'No site',
  goneSite: 'a site that is gone',
  never: 'never',
  revoked: (time: string) => `Revoked ${time}`,
  empty: 'There are no API keys yet',
  emptyHint: 'Create one for each program that is to talk to Plantroom.',

  words: {
    'edge-device:read_write': 'Edge devices: read & control',
    'ticket:read': 'Maintenance requests: read',
    'ticket:read_write': 'Maintenance requests: read & write',
  } as Readonly<Record<string, string>>,
  hints: {
    'edge-device:read_write': 'Values and reports, overrides and their release',
    'ticket:read': 'Requests, exports and jobs',
    'ticket:read_write': 'The same, and imports, comments and changes',
  } as Readonly<Record<string, string>>,

  create: {
    open: 'Create a key',
    title: 'Create an API key',
    name: 'Name',
    nameHint: 'Who or what uses it, such as “Balancing market”',
    permissions: 'What it may do',
    sites: 'Where',
    all: 'All sites, also those that are added later',
    some: 'Only these sites',
    which: 'Sites',
    submit: 'Create the key',
    noName: 'Give the key a name.',
    noPermission: 'Choose what the key may do.',
    noSite: 'Choose at least one site.',
  },

  secret: {
    title: (name: string) => `The key “${name}”`,
    warning: 'Copy it now: it is not shown again.',
    label: 'API key',
    curl: 'To try it',
    done: 'I have copied it',
  },

  revoke: {
    button: 'Revoke',
    label: (name: string) => `Revoke ${name}`,
    title: (name: string) => `Revoke ${name}?`,
    consequence: 'Whoever uses it is refused at once. This cannot be taken back.',
    action: 'Revoke the key',
    done: (name: string) => `${name} is revoked`,
  },
} as const
