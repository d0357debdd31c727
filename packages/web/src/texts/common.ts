import { catalogue } from './language.ts'

/** Texts that several pages share. */
export const common = catalogue('common', {
  product: 'Plantroom',
  pageTitle: '{before} – {part}',
  alertTitle: '({alerts}) {title}',
  asOf: 'As of {time}. Loading…',
  silent: 'No answer from Plantroom. The page keeps trying.',
  loading: 'Loading…',
  tryAgain: 'Try again',
  cancel: 'Cancel',
  save: 'Save',
  close: 'Close',
  showPassword: 'Show password',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Not copied: select the text',
  more: 'Show more',
  none: '–',
  nothingFound: 'No match',
  clear: 'Clear {what}',
  fact: '{name}: {value}',
  within: '{inner}, {outer}',
  online: 'Online',
  offline: 'Offline',
  unknown: 'Unknown',
  noAnswerYet: 'No answer yet',
  broken: 'This page could not be displayed',
  brokenHint: 'Reload it. If that does not help, contact your operator.',
  loadAgain: 'Reload page',
  notFound: 'Page not found',
  notFoundHint: 'The address may be mistyped, or the page no longer exists.',
  backToStart: 'Go to the start page',
  noAccess: 'You have no access to this site',
  noOrganization: 'You have no access to this organization',
  noAccessHint: 'Ask an administrator of the organization to give you a role on it.',
  requestsOff: 'Maintenance requests are turned off for this site',
  requestsOffHint: 'An administrator can turn them on under Settings, Site.',
  requestsOffAdmin: 'You can turn them on under {page}.',
  siteSettings: 'Settings, Site',
})

/** For how long an old secret still works. */
export const overlap = catalogue('overlap', {
  label: 'The old secret',
  choices: {
    none: 'Stops working immediately',
    hour: 'Works for one more hour',
    day: 'Works for one more day',
    week: 'Works for one more week',
  },
})

/** Offers to undo what was just done. */
export const undo = catalogue('undo', { action: 'Undo', failed: 'It was not undone.' })

/** Before a secret that is shown once is lost. */
export const shownOnce = catalogue('shownOnce', {
  question: 'Have you stored it?',
  consequence: 'It was not copied. Once you close this dialog, nobody can show it again.',
  keep: 'Keep it open',
  discard: 'Close without it',
})

/** Errors for people. The service's own message is shown for every code that is not listed here. */
export const errors = catalogue('errors', {
  title: 'Something went wrong',
  fromService: '{message}',
  unreachable: 'Plantroom cannot be reached. Check your connection and try again.',
  byCode: {
    DEVICE_OFFLINE: 'The controller did not answer. It may be offline or busy. Try again in a moment.',
    RECENT_SIGN_IN_REQUIRED: 'You did not confirm that it is you, so nothing was changed. Try again.',
    INTERNAL: 'Plantroom had an internal error. Try again. If it happens again, contact your operator.',
    TIMEOUT: 'The request took too long to arrive. Check your connection and try again.',
    UNKNOWN: 'Plantroom gave an unexpected answer. Try again. If it happens again, contact your operator.',
  },
})

export const navigation = catalogue('navigation', {
  label: 'Main',
  skip: 'Skip to content',
  menu: 'Menu',
  overview: 'Overview',
  search: 'Search or go to…',
  searchKey: '{control} K',
  dispatches: 'Fleet dispatches',
  openadr: 'OpenADR',
  alerts: 'Alerts',
  charts: 'Charts',
  calendar: 'Calendar',
  schedules: 'Schedules and limits',
  reports: 'Audit log',
  requests: 'Maintenance requests',
  organization: 'Organization',
  siteGroup: 'Site',
  openCount: '{count} open',
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
  help: 'Help',
})

export const roles = catalogue('roles', { viewer: 'Viewer', manager: 'Manager', admin: 'Admin' })
