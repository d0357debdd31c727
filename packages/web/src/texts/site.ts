import { catalogue } from './language.ts'

/** The overview of a site. */
export const site = catalogue('site', {
  localTime: '{time} at the site',
  localTimeInZone: '{time} at the site ({timeZone})',
  held: 'Held right now',
  heldThen: 'Held when last known',
  heldCount: '{count, plural, one {# datapoint} other {# datapoints}}',
  nothingHeld: 'No active overrides. The building is under local control.',
  nothingHeldKnown: 'The controllers that answer have no active overrides.',
  notKnown:
    '{count, plural, one {{controllers} does not answer and has never sent its state, so its overrides are unknown. If only its connection is down, it ends them on time. If it has no power, its equipment stays as it is: go there.} other {{controllers} do not answer and have never sent their state, so their overrides are unknown. If only their connections are down, they end them on time. If they have no power, their equipment stays as it is: go there.}}',
  nothingHeldThen: 'No overrides were active when the controllers last answered.',
  lostTitle: 'Plantroom does not answer',
  lost: 'This page has heard nothing from the service for {age}. Nothing on it is live. It reconnects automatically.',
  listening: 'Contacting {controllers}…',
  stale: 'Last known state, {age} ago ({time})',
  equipmentAt: 'Equipment at',
  writeOnly: 'Write only: it cannot be read',
  unreadable: 'Cannot be read: {why}',
  release: 'Release',
  releaseOf: 'Release {name}',
  releaseAll: 'Release all at this site…',
  allAlerts: 'All alerts',
  since: 'Since {time}',
  heldAt: 'Held at',
  releasingTo: 'Returning to',
  on: '{connection} · {controller}',
  unknownDatapoint: 'Datapoint no longer commissioned',
  showAll: '{count, plural, one {Show # datapoint} other {Show all # datapoints}}',
  queued: '{count, plural, one {# override queued.} other {# overrides queued.}}',
  queuedNext: 'Next: {name} at {value} from {from} to {to} (starts in {left})',
  devices: 'Controllers',
  noDevices: 'This site has no controllers yet',
  noDevicesHint: 'An administrator can add and commission one under Settings, Technical systems.',
  addDevice: 'Add the first controller',
  clockSuspect: 'The controller does not know the time yet. Until it does, it rejects new overrides.',
  connectionsWork: '{count, plural, one {Its connection works} other {All # connections work}}',
  noConnections: 'Nothing is commissioned on it',
  connectionStatus: { 1: 'connected', 2: 'connecting…', 0: 'disconnected', [-1]: 'failed' },
  connectionTrouble: '{name}: {status}',
  unknownConnection: 'Connection no longer commissioned',
  notAnswering: 'The controller does not answer and has never sent its state.',
  notAnsweringSince: 'The controller does not answer. Last known state: {age} ago ({time}).',
  answersSlowly: 'Last known state: {age} ago ({time}).',
  notConnected: 'The controller is not connected.',
  requests: 'Open maintenance requests',
  allRequests: 'All maintenance requests',
  noRequests: 'No open requests.',
  requestNumber: '#{number}',
})

/** The release of everything at a site. */
export const releaseSite = catalogue('releaseSite', {
  title: 'Release all at this site?',
  what: 'Every override of demand response at this site is cancelled, also those that are queued:',
  heldOn: '{count, plural, one {{name}, held at {value}: # override} other {{name}, held at {value}: # overrides}}',
  queuedOn: '{count, plural, one {{name}: # queued override} other {{name}: # queued overrides}}',
  more: '{count, plural, one {And # more datapoint.} other {And # more datapoints.}}',
  leftOut:
    '{count, plural, one {The controller has # more override than it lists. Release again afterwards.} other {The controller has # more overrides than it lists. Release again afterwards.}}',
  others: 'The equipment returns to peak shaving, to its schedule, or to its value from before.',
  unreachableTitle: 'Not released',
  unreachable:
    '{count, plural, one {{controllers} does not answer. If only its connection is down, it ends its overrides on time. If it has no power, its equipment stays as it is: go there.} other {{controllers} do not answer. If only their connections are down, they end their overrides on time. If they have no power, their equipment stays as it is: go there.}}',
  nothing: 'No controller that answers has an override.',
  action: '{count, plural, one {Release # datapoint} other {Release # datapoints}}',
  releasing:
    '{count, plural, one {{name}: {done} of # datapoint released…} other {{name}: {done} of # datapoints released…}}',
  released:
    '{count, plural, one {{name}: {done} of # datapoint released} other {{name}: {done} of # datapoints released}}',
  failed: '{name} was not released: {why}',
  again: '{count, plural, one {Try # datapoint again} other {Try # datapoints again}}',
})

/** How a site is, in one line. */
export const siteStatus = catalogue('siteStatus', {
  label: 'Status of the site',
  well: '{count, plural, one {All well: # controller answers} other {All well: # controllers answer}}, {connections, plural, one {# connection works} other {# connections work}}.',
  asking: 'Contacting the controllers…',
  nothing: 'No controller yet.',
  snoozed: '{count, plural, one {Nothing new. # alert is snoozed.} other {Nothing new. # alerts are snoozed.}}',
  offline: '{controller} does not answer',
  connection: '{controller} has lost its connection to {connection}',
  andOthers: '{sentence}, {count, plural, one {and # other} other {and # others}}',
  more: '{count, plural, one {# more} other {# more}}',
})

/** The last hour of a datapoint, as a small line. */
export const recent = catalogue('recent', {
  steady: 'Last hour: {value}',
  between: 'Last hour: {min} to {max}',
})
