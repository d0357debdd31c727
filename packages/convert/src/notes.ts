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
  'unknown-states': (states) => `Unknown states become new: ${listed(states)}.`,
  'unknown-priorities': (priorities) => `Unknown priorities are left empty: ${listed(priorities)}.`,
  'two-date-orders': ({ subject, dayFirst, monthFirst }) =>
    `Dates are written in two orders: ${dayFirst} have the day first, ${monthFirst} the month. Correct those that do not follow ${subject}.`,
  'date-order-assumed': () =>
    'Every date fits both orders and is read as day/month/year. If that is wrong, set dateOrder to mdy.',
  'zone-assumed': ({ subject, from = 'default' }) =>
    `Dates name no time zone and are read as ${subject}, ${describeZone(from)}. If the other system used another one, set it.`,
  'no-id-column': () => 'No column has a unique id, so ids are derived from the title and the time of creation.',
  'no-title-column': () => 'No column looks like a title, so titles come from the description.',
  'columns-missing': (columns) => `The mapping lists columns that the source lacks: ${listed(columns)}.`,
  'columns-unlisted': (columns) =>
    `The mapping does not list these columns, so they go to the description: ${listed(columns)}.`,
  'derived-ids': ({ count }) =>
    `Requests without an id: ${count}. Their ids were derived from title and creation time.`,
  'derived-titles': ({ count }) => `Requests without a title: ${count}. They got the first line of their text.`,
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

const LISTED = 10

/** A name or a value as notes quote it. */
export const quoted = (text: string) => shown(text, 60)

function listed({ values = [], more = 0 }: NoteDetails): string {
  const first = values.slice(0, LISTED)
  const others = values.length - first.length + more
  return others > 0 ? `${first.join(', ')} and ${others} more` : first.join(', ')
}
