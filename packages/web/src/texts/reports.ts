import { catalogue } from './language.ts'

/** The audit log. */
export const reports = catalogue('reports', {
  beforeAndAfter: 'Before and after',
  title: 'Audit log',
  about: 'What demand response, peak shaving and schedules did to the equipment of this site.',
  listLabel: 'Audit entries, newest first',
  time: 'Time',
  happened: 'Event',
  device: 'Controller',
  system: 'Technical system',
  datapoint: 'Datapoint',
  value: 'Value',
  code: 'Kind',
  from: 'From',
  to: 'To (exclusive)',
  zone: 'Times are in the time zone of the site ({zone}).',
  anyDevice: 'Any controller',
  anySystem: 'Any system',
  anyDatapoint: 'Any datapoint',
  anyCode: 'Any kind',
  datapointOn: '{name} ({connection})',
  filtersLabel: 'Filters',
  clearFilters: 'Clear filters',
  emptyRange: '“From” must be before “To”.',
  refresh: 'Refresh',
  updatedAt: 'As of {time}',
  updatesStopped: 'This long list no longer updates automatically. Press Refresh to see newer entries.',
  download: 'Download CSV',
  noneAtAll: 'No audit entries yet',
  noneAtAllHint: 'An entry appears when demand response, peak shaving or a schedule changes a datapoint of this site.',
  noneMatch: 'No audit entry matches these filters',
  noneMatchHint: 'Use fewer filters or a longer period.',
  shown: '{count, plural, one {# entry} other {# entries}}',
  shownOfMore: '{count, plural, one {The newest entry} other {The newest # entries}}',
  notCommissioned: '{id} (no longer commissioned)',
  removedDevice: '{id} (removed)',
  namesFailed: 'The names of some datapoints could not be loaded',
  ids: 'IDs',
  overrideId: 'Override',
  requestId: 'Request',
  datapointId: 'Datapoint',
  entryId: 'Entry',
})

/** The kinds of audit entries, by code. */
export const codes = catalogue('codes', {
  4000: '4000 Peak shaving',
  4001: '4001 Cloud schedule',
  4005: '4005 Demand response',
})

/** The titles of audit entries, by code. */
export const titles = catalogue('titles', {
  4000: 'Peak shaving adjustment',
  4001: 'Cloud schedule adjustment',
  4005: 'Demand response adjustment',
})

export const phases = catalogue('phases', {
  applied: 'Applied',
  released: 'Released',
  'write-failed': 'Write failed',
  'not-taken': 'Not accepted by the equipment',
  limited: 'Limited by the limits of the datapoint',
  interval: 'Interval of a power limit',
  tested: 'Tested',
})

/** Why a writer took over, by code. */
export const began = catalogue('began', {
  4000: 'The meter was above the limit',
  4001: 'The schedule slot started',
  4005: 'The override started',
})

/** Why a writer released the datapoint at its usual end, by code. */
export const over = catalogue('over', {
  4000: 'The load was restored',
  4001: 'The schedule slot ended',
  4005: 'The override ended',
})

export const reasons = catalogue('reasons', {
  window: 'The override started',
  cancelled: 'The override was cancelled',
  cancelledBefore: 'The override was cancelled before it became active',
  outranked: 'The override ended while a later one was active',
  superseded: 'Another writer took over',
  restart: 'The override ended while the controller was down',
  replaced: 'A new controller took the override over from the one before',
  differs: 'The equipment shows neither the setpoint nor the value from before',
  'restored-by-hand': 'A person set the equipment back by hand and closed the hold',
  abandoned: 'A person closed the hold without restoring the equipment',
  limited: 'The limits of the datapoint changed what is written',
  whileHeld: 'While holding the datapoint at this value',
  whileReleasing: 'While releasing the datapoint: the equipment may still have the other value',
})

/** Who placed or cancelled an override, or closed a hold. */
export const callers = catalogue('callers', {
  placed: {
    by: 'Placed by {name}',
    byBecause: 'Placed by {name}: {reason}',
    because: 'Placed: {reason}',
  },
  cancelled: {
    by: 'Cancelled by {name}',
    byBecause: 'Cancelled by {name}: {reason}',
    because: 'Cancelled: {reason}',
  },
  closed: {
    by: 'Closed by {name}',
    byBecause: 'Closed by {name}: {reason}',
    because: 'Closed: {reason}',
  },
})

/** What the equipment follows instead of the controller, by its priorities. */
export const sources = catalogue('sources', {
  outranks: {
    alone: 'Priority {priority} of the equipment outranks this controller',
    withValue: 'Priority {priority} of the equipment holds {value} and outranks this controller',
  },
  follows: {
    alone: 'The equipment now follows priority {priority}',
    withValue: 'The equipment now follows priority {priority}, which holds {value}',
  },
})

export const changes = catalogue('changes', {
  notKnown: 'unknown',
  applied: '{before} → {value}',
  backTo: 'Back to {value}',
  givenOn: 'Now {value} ({before} before this hold)',
  nothingWritten: 'Nothing was written',
  wanted: 'Requested: {value} ({before} before this hold)',
  readBack: 'Read back: {value}',
  wrote: 'Written: {value}',
  byHand: 'Set back by hand',
  abandoned: 'Left as it is',
  lastRead: 'Last read: {value}',
})
