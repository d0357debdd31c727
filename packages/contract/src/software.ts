import { VERSION } from './version.ts'

/**
 * The version of what cloud and controller say to each other. It grows when a message changes so that the other side has to
 * know it; a new optional field or command does not count. Programs that do not say theirs speak version 1.
 */
export const PROTOCOL = 2

/** The oldest version of the other side that this program works with: that of the release before, or earlier. */
export const OLDEST_PROTOCOL = 1

/** What a program says about itself when cloud and controller meet. */
export interface Software {
  protocol: number
  /** The oldest protocol that it works with. */
  oldest: number
  /** The release, for people. */
  version: string
}

export const OWN_SOFTWARE: Software = { protocol: PROTOCOL, oldest: OLDEST_PROTOCOL, version: VERSION }

/** A program from before this was said. */
export const EARLIEST_SOFTWARE: Software = { protocol: 1, oldest: 1, version: '' }

const LONGEST_VERSION = 50

export const FITS = ['yes', 'too-old', 'too-new'] as const
export type Fit = (typeof FITS)[number]

/** Reports whether two programs work together; if not, whether the other one is too old or too new. */
export function fitOf(other: Software, own: Software = OWN_SOFTWARE): Fit {
  if (other.protocol < own.oldest) return 'too-old'
  return own.protocol < other.oldest ? 'too-new' : 'yes'
}

/** Reads what a program says about itself. What is missing or makes no sense counts as the earliest. */
export function readSoftware(given: unknown): Software {
  const { protocol, oldest, version } = (given ?? {}) as Partial<Record<keyof Software, unknown>>
  if (!isProtocol(protocol) || !isProtocol(oldest) || oldest > protocol) return EARLIEST_SOFTWARE
  const isVersion = typeof version === 'string' && version.length <= LONGEST_VERSION && /^[\x20-\x7e]*$/.test(version)
  return { protocol, oldest, version: isVersion ? version : '' }
}

const isProtocol = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 1

/** The commands that release equipment. They pass between programs of any versions: a release must not wait for an update. */
export const RELEASING_COMMANDS: ReadonlySet<string> = new Set([
  'demandResponseCancel',
  'cancelOverrides',
  'cancelOverridesByReqId',
  'closeHold',
])

/** Says why a service does not send a command to a controller, and what to do. */
export function deviceMisfit({ protocol, oldest, version }: Software, fit: 'too-old' | 'too-new'): string {
  const name = version === '' ? 'The controller' : `The controller (Plantroom ${version})`
  return fit === 'too-old'
    ? `${name} is too old for this service: it speaks protocol ${protocol}, and the service needs at least ${OLDEST_PROTOCOL}. Update the controller. Until then it holds and releases what it has, and can be cancelled`
    : `${name} is too new for this service: it needs at least protocol ${oldest}, and the service speaks ${PROTOCOL}. Update the service. Until then the controller holds and releases what it has, and can be cancelled`
}

/** Says why a controller does not carry out a command of a service, and what to do. */
export function cloudMisfit({ protocol, oldest, version }: Software, fit: 'too-old' | 'too-new'): string {
  const name = version === '' ? 'the service' : `the service (Plantroom ${version})`
  return fit === 'too-old'
    ? `${name} is too old for this controller: it speaks protocol ${protocol}, and the controller needs at least ${OLDEST_PROTOCOL}; update the service`
    : `${name} is too new for this controller: it needs at least protocol ${oldest}, and the controller speaks ${PROTOCOL}; update the controller`
}

/**
 * The answer to a controller that asks for the time: milliseconds, then what the cloud says about itself. Earlier
 * controllers read the digits and ignore the rest.
 */
export const timeAnswer = (now: number) => `${now} ${JSON.stringify(OWN_SOFTWARE)}`

export function readTimeAnswer(text: string): { time: number; software: Software } {
  const space = text.indexOf(' ')
  return { time: Number.parseInt(text, 10), software: readSoftware(space < 0 ? undefined : parse(text.slice(space))) }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
