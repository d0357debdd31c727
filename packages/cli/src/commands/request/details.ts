import type { RequestDetails } from '@plantroom/contract/api'
import { TICKET_STATES } from '@plantroom/contract/request-fields'
import { flag, repeated, UsageError, valued } from '../../command.ts'

const SCOPES = ['unit', 'common_area', 'building'] as const
const HAZARD = ['yes', 'no'] as const

/** An option for each field that can be set; an empty text removes the value. */
export const DETAIL_FLAGS = {
  state: valued('STATE', 'the state', { choices: TICKET_STATES }),
  description: valued('TEXT', 'the description'),
  notes: valued('TEXT', 'notes for staff only'),
  resolution: valued('TEXT', 'how it was resolved'),
  priority: valued('N', '0 to 3'),
  language: valued('CODE', 'the language of the reporter'),
  scope: valued('SCOPE', 'what it is about', { choices: SCOPES }),
  'safety-hazard': valued('yes|no', 'whether it is a safety hazard', { choices: HAZARD }),
  assignee: valued('EMAIL', 'a person of the site'),
  supervisor: valued('EMAIL', 'a person of the site'),
  unit: valued('UNIT', 'a unit of the site, by name'),
  tag: repeated('TAG', 'a tag; may be repeated, and replaces the tags before'),
  'no-tags': flag('without tags'),
  watcher: repeated('EMAIL', 'a person of the site; may be repeated, and replaces the watchers before'),
} as const

/** The flags that describe a request. */
export type DetailFlags = {
  readonly [Name in keyof typeof DETAIL_FLAGS]?: (typeof DETAIL_FLAGS)[Name] extends { multiple: true }
    ? string[]
    : (typeof DETAIL_FLAGS)[Name] extends { type: 'boolean' }
      ? boolean
      : string
}

/** Returns what the flags set. An empty text means no value. The service checks the rest. */
export function detailsOf(flags: DetailFlags): RequestDetails {
  const { state, priority, 'safety-hazard': hazard, tag, watcher } = flags
  if (state !== undefined && !TICKET_STATES.some((one) => one === state)) {
    throw new UsageError(`--state must be one of ${TICKET_STATES.join(', ')}, not ${state}`)
  }
  if (tag && flags['no-tags']) throw new UsageError('give only one of --tag TAG and --no-tags')
  const texts = {
    description: flags.description,
    notes: flags.notes,
    resolutionSummary: flags.resolution,
    language: flags.language,
    scope: flags.scope,
    assignee: flags.assignee,
    supervisor: flags.supervisor,
    unit: flags.unit,
  }
  const given = Object.entries(texts).filter(([, value]) => value !== undefined)
  return {
    ...Object.fromEntries(given.map(([name, value]) => [name, value === '' ? null : value])),
    ...(state !== undefined && { state: state as NonNullable<RequestDetails['state']> }),
    ...(priority !== undefined && { priority: priorityOf(priority) }),
    ...(hazard !== undefined && { safetyHazard: hazardOf(hazard) }),
    ...(tag && { tags: tag }),
    ...(flags['no-tags'] && { tags: [] }),
    ...(watcher && { watchers: watcher }),
  }
}

function priorityOf(text: string): 0 | 1 | 2 | 3 | null {
  if (text === '') return null
  const found = ([0, 1, 2, 3] as const).find((one) => String(one) === text)
  if (found === undefined) throw new UsageError(`--priority must be 0, 1, 2 or 3, not ${text}`)
  return found
}

function hazardOf(text: string): boolean | null {
  if (text !== '' && text !== 'yes' && text !== 'no') {
    throw new UsageError(`--safety-hazard must be yes or no, not ${text}`)
  }
  return text === '' ? null : text === 'yes'
}
