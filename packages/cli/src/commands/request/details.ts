import type { RequestDetails } from '@plantroom/contract/api'
import { EDITABLE_COLUMN_FIELDS } from '@plantroom/contract/request-fields'
import { flag, type OptionTable, repeated, UsageError, valued } from '../../command.ts'
import { fieldOption, fieldValue, optionName } from './field-options.ts'

/** The title is an argument of its own. */
const FIELDS = EDITABLE_COLUMN_FIELDS.filter((name) => name !== 'title').map((name) => ({
  name,
  option: name === 'resolutionSummary' ? 'resolution' : optionName(name),
}))
const COLUMN_FLAGS: OptionTable = Object.fromEntries(FIELDS.map(({ name, option }) => [option, fieldOption(name)]))

/** An option for each field that can be set; an empty text removes the value. */
export const DETAIL_FLAGS = {
  ...COLUMN_FLAGS,
  assignee: valued('EMAIL', 'a person of the site'),
  supervisor: valued('EMAIL', 'a person of the site'),
  unit: valued('UNIT', 'a unit of the site, by name'),
  tag: repeated('TAG', 'a tag; may be repeated, and replaces the tags before'),
  'no-tags': flag('without tags'),
  watcher: repeated('EMAIL', 'a person of the site; may be repeated, and replaces the watchers before'),
} as const

/** The flags that describe a request. */
export type DetailFlags = Readonly<Partial<Record<'assignee' | 'supervisor' | 'unit', string>>> & {
  readonly tag?: string[]
  readonly 'no-tags'?: boolean
  readonly watcher?: string[]
}

/** Returns what the flags set. An empty text means no value. The service checks the rest. */
export function detailsOf(flags: DetailFlags): RequestDetails {
  const { tag, watcher } = flags
  if (tag && flags['no-tags']) throw new UsageError('give only one of --tag TAG and --no-tags')
  const given: Readonly<Record<string, unknown>> = flags
  const columns = FIELDS.flatMap(({ name, option }) => {
    const text = given[option]
    return typeof text === 'string' ? [[name, fieldValue(name, option, text)]] : []
  })
  const links = (['assignee', 'supervisor', 'unit'] as const).flatMap((name) =>
    flags[name] === undefined ? [] : [[name, flags[name] || null]],
  )
  return {
    ...Object.fromEntries([...columns, ...links]),
    ...(tag && { tags: tag }),
    ...(flags['no-tags'] && { tags: [] }),
    ...(watcher && { watchers: watcher }),
  }
}
