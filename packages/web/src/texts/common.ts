import { catalogue } from './language.ts'

/** Texts that several pages share. */
export const common = catalogue({
  product: 'Plantroom',
  pageTitle: '{page} · {product}',
  loading: 'Loading…',
  tryAgain: 'Try again',
  cancel: 'Cancel',
  save: 'Save',
  close: 'Close',
  showPassword: 'Show password',
  copy: 'Copy',
  copied: 'Copied',
  more: 'Show more',
  none: '–',
  nothingFound: 'No match',
  clear: 'Clear {what}',
  fact: '{name}: {value}',
  online: 'Online',
  offline: 'Offline',
  broken: 'This page could not be displayed',
  brokenHint: 'Reload it. If that does not help, contact your operator.',
  loadAgain: 'Reload page',
  notFound: 'Page not found',
  notFoundHint: 'The address may be mistyped, or the page no longer exists.',
  backToStart: 'Go to the start page',
  noAccess: 'You have no access to this site',
  noAccessHint: 'Ask an administrator of the organization to give you a role on it.',
  requestsOff: 'Maintenance requests are turned off for this site',
  requestsOffHint: 'An administrator can turn them on under Settings, Site.',
})

/** Errors for people. The service's own message is shown for every code that is not listed here. */
export const errors = catalogue({
  title: 'Something went wrong',
  unreachable: 'Plantroom cannot be reached. Check your connection and try again.',
  byCode: {
    DEVICE_OFFLINE: 'The controller did not answer. It may be offline or busy. Try again in a moment.',
    RECENT_SIGN_IN_REQUIRED: 'You did not confirm that it is you, so nothing was changed. Try again.',
    INTERNAL: 'Plantroom had an internal error. Try again. If it happens again, contact your operator.',
    TIMEOUT: 'The request took too long to arrive. Check your connection and try again.',
    UNKNOWN: 'Plantroom gave an unexpected answer. Try again. If it happens again, contact your operator.',
  },
})

export const navigation = catalogue({
  label: 'Main',
  skip: 'Skip to content',
  menu: 'Menu',
  overview: 'Overview',
  alerts: 'Alerts',
  calendar: 'Calendar',
  schedules: 'Schedules and limits',
  reports: 'Audit log',
  requests: 'Maintenance requests',
  settings: 'Settings',
  packages: 'Import / Export',
  site: 'Site',
  people: 'Units and people',
  systems: 'Technical systems',
  outbox: 'Mail outbox',
  keys: 'API keys',
  members: 'Members',
  alertSettings: 'Alerts and webhooks',
  activity: 'Activity',
  sites: 'All sites',
  account: 'Account',
  accountOf: 'Account: {email}',
  signOut: 'Sign out',
  light: 'Use light colors',
  dark: 'Use dark colors',
  reference: 'API reference',
})

export const roles = catalogue({ viewer: 'Viewer', manager: 'Manager', admin: 'Admin' })
