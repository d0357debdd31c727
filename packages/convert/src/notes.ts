import {
  type ConversionNote,
  MAX_NOTED,
  type NoteCode,
  type NoteDetails,
  type ZoneOrigin,
} from '@plantroom/contract/conversion-notes'
import { shown } from '@plantroom/contract/shown'

const ZONE_TEXTS: Readonly<Record<ZoneOrigin, string>> = {
  system: 'the one in which this system writes dates',
  site: 'the time zone of the site',
  computer: 'the time zone of this computer',
  option: 'the time zone that was given',
  mapping: 'the time zone of the mapping',
  default: 'because no other is known',
}

/** Says where a time zone comes from, after its name. */
export const describeZone = (from: ZoneOrigin): string => ZONE_TEXTS[from]

/** In English, for the command line, for files and for programs without texts of their own. */
const TEXTS: Readonly<Record<NoteCode, (details: NoteDetails) => string>> = {
  'encoding-assumed': ({ subject }) =>
    `A file is not UTF-8 and was read as ${subject}. If letters are wrong, name the encoding.`,
  'other-sheets': ({ subject, ...others }) =>
    `Only the sheet ${subject} was read. The file also has ${listed(others)}.`,
  'text-above-table': ({ subject }) => `The text above the table was left out: ${subject}`,
  'hidden-columns': (columns) => `Hidden columns were read too: ${listed(columns)}.`,
  'items-without-ticket': ({ count, ...tickets }) =>
    `Followups, tasks and solutions left out because their ticket is not in the files: ${count} (of ticket ${listed(tickets)}).`,
  'unknown-states': (states) =>
    `Unknown states: ${listed(states)}. Such requests become new, or resolved if the source says that they are done.`,
  'unknown-priorities': (priorities) => `Unknown priorities are left empty: ${listed(priorities)}.`,
  'two-date-orders': ({ subject, dayFirst, monthFirst }) =>
    `Dates are written in two orders: ${dayFirst} have the day first, ${monthFirst} the month. Correct those that do not follow ${subject}.`,
  'date-order-needed': ({ values = [] }) =>
    `Every date fits two orders, for example ${values[0]}. Set dateOrder to dmy (day first) or mdy (month first).`,
  'zone-assumed': ({ subject, from = 'default' }) =>
    `Dates name no time zone and are read as ${subject}, ${describeZone(from)}. If the other system used another one, set it.`,
  'no-id-column': () => 'No column has a unique id, so ids are derived from the title and the time of creation.',
  'no-title-column': () => 'No column looks like a title, so titles come from the description.',
  'columns-missing': (columns) => `The mapping lists columns that the source lacks: ${listed(columns)}.`,
  'columns-unlisted': (columns) =>
    `The mapping does not list these columns, so they go to the description: ${listed(columns)}.`,
  'derived-ids': ({ count }) =>
    `Requests without an id: ${count}. Their ids were derived from title and creation time.`,
  'derived-titles': ({ count }) =>
    `Requests without a title: ${count}. They got the first line of their text, or their id.`,
  'values-unlisted': ({ subject, count }) =>
    `The column ${subject} has more values than a mapping lists: ${count} are longer than 200 characters or beyond the first 10,000. List the important ones.`,
  'columns-by-values': (columns) => `Columns recognized by their values, not by their names: ${listed(columns)}.`,
  'states-by-evidence': (states) =>
    `Unknown states whose requests are nearly all done, or in progress, by other fields: ${listed(states)}. Check them in the mapping.`,
  'requests-by-evidence': ({ count }) =>
    `Requests without a state that the mapping lists: ${count} got theirs from other fields, for example a resolved date.`,
  'system-unrecognized': ({ subject, ...columns }) =>
    `No title and no state of ${subject} was recognized among the columns ${listed(columns)}. Say in the mapping which column is the title and which the state.`,
  'open-but-resolved': (found) => `Open, but with a resolved date: ${counted(found)}.`,
  'done-without-date': (found) => `Resolved or closed without a resolved date, which others have: ${counted(found)}.`,
  'one-state': ({ count, subject }) => `All ${count} requests have the state ${subject}.`,
  'future-dates': (found) => `With a date in the future: ${counted(found)}.`,
  'resolved-before-created': (found) => `Resolved before they were created: ${counted(found)}.`,
  undated: (found) => `Without a date of creation: ${counted(found)}.`,
  'titles-of-fields': (found) => `With a title made of another field or of the id: ${counted(found)}.`,
}

/** Says what was assumed. */
export const note = (code: NoteCode, details: NoteDetails = {}): ConversionNote => ({
  code,
  text: TEXTS[code](details),
  ...details,
})

/** The names or values of which a note speaks, as many and as much of each as it may quote. */
export function noted(values: readonly string[]): Pick<NoteDetails, 'values' | 'more'> {
  const more = values.length - MAX_NOTED
  return { values: values.slice(0, MAX_NOTED).map(quoted), ...(more > 0 && { more }) }
}

/** The same with how often each occurs, the most frequent first. */
export function notedCounts(values: ReadonlyMap<string, number>): Pick<NoteDetails, 'values' | 'more' | 'counts'> {
  const sorted = [...values].sort(([, a], [, b]) => b - a)
  return { ...noted(sorted.map(([value]) => value)), counts: sorted.slice(0, MAX_NOTED).map(([, count]) => count) }
}

const LISTED = 10

/** A name or a value as notes quote it. */
export const quoted = (text: string) => shown(text, 60)

/** The first names or values of a note, and how many more there are. */
export function listed({ values = [], counts, more = 0 }: NoteDetails): string {
  const first = values.slice(0, LISTED).map((value, at) => (counts ? `${value} (${counts[at]})` : value))
  const others = values.length - first.length + more
  return others > 0 ? `${first.join(', ')} and ${others} more` : first.join(', ')
}

function counted({ count = 0, values = [] }: NoteDetails): string {
  const examples = count > values.length ? `for example ${values.join(', ')}` : values.join(', ')
  return `${count} (${examples})`
}
