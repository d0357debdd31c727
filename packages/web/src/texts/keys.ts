import { PERMISSION_NAMES } from '@plantroom/contract/permissions'
import { catalogue } from './language.ts'

/** The API keys of an organization. */
export const keys = catalogue('keys', {
  title: 'API keys',
  intro: 'Programs use API keys to read and control this organization. A key is limited to its permissions and sites.',
  forAdmins: 'Only administrators of the organization can manage API keys.',
  label: 'API keys of this organization',
  name: 'Name',
  permissions: 'Permissions',
  sites: 'Sites',
  created: 'Created',
  lastUsed: 'Last used',
  state: 'State',
  actions: 'Actions',
  allSites: 'All sites',
  noSites: 'No sites',
  goneSite: 'removed site',
  never: 'Never',
  usedFrom: '{time} from {address}',
  active: 'Active',
  expires: 'Expires {time}',
  expired: 'Expired {time}',
  revoked: 'Revoked {time}',
  overlap: 'The previous secret works until {time}',
  overrides: '{count, plural, one {# override has not ended} other {# overrides have not ended}}',
  pending:
    '{count, plural, one {# controller still has to cancel its overrides} other {# controllers still have to cancel its overrides}}',
  empty: 'No API keys yet',
  emptyHint: 'Create one for each program that uses Plantroom.',

  permission: PERMISSION_NAMES,
  permissionHint: {
    'edge-device:read_write': 'Export datapoints, read live and archived values, place and cancel overrides',
    'measurement:read': 'Read archived values and audit entries. No commands, no live values',
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
    expiry: 'Expires (optional)',
    expiryHint: 'The key stops working at this time ({zone}). Without one it works until you revoke it.',
    submit: 'Create key',
    noName: 'Enter a name for the key.',
    noPermission: 'Choose at least one permission.',
    noSite: 'Choose at least one site.',
    pastExpiry: 'Enter a time in the future.',
  },

  secret: {
    title: 'API key “{name}”',
    warning: 'Copy the key now. You cannot see it again.',
    label: 'API key',
    curl: 'Command to try it',
    done: 'I have copied it',
  },

  rotate: {
    button: 'Rotate',
    label: 'Rotate {name}',
    title: 'Rotate {name}?',
    consequence: 'The key gets a new secret and keeps its ID, permissions and overrides.',
    action: 'Rotate key',
  },

  revoke: {
    button: 'Revoke',
    label: 'Revoke {name}',
    title: 'Revoke {name}?',
    consequence: 'Programs that use this key are rejected immediately. You cannot undo this.',
    cancel: 'Also cancel every override that this key placed',
    cancelHint: 'Controllers that are offline cancel them as soon as they are back.',
    noneStanding: 'No override of this key is known to be active or queued.',
    standing:
      '{count, plural, one {# override of this key is active or queued. Unless you cancel it here, it stays until its end.} other {# overrides of this key are active or queued. Unless you cancel them here, they stay until their end.}}',
    action: 'Revoke key',
    done: 'Revoked {name}',
    released:
      '{count, plural, one {Revoked {name} and cancelled # override} other {Revoked {name} and cancelled # overrides}}',
    pendingTitle: 'Revoked {name}',
    cancelled: '{count, plural, one {# override was cancelled.} other {# overrides were cancelled.}}',
    pending: 'These controllers are offline or did not answer. They cancel its overrides as soon as they are back.',
    close: 'Close',
  },
})
