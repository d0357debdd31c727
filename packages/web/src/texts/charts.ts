import { catalogue } from './language.ts'

/** Charts of archived and live values, on every page that has one. */
export const chart = catalogue('chart', {
  title: 'Chart of {name}',
  label: 'Chart of {names}. {summary}',
  close: 'Close chart',
  openPage: 'Open in charts',
  range: 'Period',
  ranges: {
    '1h': '1 h',
    '6h': '6 h',
    '24h': '24 h',
    '7d': '7 d',
    '30d': '30 d',
    '365d': '1 y',
    day: 'Day',
    own: 'From–to',
  },
  day: 'Day ({zone})',
  from: 'From ({zone})',
  to: 'To ({zone})',
  notArchived: '{name} is not archived. The chart shows only values that arrive while it is open.',
  notArchivedPast: '{name} is not archived, so this period has no values.',
  notArchivedAtAll: '{name} is not archived, so it has no history.',
  empty: 'No values in this period.',
  notLoaded: 'The values are not loaded.',
  summary:
    '{count, plural, one {# value: {last} at {at}.} other {# values: lowest {min}, highest {max}, last {last} at {at}.}}',
  summaryOf: '{name}: {summary}',
  holds: '{count, plural, one {# hold in this period.} other {# holds in this period.}}',
  noHolds: 'No holds in this period.',
  bandList: 'Holds in this period',
  bandAt: '{writer} at {value}',
  bandOf: '{name}: {band}',
  bandTimes: '{from} to {to}',
  bandSince: 'Since {from}',
  bandSinceUntil: 'Since {from}, until {until}',
  planned: 'Planned',
  moreBands: '{count, plural, one {The audit log has # more hold.} other {The audit log has # more holds.}}',
  tooManyReports: 'This period has too many holds to draw. The audit log has all of them.',
  beforeAndAfter: 'Before and after',
  beforeAndAfterOf: 'Before and after: {band}',
  samples: 'Some values are samples of an older controller: nothing is known about the time between them.',
  dropped:
    '{count, plural, one {The controller dropped values during # part of this period.} other {The controller dropped values during # parts of this period.}}',
  historyFailed: 'The archived values could not be loaded',
  historyFailedOf: 'The archived values of {name} could not be loaded',
  reportsFailed: 'The holds of this period could not be loaded',
  unknownName: 'Datapoint no longer commissioned ({id})',
  on: '{connection} · {controller}',
  loading: 'Loading values. The lines may be of another period or coarser until then.',
  noValuesSince: 'No values since {time}',
  noValuesYet: 'No values in the last 24 hours',
  cursor: '{time}: {value}',
  cursorRange: '{time}: {value} ({min} to {max})',
  cursorNothing: '{time}: no value',
  lastAt: 'Last: {value} at {time}',
  step: 'Each point is the mean of {length}; the shade reaches from the lowest to the highest value.',
  reports: 'Audit log of this datapoint',
})

/** Moving around in a chart. */
export const chartMoves = catalogue('chartMoves', {
  group: 'Zoom and move',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  earlier: 'Earlier',
  later: 'Later',
  reset: 'Reset zoom',
  remove: 'Remove {name}',
  plot: '{label} Arrow keys move it, plus and minus zoom, 0 resets the zoom.',
  hint: 'Drag to zoom. Hold Shift and drag to move. Ctrl and the wheel zoom; with the chart selected, the wheel alone.',
  touchHint: 'Swipe sideways to move. Pinch to zoom.',
})

/** The lines of limits. */
export const limits = catalogue('limits', {
  list: 'Limits',
  'envelope-min': 'Commissioned minimum',
  'envelope-max': 'Commissioned maximum',
  'limit-min': 'Enforced minimum',
  'limit-max': 'Enforced maximum',
  peak: 'Peak limit',
  at: '{limit} {value}',
  atOf: '{name}: {limit} {value}',
  hourly: '{limit} {min} to {max}, by the hour',
  hourlyOf: '{name}: {limit} {min} to {max}, by the hour',
})

/** The page on which one works with charts. */
export const chartPage = catalogue('chartPage', {
  title: 'Charts',
  subtitle: 'Times in {zone}',
  add: 'Add a datapoint',
  addHint: 'Name, connection, controller or unit',
  full: '{count, plural, one {A chart shows # datapoint at most.} other {A chart shows # datapoints at most.}}',
  nothing: 'Choose a datapoint to chart',
  nothingHint: 'Add up to {count} datapoints. The address of this page then shows the same chart to others.',
  noDatapoints: 'Nothing is commissioned at this site yet',
  noDatapointsHint: 'An administrator can load a commissioning file under Settings, Technical systems.',
  option: '{name} · {where}',
  optionIn: '{name} ({unit}) · {where}',
  compare: 'Compare with',
  comparisons: { none: 'Nothing', '1': 'Yesterday', '7': 'A week before', day: 'Another day' },
  compareDay: 'Compared day ({zone})',
  sameDay: 'This is the day that the chart shows. Choose another one.',
  compared:
    '{count, plural, one {Dashed lines: # day before, by the clock of the site.} other {Dashed lines: # days before, by the clock of the site.}}',
  comparedLater:
    '{count, plural, one {Dashed lines: # day later, by the clock of the site.} other {Dashed lines: # days later, by the clock of the site.}}',
  compareFailed: 'The values to compare with could not be loaded',
  table: 'Table',
  hideTable: 'Hide table',
  tableOf: 'Values of the chart',
  tableStep: 'Each row is {length}, in {zone}. The CSV file has every step.',
  time: 'Time',
  cell: '{mean} ({min} to {max})',
  column: '{name} ({unit})',
  csv: 'CSV',
  csvShown: 'As shown, one row per {length}',
  csvRaw: 'Every archived value',
  csvTooMany: 'This period has {count} values, and a file holds {most} at most. Choose a shorter period.',
  csvFailed: 'The file could not be made',
  csvTime: 'Time ({zone})',
  csvMean: '{name}, mean',
  csvMin: '{name}, lowest',
  csvMax: '{name}, highest',
})

/** The means around a hold. */
export const aroundHold = catalogue('aroundHold', {
  title: 'Before and after',
  of: '{name}: {hold} · {times}',
  explained: 'Means of the archived values, for an hour before and an hour after the hold.',
  going: 'The hold continues, so there is no time after it yet.',
  datapoint: 'Datapoint',
  before: 'Before',
  during: 'During',
  after: 'After',
  difference: 'Change',
  gone: 'The hold of this link was not found',
  goneHint: 'The audit log has no hold of this datapoint at {time}.',
  close: 'Show the chart without it',
})

/** The last 24 hours on the page of a site. */
export const siteDay = catalogue('siteDay', {
  title: 'Last 24 hours',
  power: 'Power of the site',
  powerOf: '{count, plural, one {{name}} other {Sum of # meters}}',
  allCharts: 'Work with these values',
  nothing: 'No power or main measurement is marked at this site.',
  nothingHint:
    'Tag a meter with site.power, and up to three other datapoints with site.main, in the commissioning file.',
  heldBy: '{count, plural, one {{writer}: # hold} other {{writer}: # holds}}',
  someHolds: 'More holds than can be drawn. The audit log has all of them.',
})
