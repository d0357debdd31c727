import { randomUUID } from 'node:crypto'
import {
  COLUMN_FIELD_NAMES,
  type ColumnFieldName,
  columnField,
  TICKET_STATES,
} from '@plantroom/contract/request-fields'
import { flag, type OptionTable, repeated, UsageError, valued } from '../../command.ts'
import { fieldOption, optionName } from '../request/field-options.ts'
import type { NewRequest } from './added-requests.ts'

const NAMES = COLUMN_FIELD_NAMES.filter((name) => columnField(name).about !== undefined && columnField(name).inManifest)
const optionOf = (name: ColumnFieldName) =>
  columnField(name).type === 'boolean' ? flag(columnField(name).about ?? '') : fieldOption(name)

/** An option for each field of a request. The names follow those of the manifest. */
export const FIELD_FLAGS: OptionTable = {
  ...Object.fromEntries(NAMES.map((name) => [optionName(name), optionOf(name)])),
  state: valued('STATE', 'new by default', { choices: TICKET_STATES }),
  'reporter-name': valued('TEXT', 'the name of the reporter'),
  'reporter-email': valued('EMAIL', 'the email of the reporter'),
  'reporter-phone': valued('TEXT', 'the phone number of the reporter'),
  assignee: valued('EMAIL', 'who works on it'),
  supervisor: valued('EMAIL', 'who supervises it'),
  watcher: repeated('EMAIL', 'who watches it; may be repeated'),
  unit: valued('TEXT', 'the unit'),
  tag: repeated('TAG', 'a tag; may be repeated'),
  cc: repeated('EMAIL', 'who gets copies; may be repeated'),
  attach: repeated('FILE', 'attach a file; may be repeated', { completes: 'file' }),
  comment: repeated('TEXT', 'a comment; may be repeated'),
}

type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>

const LISTS: Readonly<Record<string, string>> = { watcher: 'watchers', tag: 'tags', cc: 'ccEmails' }

/** Builds a request from flags. Its values are checked with the package. */
export function requestFromFlags(flags: Values): NewRequest {
  if (flags.title === undefined) throw new UsageError('--title is missing')
  const request: Record<string, unknown> = { externalId: randomUUID(), title: '', state: 'new' }
  const reporter: Record<string, unknown> = {}
  for (const [flag, value] of Object.entries(flags)) {
    if (value === undefined) continue
    const list = LISTS[flag]
    if (flag === 'comment') request.comments = (value as string[]).map((content) => ({ content }))
    else if (flag === 'attach') request.attachments = (value as string[]).map((file) => ({ file }))
    else if (list !== undefined) request[list] = value
    else if (flag.startsWith('reporter-')) reporter[flag.slice('reporter-'.length)] = value
    else request[camelCase(flag)] = FIELD_FLAGS[flag]?.value === 'N' ? numberOf(flag, String(value)) : value
  }
  if (Object.keys(reporter).length > 0) request.reporter = reporter
  return request
}

function numberOf(flag: string, text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new UsageError(`--${flag} ${text} is not a whole number`)
  return Number(text)
}

const camelCase = (flag: string) => flag.replaceAll(/-(\w)/g, (_all, letter: string) => letter.toUpperCase())
