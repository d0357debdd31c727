import { randomUUID } from 'node:crypto'
import type { ParseArgsOptionsConfig } from 'node:util'
import { UsageError } from '../../command.ts'
import type { NewRequest } from './added-requests.ts'

const one = { type: 'string' } as const
const many = { type: 'string', multiple: true } as const

/** A flag for each field of a request. The names follow those of the manifest. */
export const FIELD_FLAGS = {
  'external-id': one,
  number: one,
  title: one,
  description: one,
  notes: one,
  'resolution-summary': one,
  state: one,
  priority: one,
  language: one,
  tone: one,
  scope: one,
  'safety-hazard': { type: 'boolean' },
  'reporter-name': one,
  'reporter-email': one,
  'reporter-phone': one,
  assignee: one,
  supervisor: one,
  watcher: many,
  unit: one,
  tag: many,
  cc: many,
  feedback: one,
  'feedback-text': one,
  'created-at': one,
  'updated-at': one,
  'resolved-at': one,
  'state-changed-at': one,
  attach: many,
  comment: many,
} as const satisfies ParseArgsOptionsConfig

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
