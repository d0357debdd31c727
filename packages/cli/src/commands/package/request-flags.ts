import { randomUUID } from 'node:crypto'
import { TICKET_STATES } from '@plantroom/contract/request-fields'
import { flag, type OptionTable, repeated, UsageError, valued } from '../../command.ts'
import type { NewRequest } from './added-requests.ts'

const one = (about: string, value = 'TEXT') => valued(value, about)

/** An option for each field of a request. The names follow those of the manifest. */
export const FIELD_FLAGS = {
  'external-id': one('the id in the other system; a random one by default'),
  number: one('its number there', 'N'),
  title: one('the title'),
  description: one('the description'),
  notes: one('notes for staff'),
  'resolution-summary': one('how it was resolved'),
  state: valued('STATE', 'new by default', { choices: TICKET_STATES }),
  priority: one('0 to 3', 'N'),
  language: one('the language of the reporter'),
  tone: one('the tone'),
  scope: one('unit, common_area or building'),
  'safety-hazard': flag('it is a safety hazard'),
  'reporter-name': one('the name of the reporter'),
  'reporter-email': one('the email of the reporter', 'EMAIL'),
  'reporter-phone': one('the phone number of the reporter'),
  assignee: one('who works on it', 'EMAIL'),
  supervisor: one('who supervises it', 'EMAIL'),
  watcher: repeated('EMAIL', 'who watches it; may be repeated'),
  unit: one('the unit'),
  tag: repeated('TAG', 'a tag; may be repeated'),
  cc: repeated('EMAIL', 'who gets copies; may be repeated'),
  feedback: one('how satisfied the reporter was', 'N'),
  'feedback-text': one('what the reporter said about it'),
  'created-at': one('when it was created', 'TIME'),
  'updated-at': one('when it was changed', 'TIME'),
  'resolved-at': one('when it was resolved', 'TIME'),
  'state-changed-at': one('when its state changed', 'TIME'),
  attach: repeated('FILE', 'attach a file; may be repeated', { completes: 'file' }),
  comment: repeated('TEXT', 'a comment; may be repeated'),
} as const satisfies OptionTable

type Values = { readonly [Name in keyof typeof FIELD_FLAGS]?: string | boolean | string[] | undefined }

const NUMBERS = new Set(['number', 'priority', 'feedback'])
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
    else request[camelCase(flag)] = NUMBERS.has(flag) ? numberOf(flag, String(value)) : value
  }
  if (Object.keys(reporter).length > 0) request.reporter = reporter
  return request
}

function numberOf(flag: string, text: string): number {
  if (!/^-?\d{1,15}$/.test(text)) throw new UsageError(`--${flag} ${text} is not a whole number`)
  return Number(text)
}

const camelCase = (flag: string) => flag.replaceAll(/-(\w)/g, (_all, letter: string) => letter.toUpperCase())
