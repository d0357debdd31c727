import type { ReportCode, ReportPhase } from '@plantroom/contract/reports'
import { counted } from '../parts/value.ts'

/** The words of the reports. */
export const reports = {
  title: 'Reports',
  about: 'What demand response, peak shaving and schedules did to the equipment of this site.',
  listLabel: 'Reports, the newest first',
  time: 'Time',
  what: 'What',
  happened: 'What happened',
  device: 'Device',
  system: 'Technical system',
  datapoint: 'Datapoint',
  value: 'Value',
  code: 'Kind',
  from: 'From',
  to: 'To (before)',
  zone: (zone: string) => `By the clocks of the site (${zone})`,
  anyDevice: 'Any device',
  anySystem: 'Any system',
  anyDatapoint: 'Any datapoint',
  anyCode: 'Any kind',
  filtersLabel: 'Filters',
  clearFilters: 'Clear filters',
  emptyRange: 'This is not before “To”: nothing can match.',
  refresh: 'Refresh',
  updatedAt: (time: string) => `As of ${time}`,
  updatesStopped: 'Press Refresh for newer ones: so many pages are not fetched again by themselves.',
  download: 'Download CSV',
  noneAtAll: 'There are no reports yet',
  noneAtAllHint:
    'An entry appears as soon as demand response, peak shaving or a schedule changes a datapoint of this site.',
  noneMatch: 'No report matches these filters',
  noneMatchHint: 'Choose fewer filters, or a longer time.',
  shown: (count: number, more: boolean) =>
    `${counted(count, 'entry', 'entries')} shown${more ? ', there are more' : ''}`,
  notCommissioned: 'not commissioned any more',
  removedDevice: 'removed',
  namesFailed: 'The names of some datapoints could not be loaded',
  ids: 'IDs',
  overrideId: 'Override',
  requestId: 'Request',
  datapointId: 'Datapoint',
  entryId: 'Entry',
} as const

export const codes: Readonly<Record<ReportCode, string>> = {
  4000: '4000 Peak shaving',
  4001: '4001 Cloud schedule',
  4005: '4005 Demand response',
}

export const phases: Readonly<Record<ReportPhase, string>> = {
  applied: 'Applied',
  released: 'Released',
  'write-failed': 'Could not be written',
  'not-taken': 'Not taken by the equipment',
}

/** Why a writer took over, by what it is. */
export const began: Readonly<Record<ReportCode, string>> = {
  4000: 'The meter was above the limit',
  4001: 'Its time in the schedule began',
  4005: 'Its window began',
}

/** Why it let go when nothing else happened. */
export const over: Readonly<Record<ReportCode, string>> = {
  4000: 'The load was given back',
  4001: 'Its time in the schedule ended',
  4005: 'Its window ended',
}

export const reasons = {
  window: 'It was its time',
  cancelled: 'It was cancelled',
  cancelledBefore: 'It was cancelled before it held the datapoint',
  outranked: 'It ended while a later override held the datapoint',
  superseded: 'Another one took over',
  restart: 'It ended while the device was down',
  whileHeld: 'While it was to be held at this value',
  whileHandedBack: 'While it was handed back: the equipment may still be at the other value',
} as const

export const changes = {
  notKnown: 'not known',
  applied: (before: string, value: string) => `${before} → ${value}`,
  backTo: (value: string) => `Back to ${value}`,
  givenOn: (value: string, before: string) => `Now ${value} (${before} before it took over)`,
  nothingWritten: 'Nothing was written',
  wanted: (value: string, before: string) => `Wanted: ${value} (${before} before it took over)`,
  readBack: (value: string) => `Read back: ${value}`,
} as const
